import type { ClaimKind } from './event-parts.js';

/** Names of all streams: small ones, one a decision, so that nobody waits for anybody. */
export const questionStream = (questionId: string) => `question-${questionId}`;
export const answerStream = (answerId: string) => `answer-${answerId}`;
export const commentStream = (commentId: string) => `comment-${commentId}`;
export const voteStream = (postId: string, studentId: string) => `vote-${postId}-${studentId}`;
export const moderationStream = (postId: string) => `moderation-${postId}`;
export const caseStream = (caseId: string) => `case-${caseId}`;
export const bookmarkStream = (questionId: string, studentId: string) =>
  `bookmark-${questionId}-${studentId}`;
export const membershipStream = (spaceId: string, studentId: string) => `membership-${spaceId}-${studentId}`;
export const studentStream = (studentId: string) => `student-${studentId}`;
export const spaceStream = (spaceId: string) => `space-${spaceId}`;
/** `slug` comes from `topicSlug`, which makes equal names equal streams. */
export const topicStream = (subjectId: string, slug: string) => `topic-${subjectId}-${slug}`;
/** One stream: there are few, and a label is taken once. */
export const AVATARS_STREAM = 'avatars';
export const newspostStream = (newspostId: string) => `newspost-${newspostId}`;
export const reactionStream = (newspostId: string, studentId: string) =>
  `reaction-${newspostId}-${studentId}`;
/** Of a projection's name in the registry: what maintainers did to it. */
export const projectionStream = (projection: string) => `projection-${projection}`;
/** One for each read: nobody decides anything by them. */
export const readStream = (readId: string) => `read-${readId}`;
export const SCORING_RULES_STREAM = 'scoring-rules';
/** The value itself is personal: a stream is named by its keyed hash. */
export const claimStream = (kind: ClaimKind, hmac: string) => `${kind}-${hmac}`;
