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

/** One of two worlds that differ only in which of two people votes and reports. */
interface World {
  readonly app: TestApp;
  readonly spaceId: string;
  readonly subjectId: string;
  readonly people: Readonly<Record<Role, Participant>>;
  readonly ids: Readonly<Record<'question' | 'answer' | 'former' | 'comment', string>>;
  readonly actor: Participant;
  /** Labels for the IDs and names of this world, to make worlds comparable. */
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

/** Both suspects have asked, voted and received votes before one of them acts. */
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
    await ada.perform(`upvoteQuestion(questionId: "${own}") { _id }`);
    await voter.perform(`downvoteQuestion(questionId: "${former}") { _id }`);
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

/** Possible actors, indistinguishable to an observer. */
const suspects = ({ bob, cyd }: World['people']) => [bob, cyd];

/** Queries open to ordinary members, with one set of arguments per call. */
const QUERIES: Readonly<Record<string, (world: World) => readonly Values[]>> = {
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
  getOwnSuspension: ({ spaceId }) => [{ space: spaceId }],
  getOwnRemovals: ({ ids }) => [{ questionId: ids.question }],
  getSignInProviders: () => [{}],
  getTerms: () => [{}],
};

/** Queries that need no session; hostile-callers.e2e-spec.ts shows that the others reject guests. */
const PUBLIC_QUERIES = new Set([
  'getStudent',
  'getQuestionById',
  'getPaginatedAnswers',
  'getPaginatedComments',
  'getPaginatedQuestionComments',
]);

/** Queries about the caller: the author of the posts runs them too. */
const OWN_DATA = new Set([
  'getLeaderboardScores',
  'getPaginatedNotifications',
  'getNewNotificationCount',
  'getScoreExplanation',
  'getOwnScoreHistory',
  'getScoreNotices',
  'getOwnRemovals',
]);

const OWN_ACCOUNT = 'only about the caller’s account';
const STAFF_ONLY = 'staff only, see hostile-callers.e2e-spec.ts';
/** All other queries, and why they reveal nothing. */
const EXCLUDED: Readonly<Record<string, string>> = {
  login: OWN_ACCOUNT,
  getPresignedS3Url: OWN_ACCOUNT,
  getSecondFactor: OWN_ACCOUNT,
  getGuardianConsent: 'the consent request, for the holder of the link',
  isEmailConfirmed: 'whether a link was used, for its holder',
  getInvitedSpace: 'the name of a space, for the holder of its secret',
  getOwnErasure: OWN_ACCOUNT,
  getOwnExport: OWN_ACCOUNT,
  getSecurityLog: OWN_ACCOUNT,
  getSessions: OWN_ACCOUNT,
  getAuditEntries: STAFF_ONLY,
  getAuditTotals: STAFF_ONLY,
  getAuditEntry: STAFF_ONLY,
  getEntryRequests: STAFF_ONLY,
  getYoungerStudents: STAFF_ONLY,
  getClassCode: STAFF_ONLY,
  getInvitations: STAFF_ONLY,
  getInvitedStudents: STAFF_ONLY,
  getHistoryRange: STAFF_ONLY,
  getPostsRemoval: STAFF_ONLY,
  getPostsRemovals: STAFF_ONLY,
  previewPostsRemoval: STAFF_ONLY,
  getInvalidationCase: STAFF_ONLY,
  getInvalidationCases: STAFF_ONLY,
  getLeaderboardAsOf: STAFF_ONLY,
  getLeaderboardUnderRules: STAFF_ONLY,
  getLogEvent: STAFF_ONLY,
  getLogEvents: STAFF_ONLY,
  getLogStream: STAFF_ONLY,
  getLogFilters: STAFF_ONLY,
  getLogProof: STAFF_ONLY,
  getManagedAvatars: STAFF_ONLY,
  getManagedNews: STAFF_ONLY,
  getManagedSpace: STAFF_ONLY,
  getManagedSpaces: STAFF_ONLY,
  getManagedStudents: STAFF_ONLY,
  getManagedSubjects: STAFF_ONLY,
  getManagedTopics: STAFF_ONLY,
  getModerationCase: STAFF_ONLY,
  getModerationQueue: STAFF_ONLY,
  getProjection: STAFF_ONLY,
  getProjections: STAFF_ONLY,
  getStoppedEvents: STAFF_ONLY,
  getQuestionAsOf: STAFF_ONLY,
  getQuestionHistoryRange: STAFF_ONLY,
  getRoleHolders: STAFF_ONLY,
  getScoreAsOf: STAFF_ONLY,
  getScoringDraft: STAFF_ONLY,
  getScoringMoves: STAFF_ONLY,
  getScoringTrial: STAFF_ONLY,
  getScoringVersions: STAFF_ONLY,
  getSpaceModerators: STAFF_ONLY,
  getStaffSecurityLog: STAFF_ONLY,
  getStudentNotes: STAFF_ONLY,
  getStudentWarnings: STAFF_ONLY,
  getVoteGivers: STAFF_ONLY,
  getVotePattern: STAFF_ONLY,
  getModerationCounts: STAFF_ONLY,
  getVotePatternCounts: STAFF_ONLY,
  getVotePatterns: STAFF_ONLY,
  getVotesForReview: STAFF_ONLY,
  getVotesToJudge: STAFF_ONLY,
  previewInvalidation: STAFF_ONLY,
  previewReversal: STAFF_ONLY,
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
  // A query of a member fails only if this test is wrong.
  if (errors && token !== undefined) throw new Error(`${name}: ${JSON.stringify(errors)}`);
  return { data: UNORDERED.has(name) ? sorted(world, data) : data, errors };
}

/** Queries that break ties by random IDs. */
const UNORDERED = new Set(['searchUsers', 'getScoreExplanation']);
const sorted = (world: World, value: unknown): unknown => {
  if (Array.isArray(value))
    return value
      .map((item) => labelled(world, JSON.stringify(sorted(world, item))))
      .sort()
      .map((text) => JSON.parse(text) as unknown);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, below]) => [key, sorted(world, below)]));
};

/** A voter's points change publicly right away, so these may differ in points and nothing else. */
const POINT_QUERIES = ['getPaginatedLeaderboardScores', 'getLeaderboardScores', 'getStudentDetail'] as const;
const POINTS: ReadonlySet<string> = new Set(['score', 'reputations', 'commitments', 'rank']);

function withoutPoints(value: unknown): unknown {
  // A leaderboard is ordered by points.
  if (Array.isArray(value)) return value.map((item) => JSON.stringify(withoutPoints(item))).sort();
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, below]) => (POINTS.has(key) ? [] : [[key, withoutPoints(below)]])),
  );
}

const exceptPoints = (readings: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(readings).map(([name, read]) => [
      name,
      POINT_QUERIES.some((query) => name.includes(`: ${query} `)) ? withoutPoints(read) : read,
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

/** Everything that guests, an uninvolved member and the author of the posts can read. */
async function readEverything(world: World): Promise<Record<string, unknown>> {
  const readings: Record<string, unknown> = {};
  for (const [name, valuesIn] of Object.entries(QUERIES)) {
    for (const [index, values] of valuesIn(world).entries()) {
      if (PUBLIC_QUERIES.has(name)) readings[`guest: ${name} ${index}`] = await ask(world, name, values);
      for (const role of OWN_DATA.has(name) ? (['eve', 'ada'] as const) : (['eve'] as const))
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

/** Replaces random values by labels, and timestamps, which follow the order of actions. */
function labelled({ app, labels }: World, text: string): string {
  const named = [...labels].reduce((so, [id, label]) => so.replaceAll(id, `<${label}>`), text);
  return named
    .replaceAll(UUID, '<id>')
    .replaceAll(MOMENT, '<moment>')
    .replaceAll(/Space [0-9a-f]{8}/g, '<space>')
    .replaceAll(app.url, '<url>')
    .replaceAll(new URL(app.url).host, '<host>');
}

async function readBothWorlds(): Promise<readonly [Record<string, unknown>, Record<string, unknown>]> {
  await Promise.all(worlds.map(({ app }) => app.caughtUp()));
  return Promise.all([readEverything(worlds[0]), readEverything(worlds[1])]);
}

const actions: readonly (readonly [string, (ids: World['ids']) => readonly string[]])[] = [
  ['upvotes a question', ({ question }) => [`upvoteQuestion(questionId: "${question}") { _id }`]],
  [
    'switches to a downvote and downvotes an answer',
    ({ question, answer }) => [
      `downvoteQuestion(questionId: "${question}") { _id }`,
      `downvoteAnswer(answerId: "${answer}") { _id }`,
    ],
  ],
  [
    'withdraws two votes',
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

describe('an observer who reads everything', () => {
  it('covers every query of the schema', () => {
    const named = [...Object.keys(QUERIES), ...Object.keys(EXCLUDED)];
    expect(Object.keys(queries).sort()).toEqual([...named].sort());
  });

  it('receives only an ID and two numbers in a question update', () => {
    const { schema } = worlds[0].app.api.get(GraphQLSchemaHost, { strict: false });
    const fields = Object.keys(schema.getSubscriptionType()?.getFields() ?? {});
    // The other two reach only the notified student and moderators.
    expect(fields.sort()).toEqual(['moderationChanged', 'notificationArrived', 'questionUpdated']);
    const update = schema.getType('QuestionUpdate');
    expect(update && 'getFields' in update ? Object.keys(update.getFields()).sort() : []).toEqual([
      'ordinal',
      'questionId',
      'sequence',
    ]);
  });

  it('cannot tell the two worlds apart', async () => {
    const [one, other] = await readBothWorlds();
    expect(other).toEqual(one);
  });

  it.each(actions)('cannot tell who %s, except by points', async (_, act) => {
    for (const world of worlds) for (const operation of act(world.ids)) await world.actor.perform(operation);
    const [one, other] = await readBothWorlds();
    expect(exceptPoints(other)).toEqual(exceptPoints(one));
  });

  it('sees the effect on the score of the voter as soon as the voter does', async () => {
    const [{ spaceId, people, actor }] = worlds;
    const merit = (viewer: Participant) =>
      viewer.query<unknown>(
        `getLeaderboardScores(space: "${spaceId}", studentId: "${actor.student.studentId}") { scores { reputations commitments } rank }`,
      );
    // Merit: 1, +50 for an upvoted question, -5 for downvoting an answer. Impact: 10 for the question, 1 for an upvote.
    const expected = { scores: { reputations: 46, commitments: 11 }, rank: expect.any(Number) as unknown };
    expect(await merit(actor)).toEqual(expected);
    expect(await merit(people.eve)).toEqual(await merit(actor));
    const [one, other] = await readBothWorlds();
    for (const query of POINT_QUERIES)
      expect(Object.entries(other).filter(([name]) => name.includes(query))).not.toEqual(
        Object.entries(one).filter(([name]) => name.includes(query)),
      );
  });

  it('sees vote counts, but no voter other than themselves', async () => {
    const [{ people, ids, actor, app }] = worlds;
    const operation = `getQuestionById(questionId: "${ids.question}") { upvoteCount upvotedBy { _id } downvotedBy { _id } }`;
    await actor.perform(`upvoteQuestion(questionId: "${ids.question}") { _id }`);
    await app.caughtUp();
    for (const reader of [people.eve, people.ada])
      expect(await reader.query(operation)).toEqual({ upvoteCount: 1, upvotedBy: [], downvotedBy: [] });
    const self = [{ _id: actor.student.studentId }];
    expect(await actor.query(operation)).toEqual({ upvoteCount: 1, upvotedBy: self, downvotedBy: [] });
  });
});
