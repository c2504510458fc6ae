import { type ActingStudent, isModeratorOf, requireActive } from '../authority.js';
import { DomainError } from '../errors.js';
import { requireReason } from '../validation/content.js';
import type { PostRef } from '../events.js';

/** Only moderators must give a reason. */
export type Deletion = { readonly actor: ActingStudent; readonly reason: string | null };

/** Reason to record: null for the author, otherwise the moderator's text. @throws DomainError */
export const deletionReason = (
  { actor, reason }: Deletion,
  post: { authorId: string; spaceId: string },
): string | null => {
  requireActive(actor);
  if (actor.studentId === post.authorId) return null;
  if (!isModeratorOf(actor, post.spaceId)) throw new DomainError('FORBIDDEN');
  return requireReason(reason);
};

/** Facts about a post for decisions in other streams. */
export type PostFacts<R extends PostRef = PostRef> = R & {
  /** Whether the post or one of its parents was deleted by its author or removed by a moderator. */
  readonly removed: boolean;
};

/** Picks the fields, to keep other facts out of events. */
export const postRef = ({ postType, postId, questionId, spaceId, postAuthorId }: PostRef): PostRef => ({
  postType,
  postId,
  questionId,
  spaceId,
  postAuthorId,
});

export const sameTexts = (left: readonly string[], right: readonly string[]): boolean =>
  left.length === right.length && left.every((text, index) => text === right[index]);

interface PostContent {
  readonly title?: string | undefined;
  readonly body: string;
  readonly imageUrls: readonly string[];
}

/** A post as loaded into the editor. Omitted fields are not compared. */
export type PostBaseline = { readonly [Key in keyof PostContent]?: PostContent[Key] | undefined };

/** Prevents an edit from overwriting changes made in another tab or on another device. @throws DomainError POST_CHANGED */
export const requireUnchangedPost = (
  seen: PostBaseline | undefined,
  before: PostContent,
  after: PostContent,
): void => {
  const isStale = (key: 'title' | 'body'): boolean =>
    seen?.[key] !== undefined && seen[key] !== before[key] && after[key] !== before[key];
  const hasOtherImages =
    seen?.imageUrls !== undefined &&
    !sameImages(seen.imageUrls, before.imageUrls) &&
    !sameImages(after.imageUrls, before.imageUrls);
  if (isStale('title') || isStale('body') || hasOtherImages) throw new DomainError('POST_CHANGED');
};

/** Ignores the order. */
const sameImages = (left: readonly string[], right: readonly string[]): boolean =>
  sameTexts(left.toSorted(), right.toSorted());
