import type { ScoreReasonKind } from '../../generated/graphql';

const kinds: { readonly [Kind in ScoreReasonKind]: Kind } = {
  QUESTION_POSTED: 'QUESTION_POSTED',
  ANSWER_POSTED: 'ANSWER_POSTED',
  COMMENT_POSTED: 'COMMENT_POSTED',
  UPVOTE_CAST: 'UPVOTE_CAST',
  DOWNVOTE_CAST: 'DOWNVOTE_CAST',
  QUESTION_UPVOTED: 'QUESTION_UPVOTED',
  QUESTION_DOWNVOTED: 'QUESTION_DOWNVOTED',
  ANSWER_UPVOTED: 'ANSWER_UPVOTED',
  ANSWER_DOWNVOTED: 'ANSWER_DOWNVOTED',
  ANSWER_ACCEPTED: 'ANSWER_ACCEPTED',
  ACCEPTED_AN_ANSWER: 'ACCEPTED_AN_ANSWER',
  POST_REPORTED: 'POST_REPORTED',
};

/** The reason of that name, as an address may carry it; none where there is no such reason. */
export const reasonKindOf = (name: string | null): ScoreReasonKind | undefined =>
  Object.values(kinds).find((kind) => kind === name);
