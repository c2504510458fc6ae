import type { EventOf } from '@nimo/domain';
import { deleted, NOT_REMOVED, REMOVAL_COLUMNS, ruledOn } from '../removal.js';
import {
  type Columns,
  type CounterIncrement,
  type CounterTable,
  holding,
  type Key,
  type Projected,
  type Projection,
  type RowChange,
  type RowOf,
  type Table,
} from '../projection.js';

type AnswerMoment = { readonly answerId: string; readonly at: string };

const COLUMNS = {
  question_id: { type: 'text' },
  space_id: { type: 'text' },
  subject_id: { type: 'text' },
  asked_at: { type: 'timestamptz' },
  /** Those that are not removed: counted on their days, and the earliest as the first answer. */
  answers: holding<readonly AnswerMoment[]>('jsonb'),
  /** Removed after reports: they are counted again when that is reversed. */
  upheld_answers: holding<readonly AnswerMoment[]>('jsonb'),
  /** The last one accepted; solved while it is among `answers`. */
  chosen_answer_id: { type: 'text', nullable: true },
  ...REMOVAL_COLUMNS,
} as const satisfies Columns;

/** What became of a question, as far as statistics tell it. */
type QuestionCourseRow = RowOf<typeof COLUMNS>;

/** How long a question waited for its first answer; the last class has no end. */
const FIRST_ANSWER_CLASSES = ['within_hour', 'within_day', 'within_week', 'later'] as const;
type FirstAnswerClass = (typeof FIRST_ANSWER_CLASSES)[number];

const HOUR = 3_600_000;
const ENDS: readonly (readonly [FirstAnswerClass, number])[] = [
  ['within_hour', HOUR],
  ['within_day', 24 * HOUR],
  ['within_week', 7 * 24 * HOUR],
];

const others = (answers: readonly AnswerMoment[], answerId: string) =>
  answers.filter((answer) => answer.answerId !== answerId);
const only = (answers: readonly AnswerMoment[], answerId: string) =>
  answers.filter((answer) => answer.answerId === answerId);

function withoutAnswer(row: QuestionCourseRow, answerId: string): QuestionCourseRow {
  const { answers, upheld_answers } = row;
  return { ...row, answers: others(answers, answerId), upheld_answers: others(upheld_answers, answerId) };
}

function withAnswer(row: QuestionCourseRow, answerId: string, at: string): QuestionCourseRow {
  return { ...row, answers: [...row.answers, { answerId, at }] };
}

/** From one list to the other; one that was deleted is in neither. */
function ruledOnAnswer(row: QuestionCourseRow, answerId: string, isUpheld: boolean): QuestionCourseRow {
  const { answers, upheld_answers } = row;
  const known = only([...answers, ...upheld_answers], answerId);
  return {
    ...row,
    answers: [...others(answers, answerId), ...(isUpheld ? [] : known)],
    upheld_answers: [...others(upheld_answers, answerId), ...(isUpheld ? known : [])],
  };
}

function afterRuling(
  row: QuestionCourseRow,
  { postType, postId }: EventOf<'ReportsUpheld'>['data'],
  isUpheld: boolean,
): QuestionCourseRow {
  if (postType === 'QUESTION') return ruledOn(row, isUpheld);
  return postType === 'ANSWER' ? ruledOnAnswer(row, postId, isUpheld) : row;
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
    QuestionDeleted: { keys: ofQuestion, change: deleted },
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

function firstAnswerClass({ asked_at, answers }: QuestionCourseRow): FirstAnswerClass | undefined {
  if (answers.length === 0) return undefined;
  const wait = Math.min(...answers.map(({ at }) => Date.parse(at))) - Date.parse(asked_at);
  return ENDS.find(([, end]) => wait <= end)?.[0] ?? 'later';
}

/** What a question stands for in the counters: on the day it was asked, and on the days of its answers. */
function shareOf(row: QuestionCourseRow | undefined): readonly CounterIncrement[] {
  if (!row || row.is_removed) return [];
  const first = firstAnswerClass(row);
  const on = (moment: string) => [row.space_id, dayOf(moment), row.subject_id];
  const solved = row.answers.some(({ answerId }) => answerId === row.chosen_answer_id) ? 1 : 0;
  return [
    { key: on(row.asked_at), by: { questions: 1, solved, ...(first && { [first]: 1 }) } },
    ...row.answers.map(({ at }) => ({ key: on(at), by: { answers: 1 } })),
  ];
}

/** The share after, less the share before; what cancels out is left alone. */
function steps({ before, after }: RowChange<QuestionCourseRow>): readonly CounterIncrement[] {
  const sums = new Map<string, { readonly key: readonly string[]; readonly by: Record<string, number> }>();
  const add = (share: readonly CounterIncrement[], sign: 1 | -1) => {
    for (const { key, by } of share) {
      const sum = sums.get(key.join(' ')) ?? { key, by: {} };
      sums.set(key.join(' '), sum);
      for (const [counter, step] of Object.entries(by)) {
        sum.by[counter] = (sum.by[counter] ?? 0) + sign * step;
      }
    }
  };
  add(shareOf(before), -1);
  add(shareOf(after), 1);
  return [...sums.values()].flatMap(({ key, by }) => {
    const moved = Object.entries(by).filter(([, step]) => step !== 0);
    return moved.length === 0 ? [] : [{ key, by: Object.fromEntries(moved) }];
  });
}

/** Questions and answers of a day in a subject. `solved` and the waits are of the questions asked on that day. */
const activityDays: CounterTable = {
  name: 'activity_days',
  key: ['space_id', 'day', 'subject_id'],
  counters: ['questions', 'answers', 'solved', ...FIRST_ANSWER_CLASSES],
  source: 'question_courses',
  increments: steps,
};

/** What Nimo Sense shows of a space: counters by day and subject, so that nothing is counted when it is read. */
export const statisticsProjection = {
  name: 'statistics',
  purpose: 'Figures by space, day and subject',
  version: 2,
  lingers: true,
  tables: [questionCourses],
  counters: [activityDays],
} as const satisfies Projection;
