import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { GraphQLSchemaHost } from '@nestjs/graphql';
import type { GraphQLField } from 'graphql';
import { bootApp, type TestApp } from '../../../../../test/app.js';
import { newCommunity } from '../../../../../test/community.js';
import { operationEntries } from '../../../../../test/operations.js';
import { Participant } from '../../../../../test/participant.js';
import { selectionOf } from '../../../../../test/schema/selections.js';
import {
  type CutFixture,
  EXEMPT_MUTATIONS,
  type Scenario,
  scenarioFactories,
} from '../../../../../test/servers/cut-mutations.js';
import { ArchiveSpace } from './commands/manage-space.js';

/** Events that an archived space accepts, each with the mutations that lead to it. */
const ACCEPTED: Readonly<Record<string, readonly string[]>> = {
  SpaceLeft: ['leaveSpace', 'removeMember'],
  MemberRemoved: ['removeMember'],
  EntryRequestWithdrawn: ['withdrawEntryRequest'],
  InvitationRevoked: ['revokeInvitation'],
  StudentInvitationRevoked: ['revokeStudentInvitation'],
  RoleGranted: ['grantRole'],
  RoleRevoked: ['revokeRole'],
  GuardianRefused: ['answerGuardianConsent'],
  AgeForgotten: ['clearAge', 'forgetAge'],
  ReportsUpheld: ['upholdReports'],
  ReportsDismissed: ['dismissReports'],
  ReportsHandedOver: ['handOverReports'],
  QuestionSaved: ['saveQuestion'],
  QuestionUnsaved: ['unsaveQuestion'],
  NewspostSaved: ['saveNewspost'],
  // Of other spaces.
  SpaceCreated: ['createSpace'],
  SpaceChanged: ['changeSpace'],
  SpaceUnarchived: ['unarchiveSpace'],
  SpaceArchived: ['archiveSpace'],
  SpaceRemoved: ['deleteSpace'],
};

const REFUSED = [
  'acceptAnswer',
  'addSubject',
  'addTopic',
  'answerEntryRequest',
  'answerGuardianConsent',
  'askGuardian',
  'blockStudent',
  'changeSubject',
  'changeTopic',
  'confirmInvalidation',
  'createAnswer',
  'createComment',
  'createInvitation',
  'createQuestion',
  'createQuestionComment',
  'createTopic',
  'declareAge',
  'deleteAnswerById',
  'deleteCommentById',
  'deleteQuestionById',
  'deleteQuestionCommentById',
  'downvoteAnswer',
  'downvoteQuestion',
  'invalidateVotes',
  'inviteStudent',
  'joinByInvitation',
  'joinSpace',
  'likeNewspost',
  'publishNewspost',
  'removeNewspost',
  'removePosts',
  'removeStudentNote',
  'reportPost',
  'requestEntry',
  'requestGuardianConsent',
  'restoreNewspost',
  'restorePosts',
  'reverseInvalidation',
  'stateAge',
  'suspendMember',
  'unblockStudent',
  'updateAnswer',
  'updateNewspost',
  'updateQuestion',
  'upvoteAnswer',
  'upvoteQuestion',
  'warnMember',
  'writeStudentNote',
];

let app: TestApp;
let fixture: CutFixture;
let mutations: Readonly<Record<string, GraphQLField<unknown, unknown>>>;
const SCENARIOS = scenarioFactories(() => fixture);
beforeAll(async () => {
  app = await bootApp();
  const [community, byRequest, byInvitation, withAgeLimit] = [
    await newCommunity(app, 2),
    await newCommunity(app, 0, { entry: 'REQUEST' }),
    await newCommunity(app, 0, { entry: 'INVITATION' }),
    await newCommunity(app, 0, { entry: 'OPEN', consentAge: 16 }),
  ];
  const [ada, bob] = community.members.map((student) => new Participant(app, student, community));
  if (!ada || !bob) throw new Error('no members');
  const [ofSpace, ofAll] = [await app.signUp(), await app.signUp()];
  await app.grantRole(ofSpace.studentId, 'MODERATOR', community.spaceId);
  for (const role of ['MAINTAINER', 'MODERATOR'] as const) await app.grantRole(ofAll.studentId, role);
  const staff = {
    moderator: new Participant(app, ofSpace, community),
    maintainer: new Participant(app, ofAll, community),
  };
  fixture = { app, community, byRequest, byInvitation, withAgeLimit, ada, bob, ...staff };
  mutations = app.api.get(GraphQLSchemaHost, { strict: false }).schema.getMutationType()?.getFields() ?? {};
});
afterAll(() => app.close());

async function setArchived(isArchived: boolean): Promise<void> {
  const { community, byRequest, byInvitation, withAgeLimit } = fixture;
  await Promise.all(
    [community, byRequest, byInvitation, withAgeLimit].map(({ spaceId }) =>
      app.execute(new ArchiveSpace(app.operator(), spaceId, isArchived)),
    ),
  );
}

/** @returns the rule of a refusal, and the events that name a space */
async function send(field: GraphQLField<unknown, unknown>, { values = {}, by }: Scenario) {
  const ids = { question: '', answer: '', comment: '', questionComment: '', newspost: '' };
  const world = { community: fixture.community, member: by ?? fixture.ada, ids };
  const all: Readonly<Record<string, unknown>> = {
    ...operationEntries(() => world)[field.name]?.values(),
    ...values,
  };
  const args = field.args.filter(({ name }) => name in all);
  const declared = args.map(({ name, type }) => `$${name}: ${String(type)}`).join(', ');
  const passed = args.map(({ name }) => `${name}: $${name}`).join(', ');
  const [head, call] = args.length === 0 ? ['', ''] : [`(${declared})`, `(${passed})`];
  const variables = Object.fromEntries(args.map(({ name }) => [name, all[name]]));
  const correlationId = randomUUID();
  const { errors } = await app.graphql(
    `mutation${head} { done: ${field.name}${call}${selectionOf(field, 0)} }`,
    variables,
    by?.student.token,
    { 'x-correlation-id': correlationId },
  );
  const { rows } = await app.pool.query<{ type: string }>(
    `select type from log.events where metadata->>'correlationId' = $1
       and (data ->> 'spaceId' is not null or data -> 'votes' is not null)`,
    [correlationId],
  );
  return { rule: errors?.[0]?.extensions['rule'], types: rows.map(({ type }) => type) };
}

describe('an archived space', () => {
  it('is readable by its members only', async () => {
    const { community, ada, bob } = fixture;
    const stranger = new Participant(app, await app.signUp(), community);
    const questionId = await ada.ask();
    const read = async ({ student }: Participant) => {
      const { data, errors } = await app.graphql<{ getQuestionById: { _id: string } | null } | null>(
        `{ getQuestionById(questionId: "${questionId}") { _id } }`,
        {},
        student.token,
      );
      return errors?.[0]?.extensions.code ?? data?.getQuestionById?._id ?? null;
    };
    const spacesOf = async (who: Participant) =>
      (await who.query<{ _id: string }[]>('getSpaces { _id }')).map(({ _id }) => _id);
    expect([await read(bob), await read(stranger)]).toEqual([questionId, questionId]);
    await setArchived(true);
    expect(await read(bob)).toBe(questionId);
    expect(await read(stranger)).not.toBe(questionId);
    expect(await spacesOf(bob)).toContain(community.spaceId);
    expect(await spacesOf(stranger)).not.toContain(community.spaceId);
    await setArchived(false);
    expect(await read(stranger)).toBe(questionId);
    expect(await spacesOf(stranger)).toContain(community.spaceId);
  });

  it('is written into by no mutation, except what takes something away, decides on reports or is private', async () => {
    const refused: string[] = [];
    const written: string[] = [];
    for (const [name, scenarioOf] of Object.entries(SCENARIOS)) {
      const field = mutations[name];
      if (!field || EXEMPT_MUTATIONS[name] !== undefined) continue;
      const scenario = await scenarioOf();
      await setArchived(true);
      const { rule, types } = await send(field, scenario);
      await setArchived(false);
      if (rule === 'SPACE_ARCHIVED') refused.push(name);
      for (const type of types) if (ACCEPTED[type]?.includes(name) !== true) written.push(`${name}: ${type}`);
    }
    expect(written).toEqual([]);
    expect(refused.sort()).toEqual(REFUSED);
  }, 300_000);
});
