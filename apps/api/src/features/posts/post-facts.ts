import {
  aggregate,
  answerDecider,
  commentDecider,
  membershipStatus,
  membershipDecider,
  moderationDecider,
  questionDecider,
  type AnyAggregate,
  type MembershipStatus,
  type PostFacts,
  type PostRef,
  type PostType,
} from '@nimo/domain';
import type { DomainStreams } from '../../platform/commands/domain-streams.js';
import type { LocatedPost } from './post-locator.js';

const ofQuestion = (questionId: string): AnyAggregate[] => [
  aggregate(questionDecider, questionId),
  aggregate(moderationDecider, questionId),
];
const ofAnswer = (answerId: string): AnyAggregate[] => [
  aggregate(answerDecider, answerId),
  aggregate(moderationDecider, answerId),
];
const ofComment = (commentId: string): AnyAggregate[] => [
  aggregate(commentDecider, commentId),
  aggregate(moderationDecider, commentId),
];

const AGGREGATE_OF = {
  QUESTION: (id: string) => aggregate(questionDecider, id),
  ANSWER: (id: string) => aggregate(answerDecider, id),
  COMMENT: (id: string) => aggregate(commentDecider, id),
  QUESTION_COMMENT: (id: string) => aggregate(commentDecider, id),
};

/** The post itself, without its parents. */
export const postAggregate = ({ postType, postId }: PostRef): AnyAggregate => AGGREGATE_OF[postType](postId);

/** Whether the post itself was deleted. Requires its aggregate to be loaded. */
export function isPostDeleted(streams: DomainStreams, { postType, postId }: PostRef): boolean {
  switch (postType) {
    case 'QUESTION':
      return streams.state(aggregate(questionDecider, postId))?.deleted ?? true;
    case 'ANSWER':
      return streams.state(aggregate(answerDecider, postId))?.deleted ?? true;
    case 'COMMENT':
    case 'QUESTION_COMMENT':
      return streams.state(aggregate(commentDecider, postId))?.deleted ?? true;
  }
}

/** Aggregates that determine whether a post, or a post above it, was removed. */
export function removalAggregates(post: LocatedPost): AnyAggregate[] {
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
  streams.state(aggregate(moderationDecider, postId)).upheld;

export function isQuestionRemoved(streams: DomainStreams, questionId: string): boolean {
  const question = streams.state(aggregate(questionDecider, questionId));
  return !question || question.deleted || isUpheld(streams, questionId);
}

export function isAnswerRemoved(streams: DomainStreams, answerId: string): boolean {
  const answer = streams.state(aggregate(answerDecider, answerId));
  return !answer || answer.deleted || isUpheld(streams, answerId);
}

function isCommentRemoved(streams: DomainStreams, commentId: string): boolean {
  const comment = streams.state(aggregate(commentDecider, commentId));
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

/** Post facts for a decision on another stream. Requires the aggregates above to be loaded. */
export function postFacts(streams: DomainStreams, post: LocatedPost): PostFacts {
  const { postType, postId, questionId, spaceId, postAuthorId } = post;
  return { postType, postId, questionId, spaceId, postAuthorId, removed: isRemoved(streams, post) };
}

/** Post facts of a question or answer: comments cannot be voted or commented on. */
export function votablePostFacts(
  streams: DomainStreams,
  post: LocatedPost & { readonly postType: PostType },
): PostFacts<PostRef & { readonly postType: PostType }> {
  return { ...postFacts(streams, post), postType: post.postType };
}

/** Membership of the student in the space. Requires the membership aggregate to be loaded. */
export const isMember = (streams: DomainStreams, spaceId: string, studentId: string): MembershipStatus =>
  membershipStatus(streams.state(aggregate(membershipDecider, spaceId, studentId)), streams.now);
