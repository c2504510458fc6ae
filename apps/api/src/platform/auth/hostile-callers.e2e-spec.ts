import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { GraphQLSchemaHost } from '@nestjs/graphql';
import { getNamedType, isInputObjectType, type GraphQLArgument } from 'graphql';
import { bootApp, newPhone, type GraphqlAnswer, type TestApp } from '../../../../../test/app.js';
import { newCommunity, type Community } from '../../../../../test/community.js';
import { Participant } from '../../../../../test/participant.js';
import { BlockStudent } from '../../features/students/commands/block-student.js';

type Values = Readonly<Record<string, unknown>>;
/** What an outsider gets: `seen` where the operation is open to everybody. */
type Outcome = 'seen' | 'UNAUTHENTICATED' | 'FORBIDDEN' | 'NOT_FOUND' | 'VALIDATION_FAILED';

interface Operation {
  readonly kind: 'query' | 'mutation';
  readonly name: string;
  readonly args: readonly GraphQLArgument[];
  readonly selection: string;
}

interface Entry {
  /** Right for a member. */
  readonly values: () => Values;
  readonly anonymous: Outcome;
  /** Signed in, but not in the space. */
  readonly stranger: Outcome;
}

let app: TestApp;
let community: Community;
let ada: Participant;
let bob: Participant;
let stranger: Participant;
let blockedToken: string;
let operations: Map<string, Operation>;
let ids: Record<'question' | 'answer' | 'comment' | 'questionComment' | 'newspost', string>;

const openToAll = { anonymous: 'seen', stranger: 'seen' } as const;
const ownThings = { anonymous: 'UNAUTHENTICATED', stranger: 'seen' } as const;
const membersOnly = { anonymous: 'UNAUTHENTICATED', stranger: 'FORBIDDEN' } as const;
const forRoles = { anonymous: 'UNAUTHENTICATED', stranger: 'FORBIDDEN' } as const;
const space = (): string => community.spaceId;

const SEEN_CASE = { revision: 0, openReports: 1 };
const rulingValues = () => ({ postId: ids.question, reason: 'mine', seen: SEEN_CASE });

/** Every operation of the schema. One that is not here fails the first test. */
const ENTRIES: Readonly<Record<string, Entry>> = {
  login: { values: () => ({ userName: 'nobody_here', password: 'wrong password' }), ...openToAll },
  getStudent: { values: () => ({ userName: bob.student.userName }), ...openToAll },
  checkUserName: { values: () => ({ userName: 'free_name' }), ...openToAll },
  getAvatars: { values: () => ({}), ...openToAll },
  getSpaces: { values: () => ({}), ...ownThings },
  getStudentSpaces: { values: () => ({}), ...ownThings },
  getSubjectsForSpace: { values: () => ({ id: space() }), ...membersOnly },
  getSubjectTopics: { values: () => ({ subjects: [community.subjectId] }), ...membersOnly },
  getPopularTopics: { values: () => ({ spaceId: space() }), ...membersOnly },
  searchUsers: { values: () => ({ space: space(), search: 'a' }), ...membersOnly },
  searchTopics: { values: () => ({ space: space(), search: 'a' }), ...membersOnly },
  searchQuestions: { values: () => ({ search: 'set', queryVals: { space: space() } }), ...membersOnly },
  searchAnswers: { values: () => ({ search: 'so', space: space() }), ...membersOnly },
  getSimilarQuestions: { values: () => ({ title: 'group', space: space() }), ...membersOnly },
  getPaginatedQuestions: { values: () => ({ queryVals: { space: space() } }), ...membersOnly },
  getPaginatedSavedQuestions: { values: () => ({ space: space() }), ...membersOnly },
  // Ids that the caller saved: they tell nothing about the space.
  getAllSavedQuestions: { values: () => ({ spaceId: space() }), ...ownThings },
  getUnsolvedQuestions: { values: () => ({ spaceId: space() }), ...membersOnly },
  getQuestionById: { values: () => ({ questionId: ids.question }), ...openToAll },
  getQuestionByIdWithUserAuthorization: { values: () => ({ questionId: ids.question }), ...ownThings },
  getPaginatedAnswers: { values: () => ({ questions: [ids.question] }), ...openToAll },
  getPaginatedComments: { values: () => ({ answers: [ids.answer] }), ...openToAll },
  getPaginatedQuestionComments: { values: () => ({ question: ids.question }), ...openToAll },
  getPaginatedPostReports: { values: () => ({ postType: 'QUESTION' }), ...ownThings },
  getPaginatedLeaderboardScores: { values: () => ({ space: space() }), ...membersOnly },
  getLeaderboardScores: { values: () => ({ space: space() }), ...membersOnly },
  getPaginatedNotifications: { values: () => ({ space: space() }), ...membersOnly },
  getNewNotificationCount: { values: () => ({ space: space() }), ...membersOnly },
  getPaginatedStudentActivities: { values: () => ({ space: space() }), ...membersOnly },
  getScoreExplanation: { values: () => ({ space: space() }), ...membersOnly },
  getOwnScoreHistory: { values: () => ({ space: space() }), ...membersOnly },
  getScoringRules: { values: () => ({}), ...ownThings },
  getScoringVersions: { values: () => ({}), ...forRoles },
  getScoringDraft: { values: () => ({}), ...forRoles },
  saveScoringDraft: {
    values: () => ({ draft: { basedOn: 1, reportThreshold: 3, weights: [] } }),
    ...forRoles,
  },
  discardScoringDraft: { values: () => ({ revision: randomUUID() }), ...forRoles },
  publishScoringDraft: {
    values: () => ({ revision: randomUUID(), expectedVersion: 1, note: 'New' }),
    ...forRoles,
  },
  tryScoringDraft: { values: () => ({ revision: randomUUID() }), ...forRoles },
  stopScoringTrial: { values: () => ({}), ...forRoles },
  getScoringTrial: { values: () => ({ trial: randomUUID() }), ...forRoles },
  getScoringMoves: { values: () => ({ trial: randomUUID() }), ...forRoles },
  getLeaderboardUnderRules: { values: () => ({ version: 1, space: space() }), ...forRoles },
  getSpaceStatistics: { values: () => ({ space: space() }), ...membersOnly },
  getSolvedShare: { values: () => ({ space: space() }), ...membersOnly },
  getPaginatedNewsposts: { values: () => ({ space: space() }), ...membersOnly },
  getStudentDetail: { values: () => ({ studentId: bob.student.studentId, space: space() }), ...membersOnly },
  getStudentPosts: { values: () => ({ student: bob.student.studentId, space: space() }), ...membersOnly },
  getPresignedS3Url: { values: () => ({}), anonymous: 'UNAUTHENTICATED', stranger: 'seen' },
  createStudent: { values: () => ({ phone: newPhone() }), ...openToAll },
  sendOTP: { values: () => ({ phone: newPhone() }), anonymous: 'NOT_FOUND', stranger: 'NOT_FOUND' },
  createSendChallenge: { values: () => ({}), ...openToAll },
  verifyOTP: { values: () => ({ phone: newPhone(), verificationCode: '0000' }), ...openToAll },
  updateStudent: {
    values: () => ({ id: bob.student.studentId, firstName: 'Eve' }),
    anonymous: 'UNAUTHENTICATED',
    stranger: 'FORBIDDEN',
  },
  changePassword: {
    values: () => ({ password: 'a new password', oldPassword: 'not the old one' }),
    anonymous: 'UNAUTHENTICATED',
    stranger: 'VALIDATION_FAILED',
  },
  logout: { values: () => ({}), ...ownThings },
  getSessions: { values: () => ({}), ...ownThings },
  getSecurityLog: { values: () => ({}), ...ownThings },
  getStaffSecurityLog: { values: () => ({ studentId: bob.student.studentId }), ...forRoles },
  endSession: { values: () => ({ id: randomUUID() }), ...ownThings },
  endOtherSessions: { values: () => ({}), ...ownThings },
  getSecondFactor: { values: () => ({}), ...ownThings },
  startTotp: {
    values: () => ({ password: 'not the password' }),
    anonymous: 'UNAUTHENTICATED',
    stranger: 'VALIDATION_FAILED',
  },
  // Nothing was begun.
  finishTotp: { values: () => ({ code: '000000' }), anonymous: 'UNAUTHENTICATED', stranger: 'FORBIDDEN' },
  startPasskey: {
    values: () => ({ password: 'not the password' }),
    anonymous: 'UNAUTHENTICATED',
    stranger: 'VALIDATION_FAILED',
  },
  finishPasskey: {
    values: () => ({ name: 'Laptop', passkey: '{}' }),
    anonymous: 'UNAUTHENTICATED',
    stranger: 'FORBIDDEN',
  },
  renameTotp: { values: () => ({ name: 'Phone' }), ...ownThings },
  renamePasskey: { values: () => ({ id: randomUUID(), name: 'Phone' }), ...ownThings },
  removeTotp: { values: () => ({}), ...ownThings },
  removePasskey: { values: () => ({ id: randomUUID() }), ...ownThings },
  // None was given.
  renewRecoveryCodes: { values: () => ({}), anonymous: 'UNAUTHENTICATED', stranger: 'FORBIDDEN' },
  confirmSecondFactor: {
    values: () => ({ code: '000000' }),
    anonymous: 'UNAUTHENTICATED',
    stranger: 'VALIDATION_FAILED',
  },
  startPasskeyConfirmation: { values: () => ({}), ...ownThings },
  dismissSecondFactorReset: { values: () => ({}), ...ownThings },
  finishSecondFactor: {
    values: () => ({ ticket: 'made up', code: '000000' }),
    anonymous: 'FORBIDDEN',
    stranger: 'FORBIDDEN',
  },
  startPasskeySignIn: {
    values: () => ({ ticket: 'made up' }),
    anonymous: 'FORBIDDEN',
    stranger: 'FORBIDDEN',
  },
  resetSecondFactor: { values: () => ({ studentId: bob.student.studentId, reason: 'mine' }), ...forRoles },
  getSignInProviders: { values: () => ({}), ...openToAll },
  // No provider is configured here.
  startSignIn: { values: () => ({ provider: 'first' }), anonymous: 'NOT_FOUND', stranger: 'NOT_FOUND' },
  finishSignIn: {
    values: () => ({ code: 'made up', secret: 'made up' }),
    anonymous: 'FORBIDDEN',
    stranger: 'FORBIDDEN',
  },
  registerByEmail: {
    values: () => ({
      email: `${randomUUID()}@example.org`,
      userName: 'free_name',
      password: 'a new password',
    }),
    ...openToAll,
  },
  confirmEmail: {
    values: () => ({ token: 'made up', password: 'a new password' }),
    anonymous: 'FORBIDDEN',
    stranger: 'FORBIDDEN',
  },
  forgotPassword: { values: () => ({ email: `${randomUUID()}@example.org` }), ...openToAll },
  resetPassword: {
    values: () => ({ token: 'made up', password: 'a new password' }),
    anonymous: 'FORBIDDEN',
    stranger: 'FORBIDDEN',
  },
  createQuestion: {
    values: () => ({ subject: community.subjectId, topic: community.topicId, space: space(), title: 'Why?' }),
    ...membersOnly,
  },
  createTopic: { values: () => ({ topicName: 'Fields', subject: community.subjectId }), ...membersOnly },
  updateQuestion: { values: () => ({ id: ids.question, title: 'Mine' }), ...membersOnly },
  createAnswer: { values: () => ({ body: '<p>So.</p>', questionId: ids.question }), ...membersOnly },
  updateAnswer: { values: () => ({ id: ids.answer, body: '<p>Mine</p>' }), ...membersOnly },
  createComment: { values: () => ({ body: 'So?', answerId: ids.answer }), ...membersOnly },
  createQuestionComment: { values: () => ({ body: 'So?', questionId: ids.question }), ...membersOnly },
  deleteQuestionById: { values: () => ({ id: ids.question, reason: 'mine' }), ...membersOnly },
  deleteAnswerById: { values: () => ({ id: ids.answer, reason: 'mine' }), ...membersOnly },
  deleteCommentById: { values: () => ({ id: ids.comment, reason: 'mine' }), ...membersOnly },
  deleteQuestionCommentById: { values: () => ({ id: ids.questionComment, reason: 'mine' }), ...membersOnly },
  upvoteQuestion: { values: () => ({ questionId: ids.question }), ...membersOnly },
  downvoteQuestion: { values: () => ({ questionId: ids.question }), ...membersOnly },
  upvoteAnswer: { values: () => ({ answerId: ids.answer }), ...membersOnly },
  downvoteAnswer: { values: () => ({ answerId: ids.answer }), ...membersOnly },
  saveQuestion: { values: () => ({ questionId: ids.question }), ...membersOnly },
  // One's own list can always be tidied, also after leaving.
  unsaveQuestion: { values: () => ({ questionId: ids.question }), ...ownThings },
  acceptAnswer: { values: () => ({ answerId: ids.answer, questionId: ids.question }), ...membersOnly },
  reportPost: {
    values: () => ({ postId: ids.question, postType: 'QUESTION', reason: 'Its spam' }),
    ...membersOnly,
  },
  likeNewspost: { values: () => ({ newspostId: ids.newspost }), ...membersOnly },
  saveNewspost: { values: () => ({ newspostId: ids.newspost }), ...membersOnly },
  publishNewspost: { values: () => ({ title: 'Mine', body: '<p>Mine</p>', space: space() }), ...forRoles },
  updateNewspost: { values: () => ({ id: ids.newspost, title: 'Mine', body: '<p>Mine</p>' }), ...forRoles },
  removeNewspost: { values: () => ({ id: ids.newspost }), ...forRoles },
  restoreNewspost: { values: () => ({ id: ids.newspost }), ...forRoles },
  getStudentNotes: {
    values: () => ({ studentId: bob.student.studentId, space: space() }),
    ...forRoles,
  },
  writeStudentNote: {
    values: () => ({ studentId: bob.student.studentId, space: space(), text: 'mine' }),
    ...forRoles,
  },
  removeStudentNote: {
    values: () => ({ studentId: bob.student.studentId, space: space(), note: randomUUID() }),
    ...forRoles,
  },
  blockStudent: {
    values: () => ({ studentId: bob.student.studentId, space: space(), reason: 'mine' }),
    ...forRoles,
  },
  unblockStudent: {
    values: () => ({ studentId: bob.student.studentId, space: space(), reason: 'A mistake' }),
    ...forRoles,
  },
  getLeaderboardAsOf: { values: () => ({ space: space(), asOf: { ordinal: 1 } }), ...forRoles },
  getScoreAsOf: {
    values: () => ({ space: space(), studentId: bob.student.studentId, asOf: { ordinal: 1 } }),
    ...forRoles,
  },
  getHistoryRange: { values: () => ({ space: space() }), ...forRoles },
  getQuestionAsOf: { values: () => ({ questionId: ids.question, asOf: { ordinal: 1 } }), ...forRoles },
  getQuestionHistoryRange: { values: () => ({ questionId: ids.question }), ...forRoles },
  getAuditEntries: {
    values: () => ({ filter: { space: space(), post: ids.question }, first: 10, after: 'MTow' }),
    ...forRoles,
  },
  getAuditEntry: { values: () => ({ ordinal: 1 }), ...forRoles },
  getLogProof: { values: () => ({}), ...forRoles },
  getManagedSpaces: { values: () => ({}), ...forRoles },
  getManagedSpace: { values: () => ({ id: space() }), ...forRoles },
  getManagedSubjects: { values: () => ({ space: space() }), ...forRoles },
  getManagedTopics: { values: () => ({ subject: community.subjectId }), ...forRoles },
  getManagedAvatars: { values: () => ({}), ...forRoles },
  getManagedStudents: { values: () => ({ search: 'a' }), ...forRoles },
  getManagedNews: { values: () => ({}), ...forRoles },
  getRoleHolders: { values: () => ({}), ...forRoles },
  createSpace: { values: () => ({ details: { name: 'Mine', color: '000000' } }), ...forRoles },
  changeSpace: { values: () => ({ id: space(), change: { name: 'Mine' } }), ...forRoles },
  addSubject: { values: () => ({ space: space(), subjectName: 'Mine', color: '000000' }), ...forRoles },
  changeSubject: {
    values: () => ({ id: community.subjectId, change: { subjectName: 'Mine' } }),
    ...forRoles,
  },
  addTopic: { values: () => ({ subject: community.subjectId, topicName: 'Mine' }), ...forRoles },
  changeTopic: { values: () => ({ id: community.topicId, change: { topicName: 'Mine' } }), ...forRoles },
  addAvatar: { values: () => ({ group: 'mine', label: 'mine', imageUrl: '/media/mine.webp' }), ...forRoles },
  changeAvatar: { values: () => ({ id: 'animals/bear', change: { label: 'mine' } }), ...forRoles },
  retireAvatar: { values: () => ({ id: 'animals/bear' }), ...forRoles },
  restoreAvatar: { values: () => ({ id: 'animals/bear' }), ...forRoles },
  grantRole: { values: () => ({ studentId: bob.student.studentId, role: 'MAINTAINER' }), ...forRoles },
  revokeRole: { values: () => ({ studentId: bob.student.studentId, role: 'MODERATOR' }), ...forRoles },
  blockAccount: { values: () => ({ studentId: bob.student.studentId, reason: 'mine' }), ...forRoles },
  unblockAccount: {
    values: () => ({ studentId: bob.student.studentId, reason: 'A mistake' }),
    ...forRoles,
  },
  getModerationQueue: { values: () => ({ space: space() }), ...forRoles },
  getModerationCase: { values: () => ({ postId: ids.question }), ...forRoles },
  getOwnRemovals: { values: () => ({ questionId: ids.question }), ...ownThings },
  getSpaceModerators: { values: () => ({ space: space() }), ...forRoles },
  upholdReports: { values: rulingValues, ...forRoles },
  dismissReports: { values: rulingValues, ...forRoles },
  reverseUpholding: { values: rulingValues, ...forRoles },
  getProjections: { values: () => ({}), ...forRoles },
  getProjection: { values: () => ({ name: 'news' }), ...forRoles },
  rebuildProjections: { values: () => ({ names: ['news'] }), ...forRoles },
  cancelRebuild: { values: () => ({ name: 'news' }), ...forRoles },
  switchProjection: { values: () => ({ name: 'news', generation: 1 }), ...forRoles },
  verifyProjection: { values: () => ({ name: 'news' }), ...forRoles },
  cancelVerification: { values: () => ({ name: 'news' }), ...forRoles },
  retryProjection: { values: () => ({ name: 'news' }), ...forRoles },
  skipProjectionEvent: { values: () => ({ name: 'news', eventId: 'x', reason: 'y' }), ...forRoles },
  handOverReports: { values: () => ({ postId: ids.question, seen: SEEN_CASE }), ...forRoles },
  getVotePatterns: { values: () => ({ space: space() }), ...forRoles },
  getVotePattern: { values: () => ({ space: space(), pattern: 'ring-0000000000000000' }), ...forRoles },
  getVotesToJudge: { values: () => ({ space: space() }), ...forRoles },
  getScoreNotices: { values: () => ({ space: space() }), ...membersOnly },
  previewInvalidation: {
    values: () => ({ votes: [{ postId: ids.question, voterId: bob.student.studentId }] }),
    ...forRoles,
  },
  invalidateVotes: {
    values: () => ({
      votes: [{ postId: ids.question, voterId: bob.student.studentId }],
      category: 'OTHER',
      reason: 'mine',
      fingerprint: 'mine',
    }),
    ...forRoles,
  },
  previewReversal: { values: () => ({ caseId: randomUUID() }), ...forRoles },
  reverseInvalidation: { values: () => ({ caseId: randomUUID(), reason: 'mine' }), ...forRoles },
  getInvalidationCases: { values: () => ({}), ...forRoles },
  getInvalidationCase: { values: () => ({ caseId: randomUUID() }), ...forRoles },
  markNotificationsSeen: { values: () => ({ space: space() }), ...membersOnly },
  joinSpace: {
    values: () => ({ spaceId: randomUUID() }),
    anonymous: 'UNAUTHENTICATED',
    stranger: 'NOT_FOUND',
  },
  leaveSpace: { values: () => ({ spaceId: space() }), ...ownThings },
};

/** Names that say who acts. */
const ACTORS = new Set(['author', 'userId', 'studentId', 'student', 'notifyTo']);
/** Whose score or posts are asked for is no actor: members see each other's. */
const MAY_NAME_OTHERS = new Set([
  'getLeaderboardScores',
  'getPaginatedStudentActivities',
  'getStudentDetail',
  'getStudentPosts',
  // For moderators.
  'getScoreExplanation',
  'getScoreAsOf',
  'blockStudent',
  'unblockStudent',
  'getStudentNotes',
  'writeStudentNote',
  'removeStudentNote',
  // For maintainers.
  'grantRole',
  'revokeRole',
  'resetSecondFactor',
  'blockAccount',
  'unblockAccount',
]);

const LONG = 'x'.repeat(100_000);
const NASTY: readonly unknown[] = [
  '',
  ' ',
  'x',
  '\u0000',
  'a\u0000b',
  '\ud800',
  '\u202e\u200f\ufeff',
  '%_\\',
  "'; drop table log.events; --",
  '../../etc/passwd',
  '{"$gt": ""}',
  'NaN',
  LONG,
];
const NASTY_NUMBERS: readonly unknown[] = [-1, 0, 2_147_483_647, -2_147_483_648];

beforeAll(async () => {
  app = await bootApp();
  community = await newCommunity(app, 2);
  const [first, second] = community.members;
  if (!first || !second) throw new Error('there are no members');
  ada = new Participant(app, first, community);
  bob = new Participant(app, second, community);
  stranger = new Participant(app, await app.signUp(), community);
  const blocked = await app.signUp();
  await app.execute(new BlockStudent(app.operator(), blocked.studentId, 'spam'));
  blockedToken = blocked.token;
  const question = await ada.ask();
  const answer = await bob.answer(question);
  const [comment, questionComment] = [
    await bob.commentOnAnswer(answer),
    await bob.commentOnQuestion(question),
  ];
  const newspost = await publishNews();
  ids = { question, answer, comment, questionComment, newspost };
  operations = readOperations();
}, 60_000);
afterAll(() => app.close());

async function publishNews(): Promise<string> {
  const moderator = await app.signUp();
  await app.grantRole(moderator.studentId, 'MODERATOR', space());
  const { data, errors } = await new Participant(app, moderator, community).mutate(
    `publishNewspost(title: "News", body: "<p>News</p>", space: "${space()}") { _id }`,
  );
  if (errors) throw new Error(JSON.stringify(errors));
  return data.done._id;
}

function readOperations(): Map<string, Operation> {
  const { schema } = app.api.get(GraphQLSchemaHost, { strict: false });
  const all = new Map<string, Operation>();
  for (const [kind, type] of [
    ['query', schema.getQueryType()],
    ['mutation', schema.getMutationType()],
  ] as const) {
    for (const { name, args, type: answer } of Object.values(type?.getFields() ?? {})) {
      const isLeaf = !('getFields' in getNamedType(answer));
      all.set(name, { kind, name, args, selection: isLeaf ? '' : ' { __typename }' });
    }
  }
  return all;
}

function call(name: string, values: Values, token?: string): Promise<GraphqlAnswer> {
  const operation = operations.get(name);
  if (!operation) throw new Error(`the schema has no ${name}`);
  const args = operation.args.filter((arg) => arg.name in values);
  const declared = args.map((arg) => `$${arg.name}: ${String(arg.type)}`).join(', ');
  const passed = args.map((arg) => `${arg.name}: $${arg.name}`).join(', ');
  const [head, body] = args.length === 0 ? ['', ''] : [`(${declared})`, `(${passed})`];
  return app.graphql(
    `${operation.kind}${head} { done: ${name}${body}${operation.selection} }`,
    { ...values },
    token,
  );
}

const outcomeOf = ({ errors }: GraphqlAnswer): string => errors?.[0]?.extensions.code ?? 'seen';

describe('every operation', () => {
  it('has an entry here', () => {
    expect([...operations.keys()].sort()).toEqual(Object.keys(ENTRIES).sort());
  });

  it.each(Object.keys(ENTRIES))('%s treats outsiders as it should', async (name) => {
    const entry = ENTRIES[name];
    if (!entry) throw new Error(`no entry ${name}`);
    const outcomes: Record<string, string> = {};
    for (const [who, token] of [
      ['nobody', undefined],
      ['a wrong token', 'A'.repeat(43)],
      ['no token at all', 'null'],
      ['somebody blocked', blockedToken],
    ] as const)
      outcomes[who] = outcomeOf(await call(name, entry.values(), token));
    const { token } = name === 'logout' ? await app.signUp() : stranger.student;
    outcomes['a stranger'] = outcomeOf(await call(name, entry.values(), token));
    expect(outcomes).toEqual({
      nobody: entry.anonymous,
      'a wrong token': entry.anonymous,
      'no token at all': entry.anonymous,
      'somebody blocked': entry.anonymous,
      'a stranger': entry.stranger,
    });
  });

  it.each(Object.keys(ENTRIES))('%s lets nobody act as somebody else', async (name) => {
    const operation = operations.get(name);
    const entry = ENTRIES[name];
    const actors = (operation?.args ?? []).filter(
      (arg) => ACTORS.has(arg.name) && !MAY_NAME_OTHERS.has(name),
    );
    for (const actor of actors) {
      const values = { ...entry?.values(), [actor.name]: ada.student.studentId };
      expect([actor.name, outcomeOf(await call(name, values, bob.student.token))]).toEqual([
        actor.name,
        'FORBIDDEN',
      ]);
    }
  });

  it.each(Object.keys(ENTRIES).filter((name) => name !== 'logout'))(
    '%s answers nonsense clearly',
    async (name) => {
      const operation = operations.get(name);
      const entry = ENTRIES[name];
      const failures: unknown[] = [];
      for (const [values, what] of nonsenseFor(operation?.args ?? [], entry?.values() ?? {})) {
        const { status, errors } = await call(name, values, bob.student.token);
        for (const { message, extensions } of errors ?? []) {
          const isOurs = extensions.code === 'INTERNAL' || extensions.code === 'UNAVAILABLE';
          if (isOurs || /\bat .+:\d+|node_modules|syntax error|relation/i.test(message))
            failures.push([what, message, extensions]);
        }
        if (status >= 500) failures.push([what, status]);
      }
      expect(failures).toEqual([]);
    },
    60_000,
  );

  it('leaves the read side alive after all this', async () => {
    const { rows } = await app.pool.query(
      'select name, error from read.projection_generations where error is not null',
    );
    expect(rows).toEqual([]);
    expect(await ada.ask({ title: 'Still there?' })).toEqual(expect.any(String));
  });
});

/** The right values with one of them replaced by something that no screen would send. */
function* nonsenseFor(args: readonly GraphQLArgument[], right: Values): Generator<[Values, string]> {
  for (const arg of args) {
    const type = getNamedType(arg.type);
    const isList = String(arg.type).startsWith('[');
    if (isInputObjectType(type)) {
      for (const field of Object.values(type.getFields())) {
        const nasty = getNamedType(field.type).name === 'Int' ? NASTY_NUMBERS : NASTY;
        if (getNamedType(field.type).name === 'Boolean') continue;
        const given = (right[arg.name] ?? {}) as Values;
        for (const value of nasty)
          yield [
            { ...right, [arg.name]: { ...given, [field.name]: value } },
            `${arg.name}.${field.name}: ${shown(value)}`,
          ];
      }
      continue;
    }
    if (['Boolean', 'PostType', 'TopicType', 'OtpPurpose'].includes(type.name)) continue;
    for (const value of type.name === 'Int' ? NASTY_NUMBERS : NASTY)
      yield [{ ...right, [arg.name]: isList ? [value] : value }, `${arg.name}: ${shown(value)}`];
    if (isList)
      yield [
        { ...right, [arg.name]: Array.from({ length: 1_000 }, () => randomUUID()) },
        `${arg.name}: many`,
      ];
  }
}

const shown = (value: unknown): string => JSON.stringify(value).slice(0, 40);

describe('one request', () => {
  it.each([
    [
      'aliases',
      `{ ${Array.from({ length: 500 }, (_, place) => `a${place}: checkUserName(userName: "x")`).join(' ')} }`,
    ],
    [
      'aliased log-ins',
      `{ ${Array.from({ length: 100 }, (_, place) => `a${place}: login(userName: "x", password: "y") { error }`).join(' ')} }`,
    ],
    [
      'aliased votes',
      `mutation { ${Array.from({ length: 6 }, (_, place) => `a${place}: logout { flag }`).join(' ')} }`,
    ],
    ['brackets', `${'{ __schema '.repeat(300)}${'}'.repeat(300)}`],
    ['nothing', ''],
    ['an unknown field', '{ secrets }'],
    ['a half', '{ getSpaces {'],
  ])('of %s is refused as one', async (_, query) => {
    const { status, errors, data } = await app.graphql(query, {}, bob.student.token);
    expect(status).toBeLessThan(500);
    expect(errors?.[0]?.extensions.code).toBe('VALIDATION_FAILED');
    expect(data).toBeFalsy();
  });

  it('of many operations in a batch is refused', async () => {
    const response = await app
      .http()
      .post('/graphql')
      .send(Array.from({ length: 50 }, () => ({ query: '{ getAvatars { category } }' })));
    expect(response.status).toBeGreaterThanOrEqual(400);
    expect(response.status).toBeLessThan(500);
    expect(response.body.errors[0].extensions.code).toBe('VALIDATION_FAILED');
  });

  it('takes no text that no database could keep, in a variable or in the document', async () => {
    const { subjectId: subject, topicId: topic, spaceId: space } = community;
    const message = 'title holds something that is no text.';
    for (const title of ['a\u0000b', '\ud800']) {
      const { errors } = await call('createQuestion', { subject, topic, space, title }, ada.student.token);
      expect(errors).toEqual([
        { message, extensions: { code: 'VALIDATION_FAILED', field: 'title', rule: 'TEXT_UNREADABLE' } },
      ]);
    }
    const place = `subject: "${subject}", topic: "${topic}", space: "${space}"`;
    const ask = (title: string) =>
      app.graphql(`mutation { createQuestion(${place}, title: ${title}) { title } }`, {}, ada.student.token);
    expect((await ask('"a\\u0000b"')).errors?.[0]).toMatchObject({ message });
    expect((await ask('"\\ud83d\\ude00"')).data).toEqual({ createQuestion: { title: '😀' } });
  });

  it.each([
    '{"query": 1}',
    '{"query": {"a": 1}}',
    '{"variables": []}',
    'null',
    '[]',
    '"x"',
    '{"query":"{a}","variables":"x"}',
  ])('with the body %s is refused', async (body) => {
    const response = await app.http().post('/graphql').set('content-type', 'application/json').send(body);
    expect([response.status < 500, response.body.errors?.[0]?.extensions?.code]).toEqual([
      true,
      'VALIDATION_FAILED',
    ]);
  });

  it('with a strange key or token is answered like any other', async () => {
    for (const headers of [
      { 'idempotency-key': LONG.slice(0, 8_000) },
      { 'idempotency-key': "';--" },
      { authorization: 'Bearer ' },
      { authorization: `Bearer ${LONG.slice(0, 8_000)}` },
      { authorization: 'Basic dXNlcjpwYXNz' },
    ] as Record<string, string>[]) {
      const { status, errors } = await app.graphql('{ getAvatars { category } }', {}, undefined, headers);
      expect([status, errors]).toEqual([200, undefined]);
    }
  });
});
