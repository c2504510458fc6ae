import type { PostType } from '../../generated/graphql';

/** Post type in the app and its storage. The API calls a comment on an answer `COMMENT`. */
export type ReportType = 'QUESTION' | 'ANSWER' | 'QUESTION_COMMENT' | 'ANSWER_COMMENT';

export type CommentType = Extract<ReportType, 'QUESTION_COMMENT' | 'ANSWER_COMMENT'>;

const wireTypes = {
  QUESTION: 'QUESTION',
  ANSWER: 'ANSWER',
  QUESTION_COMMENT: 'QUESTION_COMMENT',
  ANSWER_COMMENT: 'COMMENT',
} as const satisfies Record<ReportType, PostType>;

export const reportTypes = Object.keys(wireTypes) as ReportType[];

export function wireTypeOf(type: ReportType): PostType {
  return wireTypes[type];
}

/** The nine reasons by catalogue key, with the API's wording, which is sent in every language. */
export const reportReasons = {
  spam: 'Its spam',
  nudity: 'Nudity or sexual activity',
  hate: 'Hate picture or symbols',
  dislike: "I just don't like it",
  bullying: 'Bullying or harassment',
  falseInformation: 'Fasle information',
  violence: 'Violence or dangerous',
  scam: 'Scam or fraud',
  other: 'Something else',
} as const;

export type ReportReason = keyof typeof reportReasons;

export const reportReasonKeys = Object.keys(reportReasons) as ReportReason[];
