import type { EventOf } from '@nimo/domain';
import { markDeleted, NOT_REMOVED, REMOVAL_COLUMNS, withRuling } from '../removal.js';
import {
  type Columns,
  type CounterIncrement,
  type CounterTable,
  typedColumn,
  type Key,
  type Projected,
  type Projection,
  type RowChange,
  type RowOf,
  type Table,
} from '../projection.js';

type AnswerTime = { readonly answerId: string; readonly at: string };

const COLUMNS = {
  question_id: { type: 'text' },
  space_id: { type: 'text' },
  subject_id: { type: 'text' },
  asked_at: { type: 'timestamptz' },
  /** Answers that are not removed. */
  answers: typedColumn<readonly AnswerTime[]>('jsonb'),
  /** Answers removed after reports, counted again after a reversal. */
  upheld_answers: typedColumn<readonly AnswerTime[]>('jsonb'),
  /** The last accepted answer. The question is solved while `answers` includes it. */
  chosen_answer_id: { type: 'text', nullable: true },
  ...REMOVAL_COLUMNS,
} as const satisfies Columns;

/** State of a question, as needed for statistics. */
type QuestionCourseRow = RowOf<typeof COLUMNS>;

/** Time to the first answer. The last bucket is open-ended. */
const WAIT_BUCKETS = ['within_hour', 'within_day', 'within_week', 'later'] as const;
type WaitBucket = (typeof WAIT_BUCKETS)[number];

const HOUR = 3_600_000;
const BUCKET_LIMITS: readonly (readonly [WaitBucket, number])[] = [
  ['within_hour', HOUR],
  ['within_day', 24 * HOUR],
  ['within_week', 7 * 24 * HOUR],
];

const withoutId = (answers: readonly AnswerTime[], answerId: string) =>
  answers.filter((answer) => answer.answerId !== answerId);
const withId = (answers: readonly AnswerTime[], answerId: string) =>
  answers.filter((answer) => answer.answerId === answerId);

function withoutAnswer(row: QuestionCourseRow, answerId: string): QuestionCourseRow {
  const { answers, upheld_answers } = row;
  return {
    ...row,
    answers: withoutId(answers, answerId),
    upheld_answers: withoutId(upheld_answers, answerId),
  };
}

function withAnswer(row: QuestionCourseRow, answerId: string, at: string): QuestionCourseRow {
  return { ...row, answers: [...row.answers, { answerId, at }] };
}

/** Moves the answer between the lists. A deleted answer is in neither. */
function withAnswerRuling(row: QuestionCourseRow, answerId: string, isUpheld: boolean): QuestionCourseRow {
  const { answers, upheld_answers } = row;
  const known = withId([...answers, ...upheld_answers], answerId);
  return {
    ...row,
    answers: [...withoutId(answers, answerId), ...(isUpheld ? [] : known)],
    upheld_answers: [...withoutId(upheld_answers, answerId), ...(isUpheld ? known : [])],
  };
}

function afterRuling(
  row: QuestionCourseRow,
  { postType, postId }: EventOf<'ReportsUpheld'>['data'],
  isUpheld: boolean,
): QuestionCourseRow {
  if (postType === 'QUESTION') return withRuling(row, isUpheld);
  return postType === 'ANSWER' ? withAnswerRuling(row, postId, isUpheld) : row;
}

type OfQuestion = { readonly data: { readonly questionId: string } };
const ofQuestion = ({ data }: OfQuestion): readonly Key[] => [[data.questionId]];
const ofRuling = ({ data }: Projected<'ReportsUpheld' | 'UpholdingReversed'>): readonly Key[] =>
  data.postType === 'QUESTION' || data.postType === 'ANSWER' ? [[data.questionId]] : [];

export const questionCourses: Table<QuestionCourseRow> = {
  name: 'question_courses',
  columns: COLUMNS,
  key: ['question_id'],
  on: {
    QuestionAsked: {
      keys: ofQuestion,
      fold: (_, { data, metadata }) => ({
        question_id: data.questionId,
        space_id: data.spaceId,
        subject_id: data.subjectId,
        asked_at: metadata.occurredAt,
        answers: [],
        upheld_answers: [],
        chosen_answer_id: null,
        ...NOT_REMOVED,
      }),
    },
    QuestionDeleted: { keys: ofQuestion, change: markDeleted },
    AnswerPosted: {
      keys: ofQuestion,
      change: (row, { data, metadata }) => withAnswer(row, data.answerId, metadata.occurredAt),
    },
    AnswerDeleted: { keys: ofQuestion, change: (row, { data }) => withoutAnswer(row, data.answerId) },
    AnswerAccepted: {
      keys: ofQuestion,
      change: (row, { data }) => ({ ...row, chosen_answer_id: data.answerId }),
    },
    ReportsUpheld: { keys: ofRuling, change: (row, { data }) => afterRuling(row, data, true) },
    UpholdingReversed: { keys: ofRuling, change: (row, { data }) => afterRuling(row, data, false) },
  },
};

const dayOf = (moment: string): string => moment.slice(0, 10);

function waitBucket({ asked_at, answers }: QuestionCourseRow): WaitBucket | undefined {
  if (answers.length === 0) return undefined;
  const wait = Math.min(...answers.map(({ at }) => Date.parse(at))) - Date.parse(asked_at);
  return BUCKET_LIMITS.find(([, limit]) => wait <= limit)?.[0] ?? 'later';
}

/** Contribution of a question to the counters, on the day it was asked and on the days of its answers. */
function contributionOf(row: QuestionCourseRow | undefined): readonly CounterIncrement[] {
  if (!row || row.is_removed) return [];
  const bucket = waitBucket(row);
  const on = (moment: string) => [row.space_id, dayOf(moment), row.subject_id];
  const solved = row.answers.some(({ answerId }) => answerId === row.chosen_answer_id) ? 1 : 0;
  return [
    { key: on(row.asked_at), by: { questions: 1, solved, ...(bucket && { [bucket]: 1 }) } },
    ...row.answers.map(({ at }) => ({ key: on(at), by: { answers: 1 } })),
  ];
}

/** Difference between the contributions before and after. */
function increments({ before, after }: RowChange<QuestionCourseRow>): readonly CounterIncrement[] {
  const sums = new Map<string, { readonly key: readonly string[]; readonly by: Record<string, number> }>();
  const add = (contribution: readonly CounterIncrement[], sign: 1 | -1) => {
    for (const { key, by } of contribution) {
      const sum = sums.get(key.join(' ')) ?? { key, by: {} };
      sums.set(key.join(' '), sum);
      for (const [counter, step] of Object.entries(by)) {
        sum.by[counter] = (sum.by[counter] ?? 0) + sign * step;
      }
    }
  };
  add(contributionOf(before), -1);
  add(contributionOf(after), 1);
  return [...sums.values()].flatMap(({ key, by }) => {
    const changed = Object.entries(by).filter(([, step]) => step !== 0);
    return changed.length === 0 ? [] : [{ key, by: Object.fromEntries(changed) }];
  });
}

/** Questions and answers per day and subject. `solved` and the wait buckets count the questions asked on that day. */
const activityDays: CounterTable = {
  name: 'activity_days',
  key: ['space_id', 'day', 'subject_id'],
  counters: ['questions', 'answers', 'solved', ...WAIT_BUCKETS],
  source: 'question_courses',
  increments,
};

/** Statistics for Nimo Sense. Counters by day and subject, so that reads count nothing. */
export const statisticsProjection = {
  name: 'statistics',
  purpose: 'Statistics by space, day and subject',
  version: 2,
  lingers: true,
  tables: [questionCourses],
  counters: [activityDays],
} as const satisfies Projection;
