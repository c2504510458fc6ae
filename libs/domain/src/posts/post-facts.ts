import { type ActingStudent, isModeratorOf, requireActive } from '../authority.js';
import { DomainError } from '../errors.js';
import { requireReason } from '../validation/content.js';
import type { PostRef } from '../events.js';

/** Who deletes and why; the reason is asked of a moderator alone. */
export type Deletion = { readonly actor: ActingStudent; readonly reason: string | null };

/** The reason to record: null for the author, a moderator's own words otherwise. */
export const deletionReason = (
  { actor, reason }: Deletion,
  post: { authorId: string; spaceId: string },
): string | null => {
  requireActive(actor);
  if (actor.studentId === post.authorId) return null;
  if (!isModeratorOf(actor, post.spaceId)) throw new DomainError('FORBIDDEN');
  return requireReason(reason);
};

/** What a decision about a post of another stream needs to know of it. */
export type PostFacts<R extends PostRef = PostRef> = R & {
  /** It, or a post it stands under, was deleted by its author or removed by a moderator. */
  readonly removed: boolean;
};

/** Names each field, so that nothing else of the facts gets into an event. */
export const postRef = ({ postType, postId, questionId, spaceId, postAuthorId }: PostRef): PostRef => ({
  postType,
  postId,
  questionId,
  spaceId,
  postAuthorId,
});

/** Equal in content and order. */
export const sameTexts = (left: readonly string[], right: readonly string[]): boolean =>
  left.length === right.length && left.every((text, index) => text === right[index]);

interface Words {
  readonly title?: string | undefined;
  readonly body: string;
  readonly imageUrls: readonly string[];
}

/** A post as its author had it before their eyes when they began to edit it. What is left out is not compared. */
export type SeenPost = { readonly [Key in keyof Words]?: Words[Key] | undefined };

/**
 * Somebody with two tabs or two devices must not undo on one what they changed on the other. Who wants what is there already is not
 * told off.
 * @throws DomainError POST_CHANGED
 */
export const requireSeenPost = (seen: SeenPost | undefined, before: Words, after: Words): void => {
  const isStale = (key: 'title' | 'body'): boolean =>
    seen?.[key] !== undefined && seen[key] !== before[key] && after[key] !== before[key];
  const hasOtherImages =
    seen?.imageUrls !== undefined &&
    !sameImages(seen.imageUrls, before.imageUrls) &&
    !sameImages(after.imageUrls, before.imageUrls);
  if (isStale('title') || isStale('body') || hasOtherImages) throw new DomainError('POST_CHANGED');
};

/** In whatever order they are told. */
const sameImages = (left: readonly string[], right: readonly string[]): boolean =>
  sameTexts(left.toSorted(), right.toSorted());
