import type { ClaimKind } from './event-parts.js';

// Small streams, one per decision, so that commands rarely conflict.

export const questionStream = (questionId: string) => `question-${questionId}`;
export const answerStream = (answerId: string) => `answer-${answerId}`;
export const commentStream = (commentId: string) => `comment-${commentId}`;
export const voteStream = (postId: string, studentId: string) => `vote-${postId}-${studentId}`;
export const moderationStream = (postId: string) => `moderation-${postId}`;
/** Removals of all posts of one author in one space. */
export const authorRemovalsStream = (spaceId: string, authorId: string) => `removal-${spaceId}-${authorId}`;
/** One removal, from before those of an author shared a stream. */
export const removalStream = (removalId: string) => `removal-${removalId}`;
export const caseStream = (caseId: string) => `case-${caseId}`;
export const bookmarkStream = (questionId: string, studentId: string) =>
  `bookmark-${questionId}-${studentId}`;
export const membershipStream = (spaceId: string, studentId: string) => `membership-${spaceId}-${studentId}`;
export const studentStream = (studentId: string) => `student-${studentId}`;
export const spaceStream = (spaceId: string) => `space-${spaceId}`;
/** @param slug from `topicSlug`, so that equal names share a stream */
export const topicStream = (subjectId: string, slug: string) => `topic-${subjectId}-${slug}`;
/** One stream for all avatars, because labels are unique. */
export const AVATARS_STREAM = 'avatars';
export const newspostStream = (newspostId: string) => `newspost-${newspostId}`;
export const reactionStream = (newspostId: string, studentId: string) =>
  `reaction-${newspostId}-${studentId}`;
/** Maintenance of one projection. */
export const projectionStream = (projection: string) => `projection-${projection}`;
/** One stream per read, because no decision depends on them. */
export const readStream = (readId: string) => `read-${readId}`;
export const SCORING_RULES_STREAM = 'scoring-rules';
/** Named by a keyed hash, because the claimed value is personal data. */
export const claimStream = (kind: ClaimKind, hmac: string) => `${kind}-${hmac}`;
