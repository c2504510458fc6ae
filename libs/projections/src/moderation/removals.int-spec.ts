import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { EventHistory } from '../testing/event-history.fixture.js';
import { openReadSide, type ReadSide } from '../testing/read-side.fixture.js';
import { findModerationCase } from './moderation-case.queries.js';
import { pageOfModerationQueue } from './moderation-queue.queries.js';
import {
  findRemovablePosts,
  findRemoval,
  findRemovalSubject,
  findReportedPosts,
  listRemovedPosts,
  pageOfRemovals,
} from './removals.queries.js';

let side: ReadSide;
let past: EventHistory;
beforeAll(async () => {
  side = await openReadSide();
  past = new EventHistory();
});
afterAll(() => side.close());

/** A spammer with a post of each type, under their own and another student's question. */
function open() {
  const spaceId = past.newSpace();
  const place = past.newTopic(spaceId, past.newSubject(spaceId));
  const [author, ann] = [past.newStudent(), past.newStudent()];
  const moderator = past.newModerator();
  const other = past.ask(ann, place);
  const question = past.ask(author, place, { title: 'Buy this?', body: '<p>Cheap</p>' });
  const answer = past.answer(author, other, '<p>Buy it</p>');
  const comment = past.comment(author, other, `Look @[${ann}]`);
  const deep = past.comment(author, past.answer(ann, question), 'Cheap');
  const posts = [deep, comment, answer, question];
  const removable = (moderatorId = moderator) =>
    findRemovablePosts(side.pool, { spaceId, authorId: author, moderatorId });
  const scope = { moderatorId: moderator, spaces: [spaceId] };
  const listed = async () => (await pageOfRemovals(side.pool, { ...scope, page: 1, limit: 20 })).docs;
  const statesOf = async (removalId: string) =>
    (await listRemovedPosts(side.pool, removalId)).map(({ state }) => state);
  return {
    spaceId,
    place,
    author,
    ann,
    moderator,
    other,
    question,
    answer,
    comment,
    posts,
    removable,
    scope,
    listed,
    statesOf,
  };
}

describe('the removable posts of an author', () => {
  it('are the visible posts in the space, newest first, with others’ answers to the questions counted', async () => {
    const { place, author, answer, other, posts, removable } = open();
    const deleted = past.ask(author, place);
    past.deleteQuestion(deleted);
    past.ask(author, past.newTopic(past.newSpace(), past.newSubject(past.newSpace())));
    await side.record(past);
    const { posts: found, ...counts } = await removable();
    expect(found.map(({ postId }) => postId)).toEqual(posts);
    expect(found.map(({ postType }) => postType)).toEqual([
      ...['COMMENT', 'QUESTION_COMMENT', 'ANSWER', 'QUESTION'],
    ]);
    expect(counts).toEqual({
      ...{ total: 4, reportedByModerator: 0, answersOfOthers: 1 },
      knownRemovalIds: new Set(),
    });
    past.report(past.newStudent(), other);
    past.uphold(past.newModerator(), other);
    await side.record(past);
    // Posts under a removed question are not visible.
    expect((await removable()).posts.map(({ postId }) => postId)).not.toContain(answer);
  });

  it('leave out posts that the moderator reported', async () => {
    const { answer, moderator, posts, removable } = open();
    past.report(moderator, answer);
    await side.record(past);
    const { posts: found, total, reportedByModerator } = await removable();
    expect(found).toHaveLength(3);
    expect([total, reportedByModerator]).toEqual([3, 1]);
    expect((await removable(past.newModerator())).total).toBe(4);
    expect(await findReportedPosts(side.pool, moderator, posts)).toEqual(new Set([answer]));
  });
});

describe('a removal', () => {
  it('lists its posts, and is linked from the case of each', async () => {
    const { author, ann, moderator, spaceId, question, posts, removable, listed, statesOf, scope } = open();
    const removalId = past.removeAll(moderator, author, spaceId);
    await side.record(past);
    expect(await listed()).toMatchObject([
      {
        ...{ _id: removalId, spaceId, authorId: author, posts: 4, moderatorId: moderator, reason: 'Spam' },
        removedAt: expect.stringMatching(/^2026-01-/),
        ...{ restoredBy: null, restoreReason: null, restoredAt: null },
      },
    ]);
    const removed = await listRemovedPosts(side.pool, removalId);
    expect(removed.map(({ postId }) => postId).sort()).toEqual([...posts].sort());
    expect(removed.map(({ state }) => state)).toEqual(posts.map(() => 'REMOVED'));
    expect(removed.find(({ postId }) => postId === question)).toMatchObject({
      ...{ title: 'Buy this?', excerpt: 'Cheap', postType: 'QUESTION' },
    });
    expect(removed.map(({ excerpt }) => excerpt)).toContain(`Look @user_${ann.slice(0, 8)}`);
    for (const postId of posts)
      expect(await findModerationCase(side.pool, postId)).toMatchObject({ isUpheld: true, removalId });
    expect(await removable()).toMatchObject({ posts: [], knownRemovalIds: new Set([removalId]) });
    expect(await findRemovalSubject(side.pool, removalId)).toEqual({ spaceId, authorId: author });
    for (const hidden of [
      { ...scope, moderatorId: author },
      { ...scope, spaces: [] },
    ])
      expect(await findRemoval(side.pool, removalId, hidden)).toBeNull();

    past.reverseUpholding(moderator, question);
    past.restoreAll(past.newModerator(), removalId);
    await side.record(past);
    expect(await statesOf(removalId)).toEqual(posts.map(() => 'RESTORED'));
    expect(await listed()).toMatchObject([{ restoreReason: 'A mistake', posts: 4 }]);
    expect(await findModerationCase(side.pool, question)).toMatchObject({ isUpheld: false, removalId: null });
    expect((await removable()).posts).toHaveLength(4);
  });

  it('does not restore what was removed before, and hides its posts until they are reached', async () => {
    const { author, ann, moderator, spaceId, answer, removable, statesOf, listed } = open();
    past.report(ann, answer);
    past.uphold(moderator, answer);
    const removalId = past.removeAll(moderator, author, spaceId);
    const of = past.events.length;
    const start = past.events.findLastIndex(({ type }) => type === 'PostsRemoved');
    await side.record(past, start + 1);
    expect(await statesOf(removalId)).toEqual(['PENDING', 'PENDING', 'PENDING']);
    expect((await removable()).posts).toEqual([]);
    await side.record(past, of);
    past.restoreAll(moderator, removalId);
    await side.record(past);
    expect(await findModerationCase(side.pool, answer)).toMatchObject({ isUpheld: true, removalId: null });
    expect(await listed()).toMatchObject([{ posts: 3 }]);
  });

  it('leaves posts that nobody reported out of the decided cases', async () => {
    const { author, ann, moderator, spaceId, question, scope } = open();
    past.report(ann, question);
    past.removeAll(moderator, author, spaceId);
    await side.record(past);
    const decided = await pageOfModerationQueue(side.pool, {
      ...scope,
      ...{ state: 'DECIDED', isMine: false, now: '2026-06-01T00:00:00.000Z', limit: 50, after: null },
    });
    expect(decided.docs.map(({ postId }) => postId)).toEqual([question]);
  });

  it('loses its reasons when the author is erased', async () => {
    const { author, moderator, spaceId, listed } = open();
    const removalId = past.removeAll(moderator, author, spaceId);
    past.restoreAll(moderator, removalId);
    past.erase(author);
    await side.record(past);
    expect(await listed()).toMatchObject([{ reason: '', restoreReason: '' }]);
  });
});
