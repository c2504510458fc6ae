import type { PostType } from '../../generated/graphql';

/** What a post is called on the screen and in what is remembered here. The api says COMMENT for a comment on an answer. */
export type ReportType = 'QUESTION' | 'ANSWER' | 'QUESTION_COMMENT' | 'ANSWER_COMMENT';

export type CommentType = Extract<ReportType, 'QUESTION_COMMENT' | 'ANSWER_COMMENT'>;

const onTheWire = {
  QUESTION: 'QUESTION',
  ANSWER: 'ANSWER',
  QUESTION_COMMENT: 'QUESTION_COMMENT',
  ANSWER_COMMENT: 'COMMENT',
} as const satisfies Record<ReportType, PostType>;

export const reportTypes = Object.keys(onTheWire) as ReportType[];

export function wireTypeOf(type: ReportType): PostType {
  return onTheWire[type];
}
