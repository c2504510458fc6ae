import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { GraphQLSchemaHost } from '@nestjs/graphql';
import type { GraphQLField, GraphQLSchema } from 'graphql';
import {
  exampleOf,
  referenceIndex,
  referencePages,
  type OperationKind,
  type ReferenceEntry,
} from '../../../../../test/schema/api-reference.js';
import type { Role } from '@nimo/domain';
import { bootApp, type SignedUpStudent, type TestApp } from '../../../../../test/app.js';
import { newCommunity, newMember, type Community } from '../../../../../test/community.js';
import { concurrently } from '../../../../../test/concurrently.js';
import { operationEntries, type OperationWorld } from '../../../../../test/operations.js';
import { Participant } from '../../../../../test/participant.js';
import { keyOf, ruleText } from '../../../../../test/schema/permission-table.js';
import { areaOf } from '../../../../../test/schema/reference-areas.js';
import { setUpTotp } from '../../../../../test/second-factor.js';
import type { AccessRule } from '../../platform/auth/access.js';
import { AccessRulesCheck } from '../../platform/auth/access-rules.check.js';
import { SessionStore } from '../../platform/auth/session-store.js';
import { REFUSAL_RULES } from '../../platform/graphql/plugins.js';
import { LIMITS } from '../../platform/rate-limit/limits.js';
import { LimitsCheck } from '../../platform/rate-limit/limited.js';

/**
 * Checks `docs/api/reference.md` and its pages against the schema, access rules and limits. Every example is sent with existing IDs by a
 * permitted caller. `npm run api-reference` regenerates them.
 */
const DOCUMENT = new URL('../../../../../docs/api/reference.md', import.meta.url);
const PAGES = new URL('../../../../../docs/api/reference/', import.meta.url);
const BEGIN = '<!-- reference: npm run api-reference -->\n';
const isWriting = process.env['NIMO_API_REFERENCE'] === 'write';

/** Replaces values of a real installation. */
const SAMPLE = '5f0c2a6e-9d1b-4c53-8f57-2b1d3a4c5e6f';
const SAMPLE_PHONE = '9876543210';
const withSamples = (json: string): string =>
  json
    .replace(/[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}/g, SAMPLE)
    .replace(/"\d{10,12}"/g, `"${SAMPLE_PHONE}"`)
    .replace(/"user_[\da-f]+"/g, '"asha"');

const SUBSCRIPTIONS: Readonly<Record<string, () => Readonly<Record<string, unknown>>>> = {
  moderationChanged: () => ({}),
  notificationArrived: () => ({ space: community.spaceId }),
  questionUpdated: () => ({ questionId: ids.question }),
};

/** Staff examples refused for their values: they name something unknown, or a state an earlier example already set. */
const REFUSED_FOR_VALUES: ReadonlySet<string> = new Set([
  'getStaffSecurityLog',
  'getScoringTrial',
  'getScoringMoves',
  'previewInvalidation',
  'previewReversal',
  'getPostsRemoval',
  'removePosts',
  'restorePosts',
  'getInvalidationCase',
  'getClassCode',
  'resetSecondFactor',
  'blockAccount',
  'unblockAccount',
  'keepAccount',
  'archiveSpace',
  'unarchiveSpace',
  'deleteSpace',
  'addAvatar',
  'changeSubject',
  'answerEntryRequest',
  'removeMember',
  'inviteStudent',
  'changeTopic',
  'updateNewspost',
  'removeNewspost',
  'restoreNewspost',
  'dismissReports',
  'reverseUpholding',
  'handOverReports',
  'blockStudent',
  'unblockStudent',
  'suspendMember',
  'warnMember',
  'cancelRebuild',
  'cancelVerification',
  'retryProjection',
  'skipEventInAllProjections',
  'skipProjectionEvent',
  'saveScoringDraft',
  'discardScoringDraft',
  'publishScoringDraft',
  'withdrawScoringVersion',
  'tryScoringDraft',
  'triageVotePattern',
  'invalidateVotes',
  'confirmInvalidation',
  'declineInvalidation',
  'reverseInvalidation',
  'createInvitation',
  'revokeInvitation',
]);
/** Rules or codes that refused staff examples, by operation. */
const refused = new Map<string, string>();

let app: TestApp;
let schema: GraphQLSchema;
let community: Community;
let member: Participant;
let ids: OperationWorld['ids'];
/** Separate targets for staff: a blocked member could send no more examples. */
let staffTargets: Pick<OperationWorld, 'member' | 'ids'>;
const staff = new Map<Role, SignedUpStudent>();
const entriesOf = operationEntries(() => ({ community, member, ids }));
const staffEntriesOf = operationEntries(() => ({ community, ...staffTargets }));
const entries: ReferenceEntry[] = [];

/** Role that sends the example of a staff operation. */
const senderOf = (rule: AccessRule | undefined): Role | undefined => {
  if (rule?.kind !== 'role') return undefined;
  return rule.roles.includes('MODERATOR') ? 'MODERATOR' : 'MAINTAINER';
};

async function newStaff(role: Role): Promise<SignedUpStudent> {
  const student = await app.signUp();
  await app.grantRole(student.studentId, role);
  await setUpTotp(app, student);
  return student;
}

async function newIds(author: Participant, newspost: string): Promise<OperationWorld['ids']> {
  const question = await author.ask();
  const answer = await author.answer(question);
  const [comment, questionComment] = [
    await author.commentOnAnswer(answer),
    await author.commentOnQuestion(question),
  ];
  return { question, answer, comment, questionComment, newspost };
}

beforeAll(async () => {
  app = await bootApp({ STAFF_SECOND_FACTOR: 'required' });
  ({ schema } = app.api.get(GraphQLSchemaHost, { strict: false }));
  community = await newCommunity(app, 3);
  const author = new Participant(app, await newMember(app, community.spaceId), community);
  member = new Participant(app, await newMember(app, community.spaceId), community);
  ids = await newIds(author, SAMPLE);
  await Promise.all(
    (['MODERATOR', 'MAINTAINER'] as const).map(async (role) => staff.set(role, await newStaff(role))),
  );
  const target = new Participant(app, await newMember(app, community.spaceId), community);
  const targetIds = await newIds(author, SAMPLE);
  await target.perform(
    `reportPost(postId: "${targetIds.question}", postType: QUESTION, reason: "Its spam") { _id }`,
  );
  staffTargets = { member: target, ids: targetIds };
  await app.caughtUp();
  const operations = new Map(
    [...app.api.get(AccessRulesCheck, { strict: false }).operations()].map((operation) => [
      keyOf(operation.at.type, operation.at.name),
      operation,
    ]),
  );
  const limits = new Map(
    [...app.api.get(LimitsCheck, { strict: false }).mutations()].map(({ name, rule }) => [name, rule?.limit]),
  );
  for (const [kind, field] of fields()) {
    const { name } = field;
    const operation = operations.get(keyOf(kind, name));
    const sentAs = senderOf(operation?.rule);
    const valuesOf =
      kind === 'Subscription' ? SUBSCRIPTIONS[name] : (sentAs ? staffEntriesOf : entriesOf)[name]?.values;
    const values = valuesOf?.() ?? {};
    const limit = limits.get(operation?.name ?? '');
    entries.push({
      schema,
      kind,
      field,
      values,
      sentAs,
      area: areaOf(operation?.name ?? '', operation?.rule),
      rule: ruleText(operation?.rule),
      limit: limit && LIMITS[limit],
    });
  }
});

afterAll(() => app.close());

function* fields(): Generator<readonly [OperationKind, GraphQLField<unknown, unknown>]> {
  const kinds = [
    ['Query', schema.getQueryType()],
    ['Mutation', schema.getMutationType()],
    ['Subscription', schema.getSubscriptionType()],
  ] as const;
  for (const [kind, type] of kinds)
    for (const field of Object.values(type?.getFields() ?? {})) yield [kind, field];
}

/** Opens a session for each example, as `logout` and the like end it. */
function newSession(role: Role | undefined): Promise<string> {
  const { studentId } = (role && staff.get(role)) ?? member.student;
  return app.api.get(SessionStore, { strict: false }).open(studentId, {
    remember: false,
    address: '127.0.0.1',
    userAgent: 'test',
    withFactor: role !== undefined,
  });
}

describe('the API reference', () => {
  it('lists a limit for every mutation', () => {
    const without = entries.filter(({ kind, limit }) => kind === 'Mutation' && !limit);
    expect(without.map(({ field }) => field.name)).toEqual([]);
  });

  it('has only examples the API accepts as well-formed', async () => {
    const malformed: string[] = [];
    const send = async (entry: ReferenceEntry): Promise<void> => {
      const { errors } = await app.graphql(exampleOf(entry), entry.values, await newSession(entry.sentAs));
      const [error] = errors ?? [];
      const { code = '', rule } = error?.extensions ?? {};
      // An example refused by a domain rule was well-formed: it has the values of an ordinary member.
      const isDomainRule = rule !== undefined && !REFUSAL_RULES.has(rule);
      if (['INTERNAL', 'UNAUTHENTICATED'].includes(code) || (code === 'VALIDATION_FAILED' && !isDomainRule))
        malformed.push(`${entry.field.name}: ${error?.message ?? ''}`);
      if (entry.sentAs && error) refused.set(entry.field.name, rule ?? code);
    };
    await concurrently(
      entries.filter(({ kind }) => kind === 'Query'),
      send,
    );
    // Sequential: mutations may affect each other.
    for (const entry of entries) if (entry.kind === 'Mutation') await send(entry);
    expect(malformed).toEqual([]);
  });

  it('has staff examples that succeed, except those refused for their values', () => {
    expect([...refused.keys()].filter((name) => !REFUSED_FOR_VALUES.has(name))).toEqual([]);
    const byGate = [...refused].filter(([, rule]) => rule === 'SECOND_FACTOR_REQUIRED');
    expect(byGate).toEqual([]);
  });

  it('matches docs/api', async () => {
    const document = await readFile(DOCUMENT, 'utf8');
    const head = document.slice(0, document.indexOf(BEGIN) + BEGIN.length);
    const sampled = entries.map((entry) => ({
      ...entry,
      values: JSON.parse(withSamples(JSON.stringify(entry.values))) as ReferenceEntry['values'],
    }));
    const index = `${head}\n${referenceIndex(sampled)}`;
    const pages = referencePages(sampled);
    if (isWriting) {
      await mkdir(PAGES, { recursive: true });
      await writeFile(DOCUMENT, index);
      for (const [name, page] of pages) await writeFile(new URL(`${name}.md`, PAGES), page);
      return;
    }
    expect(document).toBe(index);
    for (const [name, page] of pages) expect(await readFile(new URL(`${name}.md`, PAGES), 'utf8')).toBe(page);
    expect((await readdir(PAGES)).toSorted()).toEqual(
      [...pages.keys()].map((name) => `${name}.md`).toSorted(),
    );
  });
});
