import type { PostRef } from '../events.js';

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
