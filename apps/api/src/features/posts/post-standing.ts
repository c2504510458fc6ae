import {
  answerStream,
  commentStream,
  evolveAnswer,
  evolveComment,
  evolveMembership,
  evolveModeration,
  evolveQuestion,
  initialAnswer,
  initialComment,
  initialMembership,
  initialModeration,
  initialQuestion,
  inSpace,
  membershipStream,
  moderationStream,
  questionStream,
  type InSpace,
  type PostFacts,
  type PostRef,
  type PostType,
} from '@nimo/domain';
import type { DomainStreams } from '../../platform/commands/domain-streams.js';
import type { LocatedPost } from './post-locator.js';

const ofQuestion = (questionId: string): string[] => [
  questionStream(questionId),
  moderationStream(questionId),
];
const ofAnswer = (answerId: string): string[] => [answerStream(answerId), moderationStream(answerId)];
const ofComment = (commentId: string): string[] => [commentStream(commentId), moderationStream(commentId)];

/** The streams that tell whether a post, and all that it stands under, is still there. */
export function standingStreams(post: LocatedPost): string[] {
  const question = ofQuestion(post.questionId);
  switch (post.postType) {
    case 'QUESTION':
      return question;
    case 'ANSWER':
      return [...question, ...ofAnswer(post.postId)];
    case 'QUESTION_COMMENT':
      return [...question, ...ofComment(post.postId)];
    case 'COMMENT':
      return [...question, ...ofAnswer(post.parentId), ...ofComment(post.postId)];
  }
}

export const isUpheld = (streams: DomainStreams, postId: string): boolean =>
  streams.state(moderationStream(postId), initialModeration, evolveModeration).upheld;

export function isQuestionRemoved(streams: DomainStreams, questionId: string): boolean {
  const question = streams.state(questionStream(questionId), initialQuestion, evolveQuestion);
  return !question || question.deleted || isUpheld(streams, questionId);
}

export function isAnswerRemoved(streams: DomainStreams, answerId: string): boolean {
  const answer = streams.state(answerStream(answerId), initialAnswer, evolveAnswer);
  return !answer || answer.deleted || isUpheld(streams, answerId);
}

function isCommentRemoved(streams: DomainStreams, commentId: string): boolean {
  const comment = streams.state(commentStream(commentId), initialComment, evolveComment);
  return !comment || comment.deleted || isUpheld(streams, commentId);
}

function isRemoved(streams: DomainStreams, post: LocatedPost): boolean {
  if (isQuestionRemoved(streams, post.questionId)) return true;
  switch (post.postType) {
    case 'QUESTION':
      return false;
    case 'ANSWER':
      return isAnswerRemoved(streams, post.postId);
    case 'QUESTION_COMMENT':
      return isCommentRemoved(streams, post.postId);
    case 'COMMENT':
      return isAnswerRemoved(streams, post.parentId) || isCommentRemoved(streams, post.postId);
  }
}

/** The post as a decision of another stream sees it; `standingStreams` were loaded. */
export function postFacts(streams: DomainStreams, post: LocatedPost): PostFacts {
  const { postType, postId, questionId, spaceId, postAuthorId } = post;
  return { postType, postId, questionId, spaceId, postAuthorId, removed: isRemoved(streams, post) };
}

/** The same for a question or an answer, which alone can be voted and commented on. */
export function votablePostFacts(
  streams: DomainStreams,
  post: LocatedPost & { readonly postType: PostType },
): PostFacts<PostRef & { readonly postType: PostType }> {
  return { ...postFacts(streams, post), postType: post.postType };
}

/** How the student is in the space; the membership's stream was loaded. */
export const isMember = (streams: DomainStreams, spaceId: string, studentId: string): InSpace =>
  inSpace(streams.state(membershipStream(spaceId, studentId), initialMembership, evolveMembership));
