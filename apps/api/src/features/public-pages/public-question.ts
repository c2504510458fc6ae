import { type AnswerView, type CommentView, type QuestionView } from '@nimo/projections';
import { withoutFormulaMarks } from '@nimo/rich-text';

export interface PublicAnswer {
  readonly answer: AnswerView;
  readonly isAccepted: boolean;
  readonly comments: readonly CommentView[];
}

/** All that anybody who has a question's link may read. */
export interface PublicQuestion {
  readonly question: QuestionView;
  readonly comments: readonly CommentView[];
  readonly answers: readonly PublicAnswer[];
  /** Its space is kept out of search engines. */
  readonly isHidden: boolean;
}

/** What the whole world reads of a person: the user name they chose, never the full name. An erased person has none. */
export const nameOf = ({ userName }: QuestionView['author']): string => userName || 'Somebody';

/** What a list of results or a preview says of the question. */
export function descriptionOf({ excerpt, answerCount, subject, space }: QuestionView): string {
  const answers = answerCount === 1 ? '1 answer' : `${answerCount} answers`;
  const place = [subject.subjectName, space.name].filter(Boolean).join(', ');
  return excerpt === '' ? `A question in ${place} with ${answers}.` : withoutFormulaMarks(excerpt);
}
