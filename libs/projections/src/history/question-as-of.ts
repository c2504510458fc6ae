import {
  ANSWER_COMMENTS_PAGE_SIZE,
  ANSWERS_PAGE_SIZE,
  MAX_COMMENTS_AT_ONCE,
  type DomainEvent,
  type EventMetadata,
} from '@nimo/domain';
import type { EventStore, RecordedEvent } from '@nimo/event-store';
import type { ProjectedEvent } from '../projection.js';
import type { Queryable } from '../queryable.js';
import {
  ANSWER_JOINS,
  ANSWER_VIEW,
  type AnswerColumns,
  answerFrom,
  type AnswerView,
} from '../questions/answers.queries.js';
import { type AnswerRow, answers, type CommentRow, comments, votes } from '../questions/posts.tables.js';
import {
  COMMENT_VIEW,
  type CommentColumns,
  commentFrom,
  type CommentView,
} from '../questions/comments.queries.js';
import {
  ALL_PARTS,
  type QuestionColumns,
  questionFrom,
  questionJoins,
  questionView,
  type QuestionView,
} from '../questions/question.view.js';
import { postVotes } from '../questions/questions.projection.js';
import { type QuestionRow, questions } from '../questions/questions.table.js';
import { countInMemory, foldInMemory } from '@nimo/projection-engine';
import { type AsOf, isCounted } from './scores-as-of.js';

/** All events of a question's page, in log order. */
export async function readQuestionHistory(
  db: Queryable,
  store: Pick<EventStore, 'readStreams'>,
  questionId: string,
): Promise<ProjectedEvent[]> {
  const { rows } = await db.query<{ ordinal: string; stream_id: string; event_id: string }>({
    text: `select ordinal, stream_id, event_id from read.question_events where question_id = $1 order by ordinal`,
    values: [questionId],
  });
  const streams = await store.readStreams([...new Set(rows.map((row) => row.stream_id))]);
  const byId = new Map([...streams.values()].flat().map((event) => [event.id, event]));
  return rows.flatMap(({ event_id, ordinal }) => {
    const event = byId.get(event_id);
    return event ? [projected(event, Number(ordinal))] : [];
  });
}

/** Events from the store were written by the domain and upcast to the current schema. */
const projected = ({ id, streamId, type, data, metadata }: RecordedEvent, ordinal: number): ProjectedEvent =>
  ({
    ...({ type, data } as unknown as DomainEvent),
    metadata: metadata as unknown as EventMetadata,
    id,
    streamId,
    ordinal,
  }) satisfies ProjectedEvent;

export interface AnswerAsOfView extends AnswerView {
  readonly comments: readonly CommentView[];
}

export interface QuestionAsOfView {
  /** Only moderators could see the page while it was removed. */
  readonly state: 'NOT_ASKED_YET' | 'VISIBLE' | 'REMOVED';
  readonly question: QuestionView | null;
  readonly answers: readonly AnswerAsOfView[];
  readonly comments: readonly CommentView[];
}

const NOT_ASKED_YET: QuestionAsOfView = { state: 'NOT_ASKED_YET', question: null, answers: [], comments: [] };

/**
 * A question's page at an earlier point: folds its events with the tables of the live page and reads the rows through the same
 * views. Names of people, subjects and spaces are current.
 */
export async function viewQuestionAsOf(
  db: Queryable,
  history: readonly ProjectedEvent[],
  asOf: AsOf,
): Promise<QuestionAsOfView> {
  const events = history.filter((event) => isCounted(asOf, event));
  const [row] = foldInMemory(questions, events);
  if (!row) return NOT_ASKED_YET;
  const visibleOf = <R extends { readonly question_id: string; readonly is_removed: boolean }>(
    rows: readonly R[],
  ) => rows.filter((child) => child.question_id === row.question_id && !child.is_removed);
  const shown = firstAnswers(row, visibleOf(foldInMemory(answers, events)));
  const parents = new Set([row.question_id, ...shown.map(({ answer_id }) => answer_id)]);
  const [question, answerViews, commentViews] = await Promise.all([
    viewOfQuestion(db, row),
    viewsOfAnswers(db, row, shown),
    viewsOfComments(db, firstComments(visibleOf(foldInMemory(comments, events)), parents)),
  ]);
  const counts = countInMemory(postVotes, votes, events);
  return {
    state: row.is_removed ? 'REMOVED' : 'VISIBLE',
    question: question && withCounts(question, counts),
    answers: answerViews.map((answer) => ({
      ...withCounts(answer, counts),
      comments: commentViews.filter((comment) => comment.answer?._id === answer._id),
    })),
    comments: commentViews.filter((comment) => comment.question !== null),
  };
}

/** Limited to a page of the live list. */
function firstAnswers(question: QuestionRow, rows: readonly AnswerRow[]): readonly AnswerRow[] {
  const isOther = ({ answer_id }: AnswerRow): number => Number(answer_id !== question.accepted_answer_id);
  const inOrder = [...rows].sort((left, right) => isOther(left) - isOther(right) || byAge(left, right));
  return inOrder.slice(0, ANSWERS_PAGE_SIZE);
}

/** Like the live list: every parent gets its first comment before any gets a second. */
function firstComments(rows: readonly CommentRow[], parents: ReadonlySet<string>): readonly CommentRow[] {
  const counts = new Map<string, number>();
  const placed = [...rows].sort(byAge).flatMap((comment) => {
    const place = (counts.get(comment.parent_id) ?? 0) + 1;
    counts.set(comment.parent_id, place);
    return parents.has(comment.parent_id) && place <= ANSWER_COMMENTS_PAGE_SIZE ? [{ comment, place }] : [];
  });
  placed.sort(
    (left, right) =>
      left.place - right.place || compareBytes(left.comment.parent_id, right.comment.parent_id),
  );
  return placed.slice(0, MAX_COMMENTS_AT_ONCE).map(({ comment }) => comment);
}

type Aged = { readonly created_at: string } & (
  | { readonly answer_id: string }
  | { readonly comment_id: string }
);

const idOf = (row: Aged): string => ('answer_id' in row ? row.answer_id : row.comment_id);
const byAge = (left: Aged, right: Aged): number =>
  compareBytes(left.created_at, right.created_at) || compareBytes(idOf(left), idOf(right));
const compareBytes = (left: string, right: string): number => Number(left > right) - Number(left < right);

/** Adds the vote counts, without voters: those are visible only in the audit. */
function withCounts<V extends QuestionView | AnswerView>(
  view: V,
  counts: ReadonlyMap<string, Readonly<Record<string, number>>>,
): V {
  const { upvotes = 0, downvotes = 0 } = counts.get(view._id) ?? {};
  return { ...view, upvoteCount: upvotes, downvoteCount: downvotes, upvotedBy: [], downvotedBy: [] };
}

async function viewOfQuestion(db: Queryable, row: QuestionRow): Promise<QuestionView | null> {
  const { rows } = await db.query<QuestionColumns>({
    text: `select ${questionView(ALL_PARTS, 'false')}
           from jsonb_populate_record(null::read.questions, $2::jsonb) q ${questionJoins(ALL_PARTS)}`,
    values: [null, JSON.stringify(row)],
  });
  return rows[0] ? questionFrom(rows[0], null) : null;
}

async function viewsOfAnswers(
  db: Queryable,
  question: QuestionRow,
  answerRows: readonly AnswerRow[],
): Promise<AnswerView[]> {
  const { rows } = await db.query<AnswerColumns>({
    text: `select ${ANSWER_VIEW} from jsonb_populate_record(null::read.questions, $2::jsonb) q
           join jsonb_populate_recordset(null::read.answers, $3::jsonb) x on true ${ANSWER_JOINS}
           order by x.answer_id is not distinct from q.accepted_answer_id desc, x.created_at, x.answer_id`,
    values: [null, JSON.stringify(question), JSON.stringify(answerRows)],
  });
  return rows.map((row) => answerFrom(row, null));
}

async function viewsOfComments(db: Queryable, commentRows: readonly CommentRow[]): Promise<CommentView[]> {
  const { rows } = await db.query<CommentColumns>({
    text: `select ${COMMENT_VIEW} from jsonb_populate_recordset(null::read.comments, $1::jsonb) c
           left join read.students a on a.student_id = c.author_id
           order by c.created_at, c.comment_id`,
    values: [JSON.stringify(commentRows)],
  });
  return rows.map((row) => commentFrom(row));
}
