import type { PostRef } from '../events.js';
import { DomainError } from '../errors.js';

/** What a decision about a post of another stream needs to know of it. */
export type PostFacts<R extends PostRef = PostRef> = R & {
  /** It, or a post it stands under, was deleted by its author or removed by a moderator. */
  readonly removed: boolean;
};

export const requireStandingPost = (post: PostFacts | undefined): void => {
  if (post === undefined || post.removed) throw new DomainError('POST_NOT_FOUND');
};

/** Names each field, so that nothing else of the facts gets into an event. */
export const postRef = ({ postType, postId, questionId, spaceId, postAuthorId }: PostRef): PostRef => ({
  postType,
  postId,
  questionId,
  spaceId,
  postAuthorId,
});
