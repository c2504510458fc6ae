import type { CounterIncrement, CounterTable, Projection, RowChange } from '../projection.js';
import { RICH_TEXT_VERSION } from '@nimo/rich-text';
import { answers, bookmarks, comments, postReports, type VoteRow, votes } from './posts.tables.js';
import { questions, type QuestionRow } from './questions.table.js';
import { ALL } from '../totals.js';

type Solution = 'solved' | 'unsolved';
const solutionOf = (row: QuestionRow): Solution => (row.accepted_answer_id === null ? 'unsolved' : 'solved');

/** Decrements the counters a question leaves and increments those it enters. */
function totalIncrements(
  before: QuestionRow | undefined,
  after: QuestionRow | undefined,
  keysOf: (row: QuestionRow) => readonly (readonly string[])[],
): readonly CounterIncrement[] {
  const left = before && !before.is_removed ? before : undefined;
  const entered = after && !after.is_removed ? after : undefined;
  if (left && entered && solutionOf(left) === solutionOf(entered)) return [];
  const step = (row: QuestionRow | undefined, amount: number) =>
    row ? keysOf(row).map((key) => ({ key, by: { [solutionOf(row)]: amount } })) : [];
  return [...step(left, -1), ...step(entered, 1)];
}

/** Number of questions for every combination of space, subject and topic filters. */
const questionTotals: CounterTable = {
  name: 'question_totals',
  key: ['space_id', 'subject_id', 'topic_id'],
  counters: ['solved', 'unsolved'],
  indexes: [
    `create index question_totals_popular_{suffix} on {table} (space_id, (solved + unsolved) desc)
       where subject_id = '' and topic_id <> ''`,
  ],
  source: 'questions',
  increments: ({ before, after }: RowChange<QuestionRow>) =>
    totalIncrements(before, after, (row) => [
      [row.space_id, ALL, ALL],
      [row.space_id, row.subject_id, ALL],
      [row.space_id, ALL, row.topic_id],
      [row.space_id, row.subject_id, row.topic_id],
    ]),
};

const authorTotals: CounterTable = {
  name: 'author_totals',
  key: ['author_id', 'space_id'],
  counters: ['solved', 'unsolved'],
  source: 'questions',
  increments: ({ before, after }: RowChange<QuestionRow>) =>
    totalIncrements(before, after, (row) => [[row.author_id, row.space_id]]),
};

const counterOf = (row: VoteRow | undefined): 'upvotes' | 'downvotes' | undefined => {
  if (!row?.is_held || row.invalid_in.length > 0) return undefined;
  return row.direction === 'UP' ? 'upvotes' : 'downvotes';
};

/** Separate from posts, so that a vote rewrites neither bodies nor index entries. */
export const postVotes: CounterTable = {
  name: 'post_votes',
  key: ['post_id'],
  counters: ['upvotes', 'downvotes'],
  source: 'votes',
  increments({ key, before, after }: RowChange<VoteRow>) {
    const [left, entered] = [counterOf(before), counterOf(after)];
    if (left === entered) return [];
    const by = { ...(left && { [left]: -1 }), ...(entered && { [entered]: 1 }) };
    return [{ key: [String(key[0])], by }];
  },
};

/** Tables behind a question page, without bookmarks and reports, which only their student sees. */
export const questionPageTables = [questions, answers, comments, votes] as const;

/** Question pages. Removals do not cascade; queries join the visibility of parents. */
export const questionsProjection = {
  name: 'questions',
  purpose: 'Questions with answers, comments, votes and reports',
  // New sanitising rules require a rebuild.
  version: 6 + RICH_TEXT_VERSION,
  tables: [questions, answers, comments, votes, bookmarks, postReports],
  counters: [questionTotals, authorTotals, postVotes],
} as const satisfies Projection;
