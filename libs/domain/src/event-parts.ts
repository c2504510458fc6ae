export type PostType = 'QUESTION' | 'ANSWER';
export type ReportedPostType = 'QUESTION' | 'ANSWER' | 'COMMENT' | 'QUESTION_COMMENT';
export type VoteDirection = 'UP' | 'DOWN';
export type TopicType = 'PRIMARY' | 'SECONDARY';
export type Role = 'MODERATOR' | 'MAINTAINER';
/** From lowest to highest. A lower rank cannot lift a block by a higher one. */
export type Rank = 'STUDENT' | 'MODERATOR' | 'MODERATOR_OF_ALL' | 'MAINTAINER' | 'OPERATOR';
export type ClaimKind = 'username' | 'phone' | 'email';

/** Location and author of a post. */
export type PostRef = {
  readonly postType: ReportedPostType;
  readonly postId: string;
  readonly questionId: string;
  readonly spaceId: string;
  readonly postAuthorId: string;
};

/** Shared by the examples of several events. */
export const examplePost = {
  postType: 'QUESTION',
  postId: 'question-1',
  questionId: 'question-1',
  spaceId: 'space-1',
  postAuthorId: 'student-1',
} as const;
export const exampleVote = {
  ...examplePost,
  voterId: 'student-2',
  direction: 'UP',
  voterIsStandIn: false,
} as const;
