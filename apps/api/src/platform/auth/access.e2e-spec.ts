import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { GraphQLSchemaHost } from '@nestjs/graphql';
import {
  getNamedType,
  getNullableType,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
  isObjectType,
  type GraphQLField,
  type GraphQLInputType,
} from 'graphql';
import { bootApp, type TestApp } from '../../../../../test/app.js';
import { AccessRulesCheck } from './access-rules.check.js';

/** What anybody may call; everything else needs a session. */
const PUBLIC = new Set([
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
  'verifyOTP',
  'updateStudent',
  'changePassword',
  'registerByEmail',
  'confirmEmail',
  'forgotPassword',
  'resetPassword',
  'getSignInProviders',
  'startSignIn',
  'finishSignIn',
]);

let app: TestApp;
let operations: readonly {
  readonly kind: 'query' | 'mutation';
  readonly field: GraphQLField<unknown, unknown>;
}[];
beforeAll(async () => {
  app = await bootApp();
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
}, 60_000);
afterAll(() => app.close());

/** Some literal that the argument's type takes. */
function literalOf(type: GraphQLInputType): string {
  const nullable = getNullableType(type);
  if (isListType(nullable)) return '[]';
  const named = getNamedType(nullable);
  if (isInputObjectType(named)) {
    const required = Object.values(named.getFields()).filter((field) => isNonNullType(field.type));
    return `{${required.map((field) => `${field.name}: ${literalOf(field.type)}`).join(', ')}}`;
  }
  if (isEnumType(named)) return named.getValues()[0]?.name ?? '';
  switch (named.name) {
    case 'Int':
    case 'Float':
      return '1';
    case 'Boolean':
      return 'true';
    case 'ID':
      return '"00000000-0000-4000-8000-000000000000"';
    case 'Phone':
      return '"919999999999"';
    default:
      return '"text"';
  }
}

function documentOf({ kind, field }: (typeof operations)[number]): string {
  const args = field.args
    .filter((arg) => isNonNullType(arg.type))
    .map((arg) => `${arg.name}: ${literalOf(arg.type)}`);
  const selection = isObjectType(getNamedType(field.type)) ? ' { __typename }' : '';
  return `${kind} { ${field.name}${args.length > 0 ? `(${args.join(', ')})` : ''}${selection} }`;
}

describe('access', () => {
  it('has a rule for every operation and route', () => {
    const rules = [...app.api.get(AccessRulesCheck, { strict: false }).operations()];
    expect(rules.length).toBeGreaterThan(operations.length);
    expect(rules.filter(({ rule }) => rule === undefined)).toEqual([]);
  });

  it('knows every public operation by name', () => {
    const names = new Set(operations.map(({ field }) => field.name));
    expect([...PUBLIC].filter((name) => !names.has(name))).toEqual([]);
  });

  it('is closed to anonymous callers everywhere else, also with a made-up token', async () => {
    for (const operation of operations.filter(({ field }) => !PUBLIC.has(field.name))) {
      for (const token of [undefined, 'A'.repeat(43)]) {
        const { errors } = await app.graphql(documentOf(operation), {}, token);
        expect([operation.field.name, errors?.[0]?.extensions.code]).toEqual([
          operation.field.name,
          'UNAUTHENTICATED',
        ]);
      }
    }
  });

  it('takes no id of another student for the one who acts', async () => {
    const [ada, eve] = [await app.signUp(), await app.signUp()];
    const answer = await app.graphql(
      'mutation($id: ID!) { updateStudent(id: $id, firstName: "Eve") { _id } }',
      { id: ada.studentId },
      eve.token,
    );
    expect(answer.errors?.[0]?.extensions.code).toBe('FORBIDDEN');
  });
});
