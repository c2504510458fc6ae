import { randomUUID } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { GraphQLSchemaHost } from '@nestjs/graphql';
import { parse, type GraphQLField } from 'graphql';
import sharp from 'sharp';
import { bootApp, type SignedUpStudent, type TestApp } from '../../../../../test/app.js';
import { newCommunity, newMember, newSpace, type Community } from '../../../../../test/community.js';
import { listenTo, untilHeard, untilListening } from '../../../../../test/servers/listener.js';
import { Participant } from '../../../../../test/participant.js';
import { selectionOf } from '../../../../../test/schema/selections.js';
import { RemoveMember, RequestEntry } from './commands/request-entry.js';
import { LeaveSpace } from './commands/join-space.js';

type Values = Readonly<Record<string, unknown>>;
/** Marks content that only members may see. */
const MARKER = `zq${randomUUID().slice(0, 6)}`;
const TITLE = `${MARKER}title of a question`;
const BODY = `<p>${MARKER}body</p>`;

let app: TestApp;
let community: Community;
let ada: Participant;
let bob: Participant;
let webFolder: string;
let queries: Readonly<Record<string, GraphQLField<unknown, unknown>>>;
let picture: string;
let banner: string;
const ids = { question: '', answer: '', newspost: '' };
const outsiders = new Map<string, SignedUpStudent | undefined>();
let moderator: SignedUpStudent;

beforeAll(async () => {
  webFolder = await mkdtemp(join(tmpdir(), 'nimo-web-'));
  await writeFile(join(webFolder, 'index.html'), '<title>Nimo</title><div id="root"></div>');
  app = await bootApp({ PUBLIC_URL: 'https://nimo.example/' }, { webFolder });
  community = await newCommunity(app, 0, { entry: 'REQUEST', publicPages: true });
  const { spaceId } = community;
  const people = await Promise.all([1, 2].map(() => app.signUp({ firstName: `${MARKER}name` })));
  for (const student of people) await joined(student);
  [ada, bob] = people.map((student) => new Participant(app, student, community)) as [
    Participant,
    Participant,
  ];
  await fillSpace();
  await inviteOutsiders();
  const maintainer = await app.signUp();
  await app.grantRole(maintainer.studentId, 'MAINTAINER');
  outsiders.set('a maintainer', maintainer);
  moderator = await app.signUp();
  await app.grantRole(moderator.studentId, 'MODERATOR', spaceId);
  const { schema } = app.api.get(GraphQLSchemaHost, { strict: false });
  queries = schema.getQueryType()?.getFields() ?? {};
  await app.caughtUp();
});
afterAll(async () => {
  await app.close();
  await rm(webFolder, { recursive: true });
});

const joined = async (student: SignedUpStudent) => {
  const { JoinSpace } = await import('./commands/join-space.js');
  await app.execute(new JoinSpace(app.contextOf(student.studentId), community.spaceId, true));
};

async function fillSpace(): Promise<void> {
  picture = await uploaded(ada);
  ids.question = await ada.ask({ title: TITLE, body: BODY, imageUrls: [picture] });
  ids.answer = await bob.answer(ids.question, BODY);
  await bob.commentOnQuestion(ids.question, `${MARKER}comment`);
  await ada.commentOnAnswer(ids.answer, `${MARKER}comment`);
  await bob.perform(`saveQuestion(questionId: "${ids.question}") { _id }`);
  await bob.perform(`upvoteQuestion(questionId: "${ids.question}") { _id }`);
  const writer = await app.signUp();
  await app.grantRole(writer.studentId, 'MODERATOR', community.spaceId);
  const { _id } = await new Participant(app, writer, community).perform(
    `publishNewspost(title: "${MARKER}news", body: "${BODY}", space: "${community.spaceId}") { _id }`,
  );
  ids.newspost = _id;
  const maintainer = await app.signUp();
  await app.grantRole(maintainer.studentId, 'MAINTAINER');
  const keeper = new Participant(app, maintainer, community);
  banner = await uploaded(keeper);
  await keeper.perform(
    `changeSpace(id: "${community.spaceId}", change: { bannerImageUrl: "${banner}" }) { act }`,
  );
}

async function inviteOutsiders(): Promise<void> {
  const { spaceId } = community;
  outsiders.set('an anonymous visitor', undefined);
  outsiders.set('a student of another space', await newMember(app, await newSpace(app)));
  const left = await app.signUp();
  const removed = await app.signUp();
  for (const student of [left, removed]) {
    await joined(student);
    const was = new Participant(app, student, community);
    await was.perform(`saveQuestion(questionId: "${ids.question}") { _id }`);
    await was.perform(`upvoteQuestion(questionId: "${ids.question}") { _id }`);
    await was.perform(`likeNewspost(newspostId: "${ids.newspost}") { _id }`);
    await was.perform(`saveNewspost(newspostId: "${ids.newspost}") { _id }`);
  }
  await app.execute(new LeaveSpace(app.contextOf(left.studentId), spaceId));
  const reason = 'Left the school';
  await app.execute(new RemoveMember(app.operator(), { spaceId, studentId: removed.studentId, reason }));
  outsiders.set('a student who left', left);
  outsiders.set('a removed student', removed);
  const asker = await app.signUp();
  await app.execute(new RequestEntry(app.contextOf(asker.studentId), spaceId, 'Please'));
  outsiders.set('an applicant', asker);
  const elsewhere = await app.signUp();
  await app.grantRole(elsewhere.studentId, 'MODERATOR', await newSpace(app));
  outsiders.set('a moderator of another space', elsewhere);
}

async function uploaded(by: Participant): Promise<string> {
  const png = await sharp({ create: { width: 8, height: 8, channels: 3, background: '#c33' } })
    .png()
    .toBuffer();
  const { url, key } = await by.query<{ url: string; key: string }>(
    'getPresignedS3Url(contentType: "image/png") { url key }',
  );
  expect((await app.http().put(url).set('content-type', 'image/png').send(png)).status).toBe(200);
  return `/media/${key}`;
}

const space = () => ({ space: community.spaceId });
const now = () => new Date().toISOString();
const ofAda = () => ada.student.studentId;
const NOT_OF_SPACES = "concerns the caller's account or the whole installation";
const FOR_MAINTAINERS = 'for maintainers only';
const FOR_MODERATORS = 'limited to spaces the caller moderates';

/**
 * How to query each read of the schema for content of the space, and what members see. A string says why the read has none.
 * New reads must be added here.
 */
const READS: Readonly<
  Record<
    string,
    | string
    | {
        readonly of: () => Values;
        readonly shows?: 'members';
        readonly depth?: number;
        readonly except?: string;
      }
  >
> = {
  login: NOT_OF_SPACES,
  checkUserName: NOT_OF_SPACES,
  isEmailConfirmed: NOT_OF_SPACES,
  getAvatars: NOT_OF_SPACES,
  getPresignedS3Url: NOT_OF_SPACES,
  getSecondFactor: NOT_OF_SPACES,
  getSecurityLog: NOT_OF_SPACES,
  getOwnErasure: NOT_OF_SPACES,
  getOwnExport: NOT_OF_SPACES,
  getStaffSecurityLog: NOT_OF_SPACES,
  getSessions: NOT_OF_SPACES,
  getSignInProviders: NOT_OF_SPACES,
  getTerms: NOT_OF_SPACES,
  getScoringRules: NOT_OF_SPACES,
  getScoringVersions: NOT_OF_SPACES,
  getScoringDraft: NOT_OF_SPACES,
  getScoringTrial: FOR_MAINTAINERS,
  getScoringMoves: FOR_MAINTAINERS,
  getLeaderboardUnderRules: FOR_MAINTAINERS,
  getLogEvent: FOR_MAINTAINERS,
  getLogEvents: FOR_MAINTAINERS,
  getLogStream: FOR_MAINTAINERS,
  getLogFilters: NOT_OF_SPACES,
  getLogProof: NOT_OF_SPACES,
  getProjection: NOT_OF_SPACES,
  getProjections: NOT_OF_SPACES,
  getStoppedEvents: NOT_OF_SPACES,
  getRoleHolders: FOR_MAINTAINERS,
  getManagedAvatars: FOR_MAINTAINERS,
  getManagedNews: FOR_MAINTAINERS,
  getManagedSpace: FOR_MAINTAINERS,
  getManagedSpaces: FOR_MAINTAINERS,
  getManagedStudents: FOR_MAINTAINERS,
  getManagedSubjects: FOR_MAINTAINERS,
  getManagedTopics: FOR_MAINTAINERS,
  getAuditEntry: FOR_MODERATORS,
  getPostsRemoval: FOR_MODERATORS,
  getPostsRemovals: FOR_MODERATORS,
  previewPostsRemoval: FOR_MODERATORS,
  getInvalidationCase: FOR_MODERATORS,
  getInvalidationCases: FOR_MODERATORS,
  previewInvalidation: FOR_MODERATORS,
  previewReversal: FOR_MODERATORS,
  // Maintainers can audit every staff action.
  getAuditEntries: { of: () => ({ filter: { space: community.spaceId } }), except: 'a maintainer' },
  getAuditTotals: { of: () => ({ filter: { space: community.spaceId } }), except: 'a maintainer' },
  getStudent: { of: () => ({ userName: ada.student.userName }) },
  getSpaces: { of: () => ({}) },
  getStudentSpaces: { of: () => ({}) },
  getSubjectsForSpace: { of: () => ({ id: community.spaceId }) },
  getSubjectTopics: { of: () => ({ subjects: [community.subjectId] }) },
  getPopularTopics: { of: () => ({ spaceId: community.spaceId }) },
  searchUsers: { of: () => ({ ...space(), search: '' }), shows: 'members' },
  searchTopics: { of: () => ({ ...space(), search: 'groups' }) },
  searchQuestions: { of: () => ({ search: 'question', queryVals: space() }) },
  searchAnswers: { of: () => ({ search: `${MARKER}body`, ...space() }) },
  getSimilarQuestions: { of: () => ({ title: TITLE, ...space() }) },
  getPaginatedQuestions: { of: () => ({ queryVals: space() }), shows: 'members' },
  getPaginatedSavedQuestions: { of: space, shows: 'members' },
  getAllSavedQuestions: { of: () => ({ spaceId: community.spaceId }), shows: 'members' },
  getUnsolvedQuestions: { of: () => ({ spaceId: community.spaceId }), shows: 'members' },
  getQuestionById: { of: () => ({ questionId: ids.question }), shows: 'members' },
  getQuestionByIdWithUserAuthorization: { of: () => ({ questionId: ids.question }), shows: 'members' },
  getPaginatedAnswers: { of: () => ({ questions: [ids.question] }), shows: 'members' },
  getPaginatedComments: { of: () => ({ answers: [ids.answer] }), shows: 'members' },
  getPaginatedQuestionComments: { of: () => ({ question: ids.question }), shows: 'members' },
  getPaginatedPostReports: { of: () => ({ postType: 'QUESTION' }) },
  getPaginatedLeaderboardScores: { of: space, shows: 'members' },
  getLeaderboardScores: { of: () => ({ ...space(), studentId: ofAda() }), shows: 'members' },
  getPaginatedNotifications: { of: space, shows: 'members' },
  getNewNotificationCount: { of: space },
  getPaginatedStudentActivities: { of: () => ({ ...space(), student: ofAda() }) },
  getScoreExplanation: { of: space },
  getOwnScoreHistory: { of: space },
  getScoreNotices: { of: space },
  getSpaceStatistics: { of: space },
  getSolvedShare: { of: space },
  getPaginatedNewsposts: { of: space, shows: 'members' },
  getStudentDetail: { of: () => ({ ...space(), studentId: ofAda() }), shows: 'members' },
  getStudentPosts: { of: () => ({ ...space(), student: ofAda() }), shows: 'members' },
  getOwnRemovals: { of: () => ({ questionId: ids.question }) },
  getEntryRequests: { of: space },
  getYoungerStudents: { of: space },
  getGuardianConsent: "needs a guardian's link and shows only a space's public details",
  getInvitedStudents: { of: space },
  getInvitations: { of: space },
  getClassCode: { of: () => ({ ...space(), id: randomUUID() }) },
  getInvitedSpace: "needs an invitation's secret and shows only a space's public details",
  getSpaceModerators: { of: space },
  getStudentWarnings: 'warnings in the spaces that the caller moderates',
  getStudentNotes: { of: () => ({ ...space(), studentId: ofAda() }) },
  getVotePatterns: { of: space, depth: 0 },
  getModerationCounts: 'counts for the spaces the caller moderates, without names',
  getVotePatternCounts: 'counts for the spaces the caller moderates, without names',
  getVotePattern: { of: () => ({ ...space(), pattern: 'ring-0000000000000000' }) },
  getOwnSuspension: { of: space },
  getVoteGivers: { of: () => ({ ...space(), author: ofAda() }) },
  getVotesForReview: { of: space },
  getVotesToJudge: { of: space },
  getModerationQueue: { of: space },
  getModerationCase: { of: () => ({ postId: ids.question }) },
  getHistoryRange: { of: space },
  getLeaderboardAsOf: { of: () => ({ ...space(), asOf: { at: now() } }) },
  getScoreAsOf: { of: () => ({ ...space(), studentId: ofAda(), asOf: { at: now() } }) },
  getQuestionAsOf: { of: () => ({ questionId: ids.question, asOf: { at: now() } }) },
  getQuestionHistoryRange: { of: () => ({ questionId: ids.question }) },
};
const ofSpace = Object.entries(READS).flatMap(([name, read]) =>
  typeof read === 'string' ? [] : [[name, read] as const],
);

async function ask(name: string, values: Values, token?: string, depth = 2): Promise<string> {
  const field = queries[name];
  if (!field) throw new Error(`the schema has no ${name}`);
  const args = field.args.filter((arg) => arg.name in values);
  const declared = args.map((arg) => `$${arg.name}: ${String(arg.type)}`).join(', ');
  const passed = args.map((arg) => `${arg.name}: $${arg.name}`).join(', ');
  const [head, body] = args.length === 0 ? ['', ''] : [`(${declared})`, `(${passed})`];
  const text = `query${head} { done: ${name}${body}${selectionOf(field, depth)} }`;
  parse(text);
  const { data, errors } = await app.graphql(text, { ...values }, token);
  const codes = errors?.map(({ extensions }) => extensions.code) ?? [];
  // Any other error would look like a response that reveals nothing.
  expect(codes.filter((code) => !['UNAUTHENTICATED', 'FORBIDDEN', 'NOT_FOUND'].includes(code))).toEqual([]);
  return JSON.stringify({ data, errors });
}

/** Expects no content of the space. Its public details are allowed. */
function expectNothingShown(answer: string, of: string): void {
  for (const secret of [MARKER, ids.question, ids.answer, ids.newspost, picture, banner, community.topicId])
    expect([of, answer.includes(secret)]).toEqual([of, false]);
}

describe('a space that is not open', () => {
  it('covers every read', () => {
    expect(Object.keys(queries).sort()).toEqual(Object.keys(READS).sort());
    const { schema } = app.api.get(GraphQLSchemaHost, { strict: false });
    expect(Object.keys(schema.getSubscriptionType()?.getFields() ?? {}).sort()).toEqual([
      'moderationChanged',
      'notificationArrived',
      'questionUpdated',
    ]);
  });

  it.each(ofSpace)('reveals nothing to outsiders through %s', async (name, { of, depth, except }) => {
    for (const [who, student] of [...outsiders].filter(([who]) => who !== except))
      expectNothingShown(await ask(name, of(), student?.token, depth), `${who}: ${name}`);
  });

  it.each(ofSpace.filter(([, { shows }]) => shows))(
    'shows its content to members through %s',
    async (name, { of }) => {
      const answer = await ask(name, of(), bob.student.token);
      expect([MARKER, ids.question].some((known) => answer.includes(known))).toBe(true);
    },
  );

  it('is visible to its moderators', async () => {
    for (const name of [
      'getQuestionById',
      'getPaginatedAnswers',
      'getPaginatedQuestions',
      'getQuestionAsOf',
    ]) {
      const read = READS[name];
      if (typeof read !== 'object') throw new Error(`${name} is not a read of the space`);
      expect(await ask(name, read.of(), moderator.token)).toContain(MARKER);
    }
  });

  it('shows anyone signed in its name, description and entry mode', async () => {
    for (const [who, student] of outsiders) {
      if (!student) continue;
      const { data } = await app.graphql<{ getSpaces: { _id: string }[] }>(
        '{ getSpaces { _id name description color bannerImageUrl memberCount entry joined request } }',
        {},
        student.token,
      );
      expect(data.getSpaces.find(({ _id }) => _id === community.spaceId)).toEqual({
        _id: community.spaceId,
        name: expect.any(String),
        description: 'A test space',
        color: '0f766e',
        bannerImageUrl: null,
        memberCount: null,
        entry: 'REQUEST',
        joined: false,
        request: who === 'an applicant' ? 'OPEN' : null,
      });
    }
  });

  it('has no public page and is not in the sitemap', async () => {
    for (const token of [undefined, bob.student.token]) {
      const page = app.http().get(`/question/${ids.question}`).set('accept', 'text/html');
      const { status, text } = await (token ? page.set('authorization', `Bearer ${token}`) : page);
      expect(status).toBe(404);
      expect(text).not.toContain(MARKER);
    }
    expect((await app.http().get('/sitemap.xml')).text).not.toContain(community.spaceId);
    expect((await app.http().get(`/sitemap/${community.spaceId}/1.xml`)).status).toBe(404);
  });

  it('serves its pictures only at signed URLs', async () => {
    const statusOf = async (url: string) => (await app.http().get(url)).status;
    const thumb = (url: string) => url.replace('/media/', '/media/thumb/');
    const { imageUrls, space: shown } = await bob.query<{
      imageUrls: string[];
      space: { bannerImageUrl: string };
    }>(`getQuestionById(questionId: "${ids.question}") { imageUrls space { bannerImageUrl } }`);
    for (const [signed, plain] of [
      [imageUrls[0] ?? '', picture],
      [shown.bannerImageUrl, banner],
    ] as const) {
      expect(signed.startsWith(`${plain}?until=`)).toBe(true);
      expect([await statusOf(signed), await statusOf(thumb(signed))]).toEqual([200, 200]);
      for (const url of [
        plain,
        `${plain}?until=9999999999&signature=x`,
        signed.replace(/\?until=(\d)/, '?until=9$1'),
      ])
        expect([await statusOf(url), await statusOf(thumb(url))]).toEqual([404, 404]);
    }
  });

  it('keeps the pictures of a post edited with signed URLs', async () => {
    const own = await ada.query<{ imageUrls: string[] }>(
      `getQuestionById(questionId: "${ids.question}") { imageUrls }`,
    );
    const { imageUrls } = await ada.perform<{ imageUrls: string[] }>(
      `updateQuestion(id: "${ids.question}", title: "${TITLE}", imageUrls: ${JSON.stringify(own.imageUrls)}) { imageUrls }`,
    );
    expect(imageUrls[0]?.startsWith(`${picture}?`)).toBe(true);
  });

  it('sends live updates only to its readers', async () => {
    const subscription = `questionUpdated(questionId: "${ids.question}") { questionId }`;
    const strangers = [...outsiders].map(([, student]) => listenTo(app, subscription, student?.token));
    const everywhere = await app.signUp();
    await app.grantRole(everywhere.studentId, 'MODERATOR');
    const readers = [bob.student, moderator, everywhere].map(({ token }) =>
      listenTo(app, subscription, token),
    );
    const notificationListeners = [...outsiders].map(([, student]) =>
      listenTo(app, `notificationArrived(space: "${community.spaceId}") { space }`, student?.token),
    );
    try {
      await untilListening(...readers);
      for (const count of [1, 2]) {
        await ada.commentOnQuestion(ids.question, `${MARKER}live`);
        for (const reader of readers) await untilHeard(reader, count);
      }
      expect([...strangers, ...notificationListeners].flatMap(({ heard }) => heard)).toEqual([]);
    } finally {
      await Promise.all(
        [...readers, ...strangers, ...notificationListeners].map((listener) => listener.close()),
      );
    }
  });

  it('sends no live updates to members from the moment they leave or are removed', async () => {
    const { spaceId } = community;
    const [leaver, removed] = await Promise.all([app.signUp(), app.signUp()]);
    await Promise.all([leaver, removed].map(joined));
    const own = await Promise.all(
      [leaver, removed].map((student) => new Participant(app, student, community).ask()),
    );
    const listen = ({ token }: SignedUpStudent) => [
      listenTo(app, `questionUpdated(questionId: "${ids.question}") { questionId }`, token),
      listenTo(app, `notificationArrived(space: "${spaceId}") { space }`, token),
    ];
    const former = [leaver, removed].flatMap(listen);
    const [reader, ...others] = listen(bob.student);
    if (!reader) throw new Error('no reader');
    const all = [...former, reader, ...others];
    try {
      await untilListening(...all);
      await ada.commentOnQuestion(ids.question, `${MARKER}live`);
      for (const listener of [reader, former[0], former[2]]) if (listener) await untilHeard(listener, 1);
      await app.execute(new LeaveSpace(app.contextOf(leaver.studentId), spaceId));
      await app.execute(
        new RemoveMember(app.operator(), {
          spaceId,
          studentId: removed.studentId,
          reason: 'Left the school',
        }),
      );
      const before = former.map(({ heard }) => heard.length);
      const count = reader.heard.length;
      for (const question of own) await ada.answer(question);
      for (const more of [1, 2]) {
        const mentioned = `${MARKER}live @[${leaver.studentId}] @[${removed.studentId}]`;
        await ada.commentOnQuestion(ids.question, mentioned);
        await untilHeard(reader, count + more);
      }
      expect(former.map(({ heard }) => heard.length)).toEqual(before);
    } finally {
      await Promise.all(all.map((listener) => listener.close()));
    }
  });

  it('rejects writes by outsiders', async () => {
    for (const [who, student] of outsiders) {
      if (!student) continue;
      for (const operation of [
        `createAnswer(questionId: "${ids.question}", body: "x") { _id }`,
        `createQuestionComment(questionId: "${ids.question}", body: "x") { _id }`,
        `upvoteQuestion(questionId: "${ids.question}") { _id }`,
        `reportPost(postId: "${ids.question}", postType: QUESTION, reason: "Its spam") { _id }`,
        `joinSpace(spaceId: "${community.spaceId}") { _id }`,
      ]) {
        const { errors } = await app.graphql(`mutation { done: ${operation} }`, {}, student.token);
        expect([who, operation.split('(')[0], errors?.[0]?.extensions.code]).toEqual([
          who,
          operation.split('(')[0],
          'FORBIDDEN',
        ]);
      }
    }
  });

  it('can be closed immediately and reopened', async () => {
    const { spaceId } = community;
    const stranger = outsiders.get('a student of another space');
    const set = (entry: string, publicPages: boolean) =>
      maintain(
        `changeSpace(id: "${spaceId}", change: { entry: ${entry}, publicPages: ${publicPages} }) { act }`,
      );
    const read = (token?: string) => ask('getQuestionById', { questionId: ids.question }, token);
    const isInSitemap = async () => (await app.http().get('/sitemap.xml')).text.includes(spaceId);
    await set('OPEN', false);
    expect(await isInSitemap()).toBe(false);
    expect(await read(stranger?.token)).toContain(MARKER);
    expect(await read()).not.toContain(MARKER);
    expect((await app.http().get(`/question/${ids.question}`).set('accept', 'text/html')).status).toBe(404);
    await set('OPEN', true);
    expect(await isInSitemap()).toBe(true);
    expect(await read()).toContain(MARKER);
    expect((await app.http().get(`/question/${ids.question}`).set('accept', 'text/html')).status).toBe(200);
    expect((await app.http().get(picture)).status).toBe(200);
    await set('INVITATION', true);
    expect(await isInSitemap()).toBe(false);
    expectNothingShown(await read(stranger?.token), 'closed again');
    expect((await app.http().get(picture)).status).toBe(404);
    expect((await app.http().get(`/question/${ids.question}`).set('accept', 'text/html')).status).toBe(404);
    await set('REQUEST', false);
  });
});

async function maintain(operation: string): Promise<void> {
  const { errors } = await app.graphql(
    `mutation { done: ${operation} }`,
    {},
    outsiders.get('a maintainer')?.token,
  );
  expect(errors).toBeUndefined();
}
