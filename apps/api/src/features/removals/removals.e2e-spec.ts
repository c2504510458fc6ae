import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  moderationStream,
  authorRemovalsStream,
  removalStream,
  type EventMetadata,
  type PostRef,
  type PostsRemoved,
} from '@nimo/domain';
import type { EventStore } from '@nimo/event-store';
import type { ReactorEvent } from '@nimo/projections';
import { eventually } from '@nimo/testing';
import { bootApp, type TestApp } from '../../../../../test/app.js';
import { whileProjectionBlocked } from '../../../../../test/blocked-projection.js';
import { newCommunity, newMember, newSpace, type Community } from '../../../../../test/community.js';
import { Participant } from '../../../../../test/participant.js';
import { EVENT_STORE } from '../../platform/config/tokens.js';
import { RemovalsReactor } from './removals.reactor.js';

interface Removal {
  readonly _id: string;
  readonly posts: number;
  readonly restoredAt: string | null;
  readonly removedPosts: readonly { readonly postId: string; readonly state: string }[];
}

let app: TestApp;
let community: Community;
let [ann, mod, colleague, elsewhere]: Participant[] = [];
const ofAnn = () => ann as Participant;
const ofMod = () => mod as Participant;
const ofColleague = () => colleague as Participant;

const idOf = ({ student }: Participant): string => student.studentId;
const newStudent = async () => new Participant(app, await newMember(app, community.spaceId), community);

beforeAll(async () => {
  app = await bootApp({ OBJECTION_CONTACT: 'objections@school.example' });
  community = await newCommunity(app, 0);
  [ann, mod, colleague] = [await newStudent(), await newStudent(), await newStudent()];
  for (const moderator of [mod, colleague])
    await app.grantRole(idOf(moderator), 'MODERATOR', community.spaceId);
  const other = await newSpace(app);
  elsewhere = new Participant(app, await newMember(app, other), community);
  await app.grantRole(idOf(elsewhere), 'MODERATOR', other);
});
afterAll(() => app.close());

const target = (author: Participant) => `space: "${community.spaceId}", author: "${idOf(author)}"`;
const PREVIEW = '{ fingerprint questions answers comments answersOfOthers leftOut remaining }';
const preview = (author: Participant, by = ofMod()) =>
  by.query<{ fingerprint: string; leftOut: number }>(`previewPostsRemoval(${target(author)}) ${PREVIEW}`);
const removing = (author: Participant, fingerprint: string) =>
  `removePosts(${target(author)}, reason: "All spam", fingerprint: "${fingerprint}") { _id }`;
const restoring = (removalId: string, reason = 'A mistake') =>
  `restorePosts(removalId: "${removalId}", reason: "${reason}") { _id }`;
const DETAIL = `{ _id posts reason restoreReason restoredAt author { _id } moderator { _id } restoredBy { _id } space { _id }
  removedPosts { postId postType questionId title excerpt state } }`;
const read = (removalId: string, by = ofMod()) =>
  by.query<Removal>(`getPostsRemoval(removalId: "${removalId}") ${DETAIL}`);
const report = (by: Participant, postId: string, postType = 'QUESTION') =>
  by.perform(`reportPost(postId: "${postId}", postType: ${postType}, reason: "Its spam") { _id }`);

/** Waits until the reactor has reached all posts. */
async function settled(removalId: string, state: string): Promise<void> {
  await eventually(
    () => read(removalId),
    ({ removedPosts }) => removedPosts.every((post) => post.state === state),
  );
  await app.caughtUp();
}

async function remove(author: Participant, by = ofMod()): Promise<string> {
  await app.caughtUp();
  const { fingerprint } = await preview(author, by);
  const { _id } = await by.perform(removing(author, fingerprint));
  await settled(_id, 'REMOVED');
  return _id;
}

/** A question, an answer and two comments, and the answer of another student to the question. */
async function newSpammer() {
  const spammer = await newStudent();
  const [question, other] = [await spammer.ask({ title: 'Buy this' }), await ofAnn().ask()];
  const answer = await spammer.answer(other);
  const comment = await spammer.commentOnQuestion(other);
  const deep = await spammer.commentOnAnswer(await ofAnn().answer(question));
  await app.caughtUp();
  return { spammer, question, other, posts: [question, answer, comment, deep] };
}

const questionRef = (postId: string, author: Participant): PostRef => ({
  ...{ postType: 'QUESTION', postId, questionId: postId, spaceId: community.spaceId },
  postAuthorId: idOf(author),
});

/** Metadata of an event that the moderator caused. */
const metadataOf = (id: string): EventMetadata => ({
  ...{ actor: { kind: 'student', id: idOf(ofMod()) }, correlationId: id, causationId: id, commandId: id },
  ...{ occurredAt: '2026-01-01T00:00:00.000Z', recordedAt: '2026-01-01T00:00:00.000Z', schemaVersion: 1 },
});

const isVisible = async (questionId: string): Promise<boolean> => {
  const { data } = await app.graphql<{ done: unknown } | null>(
    `{ done: getQuestionById(questionId: "${questionId}") { _id } }`,
    {},
    ofAnn().student.token,
  );
  return (data?.done ?? null) !== null;
};

const store = () => app.api.get<EventStore>(EVENT_STORE, { strict: false });
const ALREADY_REMOVED = {
  code: 'CONFLICT',
  rule: 'POSTS_ALREADY_REMOVED',
  message: 'A moderator already removed these posts.',
};
const noticesOf = async (author: Participant) => {
  await app.caughtUp();
  const { docs } = await author.query<{ docs: { type: string }[] }>(
    `getPaginatedNotifications(space: "${community.spaceId}") { docs { type title payload {
      ... on RemovalNotification { reason posts space objectTo } } } }`,
  );
  return docs.filter(({ type }) => type.startsWith('POST'));
};
const refusalOf = async (by: Participant, operation: string) => {
  const { errors } = await by.mutate(operation);
  const [error] = errors ?? [];
  return error && { ...error.extensions, message: error.message };
};

describe('a removal of posts that a colleague removes', () => {
  it('is refused at the same moment, and the author is notified once', async () => {
    const { spammer } = await newSpammer();
    const previews = await Promise.all([preview(spammer), preview(spammer, ofColleague())]);
    expect(previews[0]).toEqual(previews[1]);
    const [{ fingerprint }] = previews;
    const answers = await Promise.all(
      [ofMod(), ofColleague()].map((by) => by.mutate<{ _id: string }>(removing(spammer, fingerprint))),
    );
    expect(answers.flatMap(({ errors }) => errors ?? [])).toMatchObject([
      { message: ALREADY_REMOVED.message, extensions: { code: 'CONFLICT', rule: 'POSTS_ALREADY_REMOVED' } },
    ]);
    const removalId = answers.find(({ errors }) => !errors)?.data.done._id ?? '';
    await settled(removalId, 'REMOVED');
    expect(await noticesOf(spammer)).toMatchObject([{ type: 'POSTS_REMOVED' }]);
  });

  it('is refused before the read model shows the first, and afterwards, until that is restored', async () => {
    const { spammer } = await newSpammer();
    const { fingerprint } = await preview(spammer);
    const stream = authorRemovalsStream(community.spaceId, idOf(spammer));
    const first = await whileProjectionBlocked(
      app.pool,
      async () => {
        const removed = ofMod().perform(removing(spammer, fingerprint));
        await eventually(
          () => store().readStream(stream),
          (events) => events.length > 0,
        );
        expect(await refusalOf(ofColleague(), removing(spammer, fingerprint))).toMatchObject(ALREADY_REMOVED);
        return { removed };
      },
      'moderation',
    );
    const { _id: removalId } = await first.removed;
    await settled(removalId, 'REMOVED');
    expect(await refusalOf(ofColleague(), removing(spammer, fingerprint))).toMatchObject(ALREADY_REMOVED);

    const written = await spammer.ask();
    await app.caughtUp();
    expect(await preview(spammer, ofColleague())).toMatchObject({ questions: 1, answers: 0, comments: 0 });
    const second = await remove(spammer, ofColleague());
    expect((await read(second)).removedPosts.map(({ postId }) => postId)).toEqual([written]);

    await ofMod().perform(restoring(removalId));
    await settled(removalId, 'RESTORED');
    expect((await read(second)).removedPosts).toMatchObject([{ postId: written, state: 'REMOVED' }]);
    expect((await read(await remove(spammer, ofColleague()))).posts).toBe(4);
  });

  it('includes a post that was restored alone', async () => {
    const { spammer, question } = await newSpammer();
    await remove(spammer);
    await ofColleague().perform(
      `reverseUpholding(postId: "${question}", reason: "Fine", seen: { revision: 1, openReports: 0 }) { _id }`,
    );
    const again = await remove(spammer);
    expect((await read(again)).removedPosts.map(({ postId }) => postId)).toContain(question);
  });
});

describe('a removal with a stream of its own, from before those of an author shared one', () => {
  it('is restored', async () => {
    const { spammer, question } = await newSpammer();
    const removalId = randomUUID();
    const data: PostsRemoved['data'] = {
      ...{ removalId, spaceId: community.spaceId, authorId: idOf(spammer), moderatorId: idOf(ofMod()) },
      ...{ reason: 'Spam', posts: [questionRef(question, spammer)] },
    };
    const events = [
      { id: randomUUID(), type: 'PostsRemoved', data, metadata: { ...metadataOf(randomUUID()) } },
    ];
    await store().append([{ streamId: removalStream(removalId), expectedRevision: 'no-stream', events }]);
    await app.caughtUp();
    await settled(removalId, 'REMOVED');
    expect(await preview(spammer)).toMatchObject({ questions: 0, answers: 1 });
    await ofColleague().perform(restoring(removalId));
    await settled(removalId, 'RESTORED');
    expect(await isVisible(question)).toBe(true);
  });
});

describe('a removal of all posts', () => {
  it('removes the posts after a preview, and restores them', async () => {
    const { spammer, question, other, posts } = await newSpammer();
    expect(await preview(spammer)).toEqual({
      ...{ fingerprint: expect.any(String), questions: 1, answers: 1, comments: 2 },
      ...{ answersOfOthers: 1, leftOut: 0, remaining: 0 },
    });
    const removalId = await remove(spammer);
    expect(await isVisible(question)).toBe(false);
    expect(await isVisible(other)).toBe(true);
    const shown = await read(removalId, ofColleague());
    expect(shown).toMatchObject({
      ...{ posts: 4, reason: 'All spam', restoredAt: null, space: { _id: community.spaceId } },
      ...{ author: { _id: idOf(spammer) }, moderator: { _id: idOf(ofMod()) } },
    });
    expect(shown.removedPosts.map(({ postId }) => postId).sort()).toEqual([...posts].sort());
    const list = await ofMod().query<{ docs: { _id: string }[] }>('getPostsRemovals { docs { _id posts } }');
    expect(list.docs[0]).toEqual({ _id: removalId, posts: 4 });
    expect(
      await ofMod().query(
        `getModerationCase(postId: "${question}") { isUpheld removalId reports { reason } }`,
      ),
    ).toEqual({
      ...{ isUpheld: true, removalId, reports: [] },
    });

    await ofColleague().perform(restoring(removalId));
    await settled(removalId, 'RESTORED');
    expect(await isVisible(question)).toBe(true);
    expect(await read(removalId)).toMatchObject({
      ...{ restoreReason: 'A mistake', restoredBy: { _id: idOf(ofColleague()) } },
    });
  });

  it('decides open reports, and restores neither what was removed before nor twice', async () => {
    const { spammer, question, posts } = await newSpammer();
    const alone = await spammer.ask();
    for (const postId of [question, alone]) await report(ofAnn(), postId);
    await app.caughtUp();
    await ofColleague().perform(
      `upholdReports(postId: "${alone}", reason: "Spam", seen: { revision: 0, openReports: 1 }) { _id }`,
    );
    const removalId = await remove(spammer);
    expect((await read(removalId)).posts).toBe(posts.length);
    const CASE = '{ isUpheld removalId openReports reports { outcome } decisions { decision } }';
    const caseOf = (postId: string) => ofColleague().query(`getModerationCase(postId: "${postId}") ${CASE}`);
    expect(await caseOf(question)).toMatchObject({
      openReports: 0,
      removalId,
      reports: [{ outcome: 'UPHELD' }],
    });
    expect(await caseOf(alone)).toMatchObject({ isUpheld: true, removalId: null });
    await ofColleague().perform(
      `reverseUpholding(postId: "${question}", reason: "Fine", seen: { revision: 1, openReports: 0 }) { _id }`,
    );
    for (const round of ['first', 'second']) await ofMod().perform(restoring(removalId, round));
    await settled(removalId, 'RESTORED');
    expect(await read(removalId)).toMatchObject({ restoreReason: 'first' });
    expect(await caseOf(alone)).toMatchObject({ isUpheld: true });
    expect(await caseOf(question)).toMatchObject({
      decisions: [{ decision: 'REVERSED' }, { decision: 'UPHELD' }],
    });
  });

  it('is refused if the posts changed since the preview', async () => {
    const { spammer } = await newSpammer();
    const { fingerprint } = await preview(spammer);
    await spammer.ask();
    await app.caughtUp();
    const { errors } = await ofMod().mutate(removing(spammer, fingerprint));
    expect(errors?.[0]?.extensions).toMatchObject({ code: 'CONFLICT', rule: 'REMOVAL_CHANGED' });
  });

  it('leaves out posts that the moderator reported', async () => {
    const { spammer, question } = await newSpammer();
    await report(ofMod(), question);
    await app.caughtUp();
    expect(await preview(spammer)).toMatchObject({ questions: 0, leftOut: 1 });
    expect(await preview(spammer, ofColleague())).toMatchObject({ questions: 1, leftOut: 0 });
    const removalId = await remove(spammer, ofColleague());
    await ofMod().perform(restoring(removalId));
    const shown = await eventually(
      () => read(removalId),
      ({ removedPosts }) => removedPosts.filter(({ state }) => state === 'RESTORED').length === 3,
    );
    expect(shown.removedPosts.find(({ postId }) => postId === question)?.state).toBe('REMOVED');
  });

  it('costs no points without reports, and those of the reports with them', async () => {
    const scoreOf = async (who: Participant) => {
      await app.caughtUp();
      return who.query(
        `getLeaderboardScores(space: "${community.spaceId}") { scores { reputations commitments } }`,
      );
    };
    const { spammer, question } = await newSpammer();
    for (const voter of [ofAnn(), ofMod(), ofColleague(), await newStudent(), await newStudent()])
      await voter.perform(`upvoteQuestion(questionId: "${question}") { _id }`);
    const before = await scoreOf(spammer);
    const removalId = await remove(spammer);
    expect(await scoreOf(spammer)).toEqual(before);
    await ofMod().perform(restoring(removalId));
    await settled(removalId, 'RESTORED');
    for (const reporter of [ofAnn(), await newStudent(), await newStudent()])
      await report(reporter, question);
    const reported = await scoreOf(spammer);
    expect(reported).not.toEqual(before);
    const again = await remove(spammer);
    expect(await scoreOf(spammer)).toEqual(reported);
    await ofMod().perform(restoring(again));
    await settled(again, 'RESTORED');
    expect(await scoreOf(spammer)).toEqual(before);
  });

  it('notifies the author once, with number, reason and where to object', async () => {
    const { spammer } = await newSpammer();
    const removalId = await remove(spammer);
    const payload = {
      ...{ reason: 'All spam', posts: 4, space: community.spaceId, objectTo: 'objections@school.example' },
    };
    expect(await noticesOf(spammer)).toEqual([
      {
        type: 'POSTS_REMOVED',
        title: expect.stringMatching(/^A moderator removed 4 posts of yours/),
        payload,
      },
    ]);
    await ofMod().perform(restoring(removalId));
    await settled(removalId, 'RESTORED');
    expect(await noticesOf(spammer)).toMatchObject([
      { type: 'POSTS_RESTORED', payload: { ...payload, reason: 'A mistake' } },
      { type: 'POSTS_REMOVED' },
    ]);
  });

  it('is one line of the audit, with a line for each post', async () => {
    const { spammer, posts } = await newSpammer();
    await remove(spammer);
    await app.caughtUp();
    const { nodes } = await ofColleague().query<{ nodes: { kind: string }[] }>(
      `getAuditEntries(filter: { receiver: "${idOf(spammer)}", kinds: [PostsRemoved, ReportsUpheld] }) {
        nodes { kind class actor { _id } receiver { _id } space { _id } points { merit } } }`,
    );
    const ofKind = (kind: string) => nodes.filter((node) => node.kind === kind);
    expect(ofKind('ReportsUpheld')).toHaveLength(posts.length);
    for (const line of nodes) expect(line).toMatchObject({ actor: { _id: idOf(ofMod()) }, points: [] });
    expect(ofKind('PostsRemoved')).toMatchObject([
      { class: 'ACT', receiver: { _id: idOf(spammer) }, space: { _id: community.spaceId } },
    ]);
  });

  it('is for moderators of the space whose role is above the author’s', async () => {
    const { spammer } = await newSpammer();
    const { fingerprint } = await preview(spammer);
    const removalId = await remove(spammer);
    const operations = [
      `{ previewPostsRemoval(${target(spammer)}) ${PREVIEW} }`,
      `mutation { ${removing(spammer, fingerprint)} }`,
      `mutation { ${restoring(removalId)} }`,
    ];
    for (const other of [spammer, ofAnn(), elsewhere as Participant])
      for (const operation of operations)
        expect([operation, (await other.refusal(operation)).code]).toEqual([operation, 'FORBIDDEN']);
    const detail = `{ getPostsRemoval(removalId: "${removalId}") ${DETAIL} }`;
    expect((await (elsewhere as Participant).refusal(detail)).code).toBe('NOT_FOUND');
    expect(await (elsewhere as Participant).query('getPostsRemovals { docs { _id } total }')).toEqual({
      docs: [],
      total: 0,
    });
    expect((await ofMod().refusal(`mutation { ${restoring(randomUUID())} }`)).code).toBe('NOT_FOUND');
    for (const author of [ofMod(), ofColleague()])
      expect((await ofMod().refusal(`{ previewPostsRemoval(${target(author)}) ${PREVIEW} }`)).code).toBe(
        'FORBIDDEN',
      );
    await app.grantRole(idOf(spammer), 'MODERATOR', community.spaceId);
    expect((await spammer.refusal(detail)).code).toBe('NOT_FOUND');
    expect((await spammer.refusal(`mutation { ${restoring(removalId)} }`)).code).toBe('FORBIDDEN');
  });
});

describe('the reactor', () => {
  const eventOf = async (removalId: string): Promise<ReactorEvent<'PostsRemoved'>> => {
    const { author } = await ofMod().query<{ author: { _id: string } }>(
      `getPostsRemoval(removalId: "${removalId}") { author { _id } }`,
    );
    const [event] = await store().readStream(authorRemovalsStream(community.spaceId, author._id));
    // The first event of the stream.
    return event as unknown as ReactorEvent<'PostsRemoved'>;
  };
  const typesOf = async (posts: readonly Pick<PostRef, 'postId'>[]) =>
    (await Promise.all(posts.map(({ postId }) => store().readStream(moderationStream(postId))))).map(
      (events) => events.map(({ type }) => type),
    );
  const reactor = () => {
    if (!app.worker) throw new Error('no worker');
    return app.worker.get(RemovalsReactor, { strict: false });
  };
  const { signal } = new AbortController();

  it('rules once, also when it handles the removal again, before and after its reversal', async () => {
    const { spammer } = await newSpammer();
    const removalId = await remove(spammer);
    const event = await eventOf(removalId);
    await reactor().handle(event, event.id, signal);
    expect(await typesOf(event.data.posts)).toEqual(event.data.posts.map(() => ['ReportsUpheld']));
    await ofMod().perform(restoring(removalId));
    await settled(removalId, 'RESTORED');
    await reactor().handle(event, event.id, signal);
    expect(await typesOf(event.data.posts)).toEqual(
      event.data.posts.map(() => ['ReportsUpheld', 'UpholdingReversed']),
    );
  });

  it('continues where it stopped, and skips posts deleted since then', async () => {
    const spammer = await newStudent();
    const questions = [await spammer.ask(), await spammer.ask(), await spammer.ask()];
    await spammer.perform(`deleteQuestionById(id: "${questions[2]}") { _id }`);
    const posts = questions.map((postId) => questionRef(postId, spammer));
    const id = randomUUID();
    const data: PostsRemoved['data'] = {
      ...{ removalId: randomUUID(), spaceId: community.spaceId, authorId: idOf(spammer) },
      ...{ moderatorId: idOf(ofMod()), reason: 'Spam', posts },
    };
    const metadata = metadataOf(id);
    const event = {
      type: 'PostsRemoved',
      id,
      streamId: authorRemovalsStream(data.spaceId, data.authorId),
      data,
      metadata,
    } as const;
    const stopping = new AbortController();
    const stopped = reactor().handle(event, id, stopping.signal);
    stopping.abort();
    await expect(stopped).rejects.toThrow();
    expect(await typesOf(posts)).toEqual([['ReportsUpheld'], [], []]);
    await reactor().handle(event, id, signal);
    expect(await typesOf(posts)).toEqual([['ReportsUpheld'], ['ReportsUpheld'], []]);
  });
});
