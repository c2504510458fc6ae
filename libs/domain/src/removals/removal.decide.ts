import { type ActingStudent, isAbove, rankOf, requireModeratorOf } from '../authority.js';
import type { Decider } from '../decider.js';
import { DomainError, unreachable } from '../errors.js';
import type {
  PostRef,
  PostsRemoved,
  PostsRestored,
  RemovalEvent,
  ReportsUpheld,
  UpholdingReversed,
} from '../events.js';
import { MAX_REMOVAL_POSTS } from '../limits.js';
import type { ModerationState } from '../moderation/moderation.decide.js';
import { postRef } from '../posts/post-facts.js';
import { authorRemovalsStream, removalStream } from '../stream-ids.js';
import { requireReason } from '../validation/content.js';

/** The removals of an author in a space, oldest first. */
export type RemovalsState = readonly {
  readonly removal: PostsRemoved['data'];
  readonly isRestored: boolean;
}[];

/** One stream for all removals of an author in a space, so that two moderators cannot remove the same posts at once. */
export const authorRemovalsDecider: Decider<
  RemovalsState,
  RemovalEvent,
  [spaceId: string, authorId: string]
> = {
  stream: authorRemovalsStream,
  initial: [],
  evolve: (state, event) => {
    switch (event.type) {
      case 'PostsRemoved':
        return [...state, { removal: event.data, isRestored: false }];
      case 'PostsRestored':
        return state.map((each) =>
          each.removal.removalId === event.data.removalId ? { ...each, isRestored: true } : each,
        );
      default:
        return unreachable(event);
    }
  },
};

/** A removal from before those of an author shared a stream. */
export const removalDecider: Decider<RemovalsState, RemovalEvent, [removalId: string]> = {
  ...authorRemovalsDecider,
  stream: removalStream,
};

export type RemovalAuthority = {
  readonly actor: ActingStudent;
  readonly spaceId: string;
  readonly author: Pick<ActingStudent, 'studentId' | 'roles'>;
};

/** By moderators of the space whose rank there is above the author's. @throws DomainError */
export const requireRemovalAuthority = ({ actor, spaceId, author }: RemovalAuthority): void => {
  requireModeratorOf(actor, spaceId);
  if (actor.studentId === author.studentId) throw new DomainError('OWN_POSTS_REMOVAL');
  if (!isAbove(rankOf(actor, spaceId), rankOf(author, spaceId)))
    throw new DomainError('REMOVAL_OF_HIGHER_RANK');
};

export type RemovePosts = RemovalAuthority & {
  readonly removalId: string;
  /** All visible posts of the author in the space, without those the actor reported; at most `MAX_REMOVAL_POSTS`, the newest. */
  readonly posts: readonly PostRef[];
  /** Earlier removals that `posts` takes into account: it contains a post of theirs only if that was restored alone. */
  readonly knownRemovalIds: ReadonlySet<string>;
  readonly reason: string;
};

export const removePosts = (command: RemovePosts, state: RemovalsState): readonly PostsRemoved[] => {
  const { actor, removalId, spaceId, author, posts, knownRemovalIds } = command;
  requireRemovalAuthority(command);
  const reason = requireReason(command.reason);
  if (findRemovalIn(state, removalId)) return [];
  const taken = posts.slice(0, MAX_REMOVAL_POSTS).map(postRef);
  const standing = state.filter(({ isRestored }) => !isRestored).map(({ removal }) => removal);
  if (taken.length === 0)
    throw new DomainError(standing.length > 0 ? 'POSTS_ALREADY_REMOVED' : 'REMOVAL_EMPTY');
  const removedIds = new Set(
    standing
      .filter((removal) => !knownRemovalIds.has(removal.removalId))
      .flatMap((removal) => removal.posts.map(({ postId }) => postId)),
  );
  if (taken.some(({ postId }) => removedIds.has(postId))) throw new DomainError('POSTS_ALREADY_REMOVED');
  const authorId = author.studentId;
  const data = { removalId, spaceId, authorId, moderatorId: actor.studentId, reason, posts: taken };
  return [{ type: 'PostsRemoved', data }];
};

export type RestorePosts = {
  readonly actor: ActingStudent;
  readonly removalId: string;
  /** IDs of posts that the actor reported, which another moderator has to restore. */
  readonly reportedByActor: ReadonlySet<string>;
  readonly reason: string;
};

export const findRemovalIn = (state: RemovalsState, removalId: string): RemovalsState[number] | undefined =>
  state.find(({ removal }) => removal.removalId === removalId);

/** By any moderator of the space but the author. */
export const restorePosts = (command: RestorePosts, state: RemovalsState): readonly PostsRestored[] => {
  const { actor, removalId, reportedByActor } = command;
  const found = findRemovalIn(state, removalId);
  if (!found) throw new DomainError('REMOVAL_NOT_FOUND');
  const { removal, isRestored } = found;
  requireModeratorOf(actor, removal.spaceId);
  if (actor.studentId === removal.authorId) throw new DomainError('OWN_POSTS_REMOVAL');
  const reason = requireReason(command.reason);
  if (isRestored) return [];
  const posts = removal.posts.filter(({ postId }) => !reportedByActor.has(postId));
  if (posts.length === 0) throw new DomainError('OWN_REPORT_CASE');
  return [{ type: 'PostsRestored', data: { ...removal, moderatorId: actor.studentId, reason, posts } }];
};

/** Upholds a post of the removal, unless it is removed already. */
export const upholdInRemoval = (
  { removalId, moderatorId, reason }: PostsRemoved['data'],
  post: PostRef & { readonly isDeleted: boolean },
  { upheld, round }: ModerationState,
): readonly ReportsUpheld[] =>
  upheld || post.isDeleted
    ? []
    : [{ type: 'ReportsUpheld', data: { ...postRef(post), moderatorId, reason, round, removalId } }];

/** Restores a post of the removal, unless something else removed it or it was restored before. */
export const reverseInRemoval = (
  { removalId, moderatorId, reason }: PostsRestored['data'],
  post: PostRef,
  { removedIn, round }: ModerationState,
): readonly UpholdingReversed[] =>
  removedIn === removalId
    ? [{ type: 'UpholdingReversed', data: { ...postRef(post), moderatorId, reason, round, removalId } }]
    : [];
