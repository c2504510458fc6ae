import { describe, expect, it } from '@jest/globals';
import { fold } from '../decider.js';
import type { PostRef, PostsRemoved, PostsRestored, ReportsUpheld, UpholdingReversed } from '../events.js';
import { MAX_REMOVAL_POSTS } from '../limits.js';
import { moderationDecider } from '../moderation/moderation.decide.js';
import { newActor, newId, newMaintainer, newModerator, newPost } from '../testing/builders.js';
import { given } from '../testing/given-when-then.js';
import {
  authorRemovalsDecider,
  removePosts,
  type RemovePosts,
  restorePosts,
  type RestorePosts,
  reverseInRemoval,
  upholdInRemoval,
} from './removal.decide.js';

const [removalId, spaceId] = [newId(), newId()];
const author = newActor();
const actor = newModerator(spaceId);
const newRef = (): PostRef => {
  const { removed: _, ...ref } = newPost({ spaceId, postAuthorId: author.studentId });
  return ref;
};
const posts = [newRef(), newRef()];
const [first, second] = posts as [PostRef, PostRef];
const removing = (changes: Partial<RemovePosts> = {}): RemovePosts => ({
  ...{ actor, removalId, spaceId, author, posts, knownRemovalIds: new Set<string>(), reason: ' All spam ' },
  ...changes,
});
const data = {
  ...{ removalId, spaceId, authorId: author.studentId, moderatorId: actor.studentId },
  ...{ reason: 'All spam', posts },
};
const removed: PostsRemoved = { type: 'PostsRemoved', data };

describe('removePosts', () => {
  const when = (changes: Partial<RemovePosts> = {}) =>
    given(authorRemovalsDecider).when((state) => removePosts(removing(changes), state));

  it('removes the posts in one event', () => when().then(removed));
  it('requires a moderator of the space', () => {
    when({ actor: newActor() }).thenRefused('FORBIDDEN');
    when({ actor: newModerator(newId()) }).thenRefused('FORBIDDEN');
    when({ actor: newMaintainer() }).thenRefused('FORBIDDEN');
    when({ actor: { ...actor, blocked: true } }).thenRefused('STUDENT_BLOCKED');
  });
  it('refuses oneself, and people of the same or a higher rank', () => {
    when({ author: actor }).thenRefused('OWN_POSTS_REMOVAL');
    for (const { roles } of [newModerator(spaceId), newModerator(), newMaintainer()])
      when({ author: { ...author, roles } }).thenRefused('REMOVAL_OF_HIGHER_RANK');
    when({ author: { ...author, roles: newModerator(newId()).roles } }).then(removed);
  });
  it('requires a reason', () => when({ reason: ' ' }).thenRefused('DELETE_REASON_REQUIRED'));
  it('refuses an author without posts', () => when({ posts: [] }).thenRefused('REMOVAL_EMPTY'));
  it('takes no more than the first posts of the list', () => {
    const many = Array.from({ length: MAX_REMOVAL_POSTS + 1 }, newRef);
    const [event] = removePosts(removing({ posts: many }), []);
    expect(event?.data.posts).toEqual(many.slice(0, MAX_REMOVAL_POSTS));
  });
  it('removes once', () =>
    given(authorRemovalsDecider, removed)
      .when((state) => removePosts(removing(), state))
      .thenNothingHappens());

  describe('after a removal of another moderator', () => {
    const other = newModerator(spaceId);
    const again = newId();
    const restored: PostsRestored = {
      type: 'PostsRestored',
      data: { ...data, moderatorId: other.studentId },
    };
    const whenAgain = (changes: Partial<RemovePosts>, ...past: readonly (PostsRemoved | PostsRestored)[]) =>
      given(authorRemovalsDecider, ...past).when((state) =>
        removePosts(removing({ actor: other, removalId: again, ...changes }), state),
      );
    const removedAgain = (of = posts): PostsRemoved => ({
      type: 'PostsRemoved',
      data: { ...data, removalId: again, moderatorId: other.studentId, posts: of },
    });

    it('refuses the same posts, or some of them', () => {
      whenAgain({}, removed).thenRefused('POSTS_ALREADY_REMOVED');
      whenAgain({ posts: [newRef(), second] }, removed).thenRefused('POSTS_ALREADY_REMOVED');
      whenAgain({ posts: [] }, removed).thenRefused('POSTS_ALREADY_REMOVED');
    });
    it('removes newer posts', () => {
      const newer = [newRef()];
      whenAgain({ posts: newer }, removed).then(removedAgain(newer));
    });
    it('removes the posts again once they were restored, all or alone', () => {
      whenAgain({}, removed, restored).then(removedAgain());
      whenAgain({ posts: [], knownRemovalIds: new Set([removalId]) }, removed, restored).thenRefused(
        'REMOVAL_EMPTY',
      );
      whenAgain({ posts: [first], knownRemovalIds: new Set([removalId]) }, removed).then(
        removedAgain([first]),
      );
    });
  });
});

describe('restorePosts', () => {
  const other = newModerator(spaceId);
  const restored: PostsRestored = {
    type: 'PostsRestored',
    data: { ...data, moderatorId: other.studentId, reason: 'A mistake' },
  };
  const restoring = (changes: Partial<RestorePosts> = {}): RestorePosts => ({
    ...{ actor: other, removalId, reportedByActor: new Set(), reason: 'A mistake' },
    ...changes,
  });
  const when = (changes: Partial<RestorePosts> = {}) =>
    given(authorRemovalsDecider, removed).when((state) => restorePosts(restoring(changes), state));

  it('lets another moderator restore the posts', () => when().then(restored));
  it('requires a moderator of the space, but not the author', () => {
    when({ actor: newActor() }).thenRefused('FORBIDDEN');
    when({ actor: newModerator(newId()) }).thenRefused('FORBIDDEN');
    when({ actor: { ...other, studentId: author.studentId } }).thenRefused('OWN_POSTS_REMOVAL');
  });
  it('leaves out posts that the moderator reported', () => {
    const reportedByActor = new Set([first.postId]);
    when({ reportedByActor }).then({ ...restored, data: { ...restored.data, posts: [second] } });
    when({ reportedByActor: new Set(posts.map(({ postId }) => postId)) }).thenRefused('OWN_REPORT_CASE');
  });
  it('requires a reason and a removal', () => {
    when({ reason: '' }).thenRefused('DELETE_REASON_REQUIRED');
    given(authorRemovalsDecider)
      .when((state) => restorePosts(restoring(), state))
      .thenRefused('REMOVAL_NOT_FOUND');
  });
  it('restores one removal of several', () => {
    const later = { ...removed, data: { ...data, removalId: newId(), posts: [newRef()] } };
    given(authorRemovalsDecider, removed, later)
      .when((state) => restorePosts(restoring(), state))
      .then(restored);
    given(authorRemovalsDecider, removed, later, restored)
      .when((state) => restorePosts(restoring({ removalId: later.data.removalId }), state))
      .then({ ...restored, data: { ...later.data, moderatorId: other.studentId, reason: 'A mistake' } });
    when({ removalId: newId() }).thenRefused('REMOVAL_NOT_FOUND');
  });
  it('restores once', () =>
    given(authorRemovalsDecider, removed, restored)
      .when((state) => restorePosts(restoring(), state))
      .thenNothingHappens());
});

describe('a post of a removal', () => {
  const ruling = { ...first, moderatorId: actor.studentId, reason: 'All spam', round: 0 };
  const upheld: ReportsUpheld = { type: 'ReportsUpheld', data: { ...ruling, removalId } };
  const upheldAlone: ReportsUpheld = { type: 'ReportsUpheld', data: ruling };
  const reversed: UpholdingReversed = { type: 'UpholdingReversed', data: { ...ruling, removalId } };
  const uphold = upholdInRemoval.bind(null, data, { ...first, isDeleted: false });
  const reverse = reverseInRemoval.bind(null, data, first);

  it('is upheld with or without reports', () => {
    given(moderationDecider).when(uphold).then(upheld);
    const report = { ...first, reporterId: newId(), reason: 'Its spam', round: 0 } as const;
    given(moderationDecider, { type: 'PostReported', data: report }).when(uphold).then(upheld);
    expect(fold(moderationDecider, [{ type: 'PostReported', data: report }, upheld])).toMatchObject({
      ...{ upheld: true, removedIn: removalId, openReporterIds: [], revision: 1 },
    });
  });
  it('is left alone if it is removed already, or deleted', () => {
    given(moderationDecider, upheldAlone).when(uphold).thenNothingHappens();
    given(moderationDecider, upheld).when(uphold).thenNothingHappens();
    given(moderationDecider)
      .when((state) => upholdInRemoval(data, { ...first, isDeleted: true }, state))
      .thenNothingHappens();
  });
  it('is restored only if this removal removed it', () => {
    given(moderationDecider, upheld).when(reverse).then(reversed);
    given(moderationDecider, upheldAlone).when(reverse).thenNothingHappens();
    given(moderationDecider, upheld, reversed).when(reverse).thenNothingHappens();
    given(moderationDecider, { ...upheld, data: { ...upheld.data, removalId: newId() } })
      .when(reverse)
      .thenNothingHappens();
  });
});
