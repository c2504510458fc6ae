import type { EventOf } from '@nimo/domain';
import type { CounterIncrement, CounterTable, Key, ProjectedEvent, RowChange, Table } from '../projection.js';

/** What became of a question, as far as statistics tell it. */
export type QuestionCourseRow = {
  readonly question_id: string;
  readonly space_id: string;
  readonly subject_id: string;
  readonly asked_at: string;
  /** Those that are not removed: counted on their days, and the earliest as the first answer. */
  readonly answers: readonly { readonly answerId: string; readonly at: string }[];
  readonly accepted_answer_id: string | null;
  readonly is_removed: boolean;
};

/** How long a question waited for its first answer; the last class has no end. */
export const FIRST_ANSWER_CLASSES = ['within_hour', 'within_day', 'within_week', 'later'] as const;
export type FirstAnswerClass = (typeof FIRST_ANSWER_CLASSES)[number];

const HOUR = 3_600_000;
const ENDS: readonly (readonly [FirstAnswerClass, number])[] = [
  ['within_hour', HOUR],
  ['within_day', 24 * HOUR],
  ['within_week', 7 * 24 * HOUR],
];

function withoutAnswer(row: QuestionCourseRow, answerId: string): QuestionCourseRow {
  if (!row.answers.some((answer) => answer.answerId === answerId)) return row;
  return {
    ...row,
    answers: row.answers.filter((answer) => answer.answerId !== answerId),
    accepted_answer_id: row.accepted_answer_id === answerId ? null : row.accepted_answer_id,
  };
}

function withAnswer(row: QuestionCourseRow, answerId: string, at: string): QuestionCourseRow {
  return { ...row, answers: [...row.answers, { answerId, at }] };
}

/** The answer may have been removed a moment before: then the question stays unsolved. */
function accepting(row: QuestionCourseRow, answerId: string): QuestionCourseRow {
  const isThere = row.answers.some((answer) => answer.answerId === answerId);
  return isThere ? { ...row, accepted_answer_id: answerId } : row;
}

function upheld(row: QuestionCourseRow, { postType, postId }: EventOf<'ReportsUpheld'>['data']) {
  if (postType === 'QUESTION') return { ...row, is_removed: true };
  return postType === 'ANSWER' ? withoutAnswer(row, postId) : row;
}

function foldKnown(row: QuestionCourseRow, event: ProjectedEvent): QuestionCourseRow {
  switch (event.type) {
    case 'QuestionDeleted':
      return { ...row, is_removed: true };
    case 'AnswerPosted':
      return withAnswer(row, event.data.answerId, event.metadata.occurredAt);
    case 'AnswerDeleted':
      return withoutAnswer(row, event.data.answerId);
    case 'AnswerAccepted':
      return accepting(row, event.data.answerId);
    case 'ReportsUpheld':
      return upheld(row, event.data);
    default:
      return row;
  }
}

export const questionCourses: Table<QuestionCourseRow> = {
  name: 'question_courses',
  columns: {
    question_id: { type: 'text' },
    space_id: { type: 'text' },
    subject_id: { type: 'text' },
    asked_at: { type: 'timestamptz' },
    answers: { type: 'jsonb' },
    accepted_answer_id: { type: 'text', nullable: true },
    is_removed: { type: 'boolean' },
  },
  key: ['question_id'],
  keysOf(event): readonly Key[] {
    switch (event.type) {
      case 'QuestionAsked':
      case 'QuestionDeleted':
      case 'AnswerPosted':
      case 'AnswerDeleted':
      case 'AnswerAccepted':
        return [[event.data.questionId]];
      case 'ReportsUpheld':
        return event.data.postType === 'QUESTION' || event.data.postType === 'ANSWER'
          ? [[event.data.questionId]]
          : [];
      default:
        return [];
    }
  },
  fold(row, event) {
    if (event.type !== 'QuestionAsked') return row && foldKnown(row, event);
    return {
      question_id: event.data.questionId,
      space_id: event.data.spaceId,
      subject_id: event.data.subjectId,
      asked_at: event.metadata.occurredAt,
      answers: [],
      accepted_answer_id: null,
      is_removed: false,
    };
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
  const solved = row.accepted_answer_id === null ? 0 : 1;
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
export const activityDays: CounterTable = {
  name: 'activity_days',
  key: ['space_id', 'day', 'subject_id'],
  counters: ['questions', 'answers', 'solved', ...FIRST_ANSWER_CLASSES],
  source: 'question_courses',
  increments: steps,
};
