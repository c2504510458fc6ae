import { beforeAll, describe, expect, it } from '@jest/globals';
import { GraphQLSchemaHost } from '@nestjs/graphql';
import { sharedApp, type TestApp } from '../../../../../test/app.js';
import { concurrently } from '../../../../../test/concurrently.js';
import { documentOf, type RootField } from '../../../../../test/schema/root-fields.js';
import { AccessRulesCheck } from './access-rules.check.js';

/** Callable without a session. */
const PUBLIC = new Set([
  // Read before sign-up.
  'getTerms',
  // Opened from a link in a mail, without an account.
  'getGuardianConsent',
  'answerGuardianConsent',
  'login',
  'getStudent',
  'checkUserName',
  'getAvatars',
  'getQuestionById',
  'getPaginatedAnswers',
  'getPaginatedComments',
  'getPaginatedQuestionComments',
  'getPresignedS3Url',
  'createStudent',
  'sendOTP',
  'createSendChallenge',
  'verifyOTP',
  'updateStudent',
  'changePassword',
  'registerByEmail',
  'sendConfirmation',
  'isEmailConfirmed',
  'confirmEmail',
  'forgotPassword',
  'resetPassword',
  'getSignInProviders',
  'startSignIn',
  'finishSignIn',
  'finishSecondFactor',
  'startPasskeySignIn',
  'getInvitedSpace',
]);

let app: TestApp;
let operations: readonly RootField[];
beforeAll(async () => {
  app = await sharedApp();
  const { schema } = app.api.get(GraphQLSchemaHost, { strict: false });
  operations = [
    ...Object.values(schema.getQueryType()?.getFields() ?? {}).map((field) => ({
      kind: 'query' as const,
      field,
    })),
    ...Object.values(schema.getMutationType()?.getFields() ?? {}).map((field) => ({
      kind: 'mutation' as const,
      field,
    })),
  ];
});

describe('access', () => {
  it('has a rule for every operation and route', () => {
    const rules = [...app.api.get(AccessRulesCheck, { strict: false }).operations()];
    expect(rules.length).toBeGreaterThan(operations.length);
    expect(rules.filter(({ rule }) => rule === undefined)).toEqual([]);
  });

  it('lists only existing operations as public', () => {
    const names = new Set(operations.map(({ field }) => field.name));
    expect([...PUBLIC].filter((name) => !names.has(name))).toEqual([]);
  });

  it('is denied to anonymous callers and made-up tokens everywhere else', async () => {
    const closed = operations.filter(({ field }) => !PUBLIC.has(field.name));
    await concurrently(closed, async (operation) => {
      for (const token of [undefined, 'A'.repeat(43)]) {
        const { errors } = await app.graphql(documentOf(operation), {}, token);
        expect([operation.field.name, errors?.[0]?.extensions.code]).toEqual([
          operation.field.name,
          'UNAUTHENTICATED',
        ]);
      }
    });
  });

  it('rejects another student’s id as the actor', async () => {
    const [ada, eve] = await Promise.all([app.signUp(), app.signUp()]);
    const answer = await app.graphql(
      'mutation($id: ID!) { updateStudent(id: $id, firstName: "Eve") { _id } }',
      { id: ada.studentId },
      eve.token,
    );
    expect(answer.errors?.[0]?.extensions.code).toBe('FORBIDDEN');
  });
});
