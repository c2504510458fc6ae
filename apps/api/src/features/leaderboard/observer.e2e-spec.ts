import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { GraphQLSchemaHost } from '@nestjs/graphql';
import type { GraphQLField } from 'graphql';
import { bootApp, type TestApp } from '../../../../../test/app.js';
import { newSteppingClock } from '../../../../../test/stepping-clock.js';
import { newParticipants, type Participant } from '../../../../../test/participant.js';
import { selectionOf } from '../../../../../test/schema/selections.js';

type Values = Readonly<Record<string, unknown>>;
type Role = 'ada' | 'bob' | 'cyd' | 'eve';

/** One of two worlds, the same but for who of two people votes and reports. */
interface World {
  readonly app: TestApp;
  readonly spaceId: string;
  readonly subjectId: string;
  readonly people: Readonly<Record<Role, Participant>>;
  readonly ids: Readonly<Record<'question' | 'answer' | 'former' | 'comment', string>>;
  /** Who acts in this world. */
  readonly actor: Participant;
  /** What stands for an id or a name of this world, so that worlds can be compared. */
  readonly labels: ReadonlyMap<string, string>;
}

let webFolder: string;
let worlds: readonly [World, World];
let queries: Readonly<Record<string, GraphQLField<unknown, unknown>>>;
beforeAll(async () => {
  webFolder = await mkdtemp(join(tmpdir(), 'nimo-web-'));
  await writeFile(
    join(webFolder, 'index.html'),
    '<!doctype html><html lang="en"><head><title>Nimo</title></head><body><div id="root"></div></body></html>',
  );
  worlds = await Promise.all([newWorld('bob'), newWorld('cyd')]);
  const { schema } = worlds[0].app.api.get(GraphQLSchemaHost, { strict: false });
  queries = schema.getQueryType()?.getFields() ?? {};
});
afterAll(async () => {
  await Promise.all(worlds.map(({ app }) => app.close()));
  await rm(webFolder, { recursive: true });
});

/** Both of those who may be who acts have asked, received votes, and voted. */
async function newWorld(actor: 'bob' | 'cyd'): Promise<World> {
  const clock = newSteppingClock().now;
  const app = await bootApp({ PUBLIC_URL: 'https://nimo.example/' }, { webFolder, clock });
  const { community, people } = await newParticipants(app, 4);
  const [ada, bob, cyd, eve] = people;
  const former = await ada.ask({ title: 'Is every ring a field?' });
  const question = await ada.ask();
  const answer = await ada.answer(question);
  const comment = await ada.commentOnAnswer(answer);
  for (const voter of [bob, cyd]) {
    const own = await voter.ask({ title: 'What is a kernel?' });
    await ada.does(`upvoteQuestion(questionId: "${own}") { _id }`);
    await voter.does(`downvoteQuestion(questionId: "${former}") { _id }`);
  }
  const { spaceId, subjectId, topicId } = community;
  const named = { ada, bob, cyd, eve };
  const labels = new Map<string, string>(
    [
      ...Object.entries({ spaceId, subjectId, topicId, question, answer, former, comment }),
      ...Object.entries(named).flatMap(([role, { student }]): [string, string][] => [
        [role, student.studentId],
        [`name of ${role}`, student.userName],
        [`phone of ${role}`, student.phone],
      ]),
    ].map(([label, id]): [string, string] => [id, label]),
  );
  const ids = { question, answer, former, comment };
  const world = { app, spaceId, subjectId, people: named, ids, actor: named[actor], labels };
  await app.caughtUp();
  return world;
}

/** Of whom one has acted. */
const suspects = ({ bob, cyd }: World['people']) => [bob, cyd];

/** Every query that a plain member may ask, with what is asked; a list asks more than once. */
const READ: Readonly<Record<string, (world: World) => readonly Values[]>> = {
  getStudent: ({ people }) => suspects(people).map(({ student }) => ({ userName: student.userName })),
  checkUserName: () => [{ userName: 'free_name' }],
  getAvatars: () => [{}],
  getSpaces: () => [{}],
  getStudentSpaces: () => [{}],
  getSubjectsForSpace: ({ spaceId }) => [{ id: spaceId }],
  getSubjectTopics: ({ subjectId }) => [{ subjects: [subjectId] }],
  getPopularTopics: ({ spaceId }) => [{ spaceId }],
  searchUsers: ({ spaceId }) => [{ space: spaceId, search: '' }],
  searchTopics: ({ spaceId }) => [{ space: spaceId, search: 'groups' }],
  searchQuestions: ({ spaceId }) => [{ search: 'set', queryVals: { space: spaceId } }],
  searchAnswers: ({ spaceId }) => [{ search: 'yes', space: spaceId }],
  getSimilarQuestions: ({ spaceId }) => [{ title: 'group', space: spaceId }],
  getPaginatedQuestions: ({ spaceId }) => [{ queryVals: { space: spaceId } }],
  getPaginatedSavedQuestions: ({ spaceId }) => [{ space: spaceId }],
  getAllSavedQuestions: ({ spaceId }) => [{ spaceId }],
  getUnsolvedQuestions: ({ spaceId }) => [{ spaceId }],
  getQuestionById: ({ ids }) => [{ questionId: ids.question }, { questionId: ids.former }],
  getQuestionByIdWithUserAuthorization: ({ ids }) => [{ questionId: ids.question }],
  getPaginatedAnswers: ({ ids }) => [{ questions: [ids.question] }],
  getPaginatedComments: ({ ids }) => [{ answers: [ids.answer] }],
  getPaginatedQuestionComments: ({ ids }) => [{ question: ids.question }],
  getPaginatedPostReports: () => [{ postType: 'QUESTION' }, { postType: 'ANSWER' }],
  getPaginatedLeaderboardScores: ({ spaceId }) => [{ space: spaceId }],
  getLeaderboardScores: ({ spaceId, people }) => [
    { space: spaceId },
    ...suspects(people).map(({ student }) => ({ space: spaceId, studentId: student.studentId })),
  ],
  getPaginatedNotifications: ({ spaceId }) => [{ space: spaceId }],
  getNewNotificationCount: ({ spaceId }) => [{ space: spaceId }],
  getPaginatedStudentActivities: ({ spaceId, people }) =>
    suspects(people).map(({ student }) => ({ space: spaceId, student: student.studentId })),
  getScoreExplanation: ({ spaceId }) => [{ space: spaceId }],
  getOwnScoreHistory: ({ spaceId }) => [{ space: spaceId }],
  getScoreNotices: ({ spaceId }) => [{ space: spaceId }],
  getScoringRules: () => [{}],
  getSpaceStatistics: ({ spaceId }) => [{ space: spaceId }],
  getSolvedShare: ({ spaceId }) => [{ space: spaceId }],
  getPaginatedNewsposts: ({ spaceId }) => [{ space: spaceId }],
  getStudentDetail: ({ spaceId, people }) =>
    suspects(people).map(({ student }) => ({ space: spaceId, studentId: student.studentId })),
  getStudentPosts: ({ spaceId, people }) =>
    suspects(people).map(({ student }) => ({ space: spaceId, student: student.studentId })),
  getOwnRemovals: ({ ids }) => [{ questionId: ids.question }],
  getSignInProviders: () => [{}],
  getTerms: () => [{}],
};

/** Those of them that need no session; the others refuse, as hostile-callers.e2e-spec.ts shows of each. */
const OPEN_TO_ALL = new Set([
  'getStudent',
  'getQuestionById',
  'getPaginatedAnswers',
  'getPaginatedComments',
  'getPaginatedQuestionComments',
]);

/** What is told of oneself: the author of the posts reads it, too. */
const OF_ONESELF = new Set([
  'getLeaderboardScores',
  'getPaginatedNotifications',
  'getNewNotificationCount',
  'getScoreExplanation',
  'getOwnScoreHistory',
  'getScoreNotices',
  'getOwnRemovals',
]);

const OWN_ACCOUNT = 'about the asker’s own account alone';
const FOR_STAFF = 'refused to members, as hostile-callers.e2e-spec.ts shows of each';
/** Every other query, and why nobody learns anything there. */
const NOT_READ: Readonly<Record<string, string>> = {
  login: OWN_ACCOUNT,
  getPresignedS3Url: OWN_ACCOUNT,
  getSecondFactor: OWN_ACCOUNT,
  getGuardianConsent: 'what a guardian is asked, for whoever has the link',
  isEmailConfirmed: 'whether a link was used, for anyone who holds it',
  getInvitedSpace: 'the name of a space, for whoever has its secret',
  getOwnErasure: OWN_ACCOUNT,
  getOwnExport: OWN_ACCOUNT,
  getSecurityLog: OWN_ACCOUNT,
  getSessions: OWN_ACCOUNT,
  getAuditEntries: FOR_STAFF,
  getAuditEntry: FOR_STAFF,
  getEntryRequests: FOR_STAFF,
  getYoungerStudents: FOR_STAFF,
  getInvitations: FOR_STAFF,
  getInvitedStudents: FOR_STAFF,
  getHistoryRange: FOR_STAFF,
  getInvalidationCase: FOR_STAFF,
  getInvalidationCases: FOR_STAFF,
  getLeaderboardAsOf: FOR_STAFF,
  getLeaderboardUnderRules: FOR_STAFF,
  getLogProof: FOR_STAFF,
  getManagedAvatars: FOR_STAFF,
  getManagedNews: FOR_STAFF,
  getManagedSpace: FOR_STAFF,
  getManagedSpaces: FOR_STAFF,
  getManagedStudents: FOR_STAFF,
  getManagedSubjects: FOR_STAFF,
  getManagedTopics: FOR_STAFF,
  getModerationCase: FOR_STAFF,
  getModerationQueue: FOR_STAFF,
  getProjection: FOR_STAFF,
  getProjections: FOR_STAFF,
  getQuestionAsOf: FOR_STAFF,
  getQuestionHistoryRange: FOR_STAFF,
  getRoleHolders: FOR_STAFF,
  getScoreAsOf: FOR_STAFF,
  getScoringDraft: FOR_STAFF,
  getScoringMoves: FOR_STAFF,
  getScoringTrial: FOR_STAFF,
  getScoringVersions: FOR_STAFF,
  getSpaceModerators: FOR_STAFF,
  getStaffSecurityLog: FOR_STAFF,
  getStudentNotes: FOR_STAFF,
  getVotePattern: FOR_STAFF,
  getVotePatternCounts: FOR_STAFF,
  getVotePatterns: FOR_STAFF,
  getVotesToJudge: FOR_STAFF,
  previewInvalidation: FOR_STAFF,
  previewReversal: FOR_STAFF,
};

async function ask(world: World, name: string, values: Values, token?: string): Promise<unknown> {
  const field = queries[name];
  if (!field) throw new Error(`the schema has no ${name}`);
  const args = field.args.filter((arg) => arg.name in values);
  const declared = args.map((arg) => `$${arg.name}: ${String(arg.type)}`).join(', ');
  const passed = args.map((arg) => `${arg.name}: $${arg.name}`).join(', ');
  const [head, body] = args.length === 0 ? ['', ''] : [`(${declared})`, `(${passed})`];
  const text = `query${head} { done: ${name}${body}${selectionOf(field, 2)} }`;
  const { data, errors } = await world.app.graphql(text, { ...values }, token);
  // A member's question must not come to nothing by a fault of this test.
  if (errors && token !== undefined) throw new Error(`${name}: ${JSON.stringify(errors)}`);
  return { data: WITHOUT_ORDER.has(name) ? sorted(world, data) : data, errors };
}

/** Where lines that are equal in all that they are sorted by follow their ids, which are random. */
const WITHOUT_ORDER = new Set(['searchUsers', 'getScoreExplanation']);
const sorted = (world: World, value: unknown): unknown => {
  if (Array.isArray(value))
    return value
      .map((item) => labelled(world, JSON.stringify(sorted(world, item))))
      .sort()
      .map((text) => JSON.parse(text) as unknown);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, below]) => [key, sorted(world, below)]));
};

/** The points of a caster move at once for everybody: these may differ where who acts does, and in nothing else. */
const TELL_POINTS = ['getPaginatedLeaderboardScores', 'getLeaderboardScores', 'getStudentDetail'] as const;
const POINTS: ReadonlySet<string> = new Set(['score', 'reputations', 'commitments', 'rank']);

function withoutPoints(value: unknown): unknown {
  // A board is in the order of the points.
  if (Array.isArray(value)) return value.map((item) => JSON.stringify(withoutPoints(item))).sort();
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, below]) => (POINTS.has(key) ? [] : [[key, withoutPoints(below)]])),
  );
}

/** The readings; those that tell points without them. */
const exceptPoints = (readings: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(readings).map(([name, read]) => [
      name,
      TELL_POINTS.some((query) => name.includes(`: ${query} `)) ? withoutPoints(read) : read,
    ]),
  );

const PAGES = ['/robots.txt', '/sitemap.xml'] as const;

async function readPages({ app, spaceId, ids }: World): Promise<Record<string, string>> {
  const own = [`/sitemap/${spaceId}/1.xml`, `/question/${ids.question}`, `/question/${ids.former}`];
  const texts: Record<string, string> = {};
  for (const path of [...PAGES, ...own]) {
    const { status, text } = await app.http().get(path).set('accept', '*/*');
    expect({ path, status }).toEqual({ path, status: 200 });
    texts[path] = text;
  }
  return texts;
}

/** All that can be read from outside, by a member who looks on and by the author of the posts. */
async function lookAround(world: World): Promise<Record<string, unknown>> {
  const readings: Record<string, unknown> = {};
  for (const [name, valuesIn] of Object.entries(READ)) {
    for (const [index, values] of valuesIn(world).entries()) {
      if (OPEN_TO_ALL.has(name)) readings[`nobody: ${name} ${index}`] = await ask(world, name, values);
      for (const role of OF_ONESELF.has(name) ? (['eve', 'ada'] as const) : (['eve'] as const))
        readings[`${role}: ${name} ${index}`] = await ask(
          world,
          name,
          values,
          world.people[role].student.token,
        );
    }
  }
  readings['pages'] = await readPages(world);
  return JSON.parse(labelled(world, JSON.stringify(readings))) as Record<string, unknown>;
}

const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;
const MOMENT = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z?/g;

/** With names for what is random in a world, and without moments, which are of the order of the acts. */
function labelled({ app, labels }: World, text: string): string {
  const named = [...labels].reduce((so, [id, label]) => so.replaceAll(id, `<${label}>`), text);
  return named
    .replaceAll(UUID, '<id>')
    .replaceAll(MOMENT, '<moment>')
    .replaceAll(/Space [0-9a-f]{8}/g, '<space>')
    .replaceAll(app.url, '<url>')
    .replaceAll(new URL(app.url).host, '<host>');
}

async function lookInBoth(): Promise<readonly [Record<string, unknown>, Record<string, unknown>]> {
  await Promise.all(worlds.map(({ app }) => app.caughtUp()));
  return Promise.all([lookAround(worlds[0]), lookAround(worlds[1])]);
}

const acts: readonly (readonly [string, (ids: World['ids']) => readonly string[]])[] = [
  ['votes for a question', ({ question }) => [`upvoteQuestion(questionId: "${question}") { _id }`]],
  [
    'votes against it instead, and against an answer',
    ({ question, answer }) => [
      `downvoteQuestion(questionId: "${question}") { _id }`,
      `downvoteAnswer(answerId: "${answer}") { _id }`,
    ],
  ],
  [
    'takes back two votes',
    ({ question, former }) => [
      `downvoteQuestion(questionId: "${question}") { _id }`,
      `downvoteQuestion(questionId: "${former}") { _id }`,
    ],
  ],
  [
    'reports a question and a comment',
    ({ question, comment }) => [
      `reportPost(postId: "${question}", postType: QUESTION, reason: "Its spam") { _id }`,
      `reportPost(postId: "${comment}", postType: COMMENT, reason: "Its spam") { _id }`,
    ],
  ],
];

describe('somebody who reads all there is to read', () => {
  it('is asked about every query of the schema', () => {
    const named = [...Object.keys(READ), ...Object.keys(NOT_READ)];
    expect(Object.keys(queries).sort()).toEqual([...named].sort());
  });

  it('is told of a question by its id and two numbers alone', () => {
    const { schema } = worlds[0].app.api.get(GraphQLSchemaHost, { strict: false });
    const fields = Object.keys(schema.getSubscriptionType()?.getFields() ?? {});
    // The other two tell the one who is notified, and moderators.
    expect(fields.sort()).toEqual(['moderationChanged', 'notificationArrived', 'questionUpdated']);
    const update = schema.getType('QuestionUpdate');
    expect(update && 'getFields' in update ? Object.keys(update.getFields()).sort() : []).toEqual([
      'ordinal',
      'questionId',
      'sequence',
    ]);
  });

  it('finds the two worlds alike', async () => {
    const [one, other] = await lookInBoth();
    expect(other).toEqual(one);
  });

  it.each(acts)('reads nothing but points that tells who %s', async (_, act) => {
    for (const world of worlds) for (const operation of act(world.ids)) await world.actor.does(operation);
    const [one, other] = await lookInBoth();
    expect(exceptPoints(other)).toEqual(exceptPoints(one));
  });

  it('sees what voting did to the voter at once, as the voter does', async () => {
    const [{ spaceId, people, actor }] = worlds;
    const merit = (viewer: Participant) =>
      viewer.query<unknown>(
        `getLeaderboardScores(space: "${spaceId}", studentId: "${actor.student.studentId}") { scores { reputations commitments } rank }`,
      );
    // 50 for the question and -5 for the vote against an answer; 10 for the question and 1 for a vote that was cast for one.
    const expected = { scores: { reputations: 46, commitments: 11 }, rank: expect.any(Number) as unknown };
    expect(await merit(actor)).toEqual(expected);
    expect(await merit(people.eve)).toEqual(await merit(actor));
    const [one, other] = await lookInBoth();
    for (const query of TELL_POINTS)
      expect(Object.entries(other).filter(([name]) => name.includes(query))).not.toEqual(
        Object.entries(one).filter(([name]) => name.includes(query)),
      );
  });

  it('reads how many voted on a post, and of the voters only oneself', async () => {
    const [{ people, ids, actor, app }] = worlds;
    const operation = `getQuestionById(questionId: "${ids.question}") { upvoteCount upvotedBy { _id } downvotedBy { _id } }`;
    await actor.does(`upvoteQuestion(questionId: "${ids.question}") { _id }`);
    await app.caughtUp();
    for (const reader of [people.eve, people.ada])
      expect(await reader.query(operation)).toEqual({ upvoteCount: 1, upvotedBy: [], downvotedBy: [] });
    const self = [{ _id: actor.student.studentId }];
    expect(await actor.query(operation)).toEqual({ upvoteCount: 1, upvotedBy: self, downvotedBy: [] });
  });
});
