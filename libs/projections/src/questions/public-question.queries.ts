import { type LivePlaces, livePlacesSql } from '@nimo/projection-engine';
import type { Queryable } from '../queryable.js';
import type { AuthorColumns } from '../students/students.queries.js';
import {
  answerFrom,
  ANSWERS_ORDER,
  answersInOrder,
  type AnswerColumns,
  type AnswerView,
} from './answers.queries.js';
import { byParent, commentsOf, type CommentColumns, type CommentView } from './comments.queries.js';
import { isPublic } from '../readable.js';
import {
  ALL_PARTS,
  isMemberColumn,
  type QuestionColumns,
  questionFrom,
  questionJoins,
  questionView,
  type QuestionView,
} from './question.view.js';
import { PUBLIC_PAGE_PROJECTIONS, type PublicQuestionRows } from '../public-question-rows.js';

export interface PublicQuestionOptions {
  readonly questionId: string;
  /** The most answers. */
  readonly limit: number;
  /** The most bytes of all bodies together. */
  readonly bodyBytes: number;
}

export interface PublicAnswerView {
  readonly answer: AnswerView;
  readonly comments: readonly CommentView[];
}

export interface PublicQuestionView {
  readonly question: QuestionView;
  readonly comments: readonly CommentView[];
  readonly answers: readonly PublicAnswerView[];
  /** Its space asks search engines to pass by. */
  readonly isHidden: boolean;
}

/** What was read, and what tells later whether it would still be read. */
export interface ReadPublicQuestion {
  readonly view: PublicQuestionView;
  readonly rows: PublicQuestionRows;
  readonly places: LivePlaces;
}

interface PublicQuestionRow {
  readonly question: QuestionColumns;
  readonly answers: readonly AnswerColumns[];
  readonly comments: readonly CommentColumns[];
  readonly is_hidden: boolean;
  readonly places: LivePlaces | null;
}

/**
 * A question with its first answers, as far as their bodies fit, and all their comments, as anybody reads them. The database knows how long a
 * stored body is without reading it, and bodies that do not fit are never read.
 *
 * One statement, whose parts come as JSON: four would be three round trips, one after the other.
 */
export async function readPublicQuestion(
  db: Queryable,
  { questionId, limit, bodyBytes }: PublicQuestionOptions,
): Promise<ReadPublicQuestion | null> {
  const { rows } = await db.query<PublicQuestionRow>({
    name: `public-question-${limit}`,
    text: `
      with question as materialized (
        select ${questionView(ALL_PARTS, isMemberColumn('q.space_id'))}
        from read.questions q ${questionJoins(ALL_PARTS)} 
        where q.question_id = $2 and not q.is_removed and ${isPublic('q.space_id')}
      ), answers as materialized (
        select * from (
          select page.*, sum(octet_length(page.body)) over (order by ${ANSWERS_ORDER}) as body_bytes
          from (${answersInOrder('= $2', `limit ${limit}`)}) page
        ) page
        where page.body_bytes <= $3 - (select octet_length(body) from question)
      ), comments as materialized (
        ${commentsOf('(select $2::text union all select answer_id from answers) as parent (id)')}
      )
      select row_to_json(question) as question,
        (select coalesce(json_agg(page order by ${ANSWERS_ORDER}), '[]') from answers page) as answers,
        (select coalesce(json_agg(page order by page.place, page.parent_id), '[]') from comments page) as comments,
        coalesce((select is_hidden_from_search_engines from read.spaces s where s.space_id = question.space_id), false) as is_hidden,
        ${livePlacesSql(PUBLIC_PAGE_PROJECTIONS)} as places
      from question`,
    values: [null, questionId, bodyBytes],
  });
  const [row] = rows;
  return row
    ? {
        view: publicQuestionFrom(row),
        rows: rowsOf(row, [row.question, ...row.answers, ...row.comments]),
        places: row.places ?? {},
      }
    : null;
}

const rowsOf = (
  { question, comments }: PublicQuestionRow,
  written: readonly AuthorColumns[],
): PublicQuestionRows => ({
  questionId: question.question_id,
  studentIds: new Set([
    ...written.map(({ author_id }) => author_id),
    ...comments.flatMap(({ names }) => Object.keys(names ?? {})),
  ]),
  placeIds: new Set([question.space_id, question.subject_id, question.topic_id]),
});

function publicQuestionFrom({
  question,
  answers,
  comments,
  is_hidden,
}: PublicQuestionRow): PublicQuestionView {
  const [own = [], ...ofAnswers] = byParent(comments, [
    question.question_id,
    ...answers.map(({ answer_id }) => answer_id),
  ]);
  return {
    question: questionFrom(question, null),
    comments: own,
    answers: answers.map((row, index) => ({
      answer: answerFrom(row, null),
      comments: ofAnswers[index] ?? [],
    })),
    isHidden: is_hidden,
  };
}
