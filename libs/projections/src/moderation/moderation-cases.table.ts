import { decisionOf, type ModerationDecision } from '@nimo/domain';
import {
  type Columns,
  type CounterIncrement,
  type CounterTable,
  type Handler,
  typedColumn,
  type Key,
  type Projected,
  type RowChange,
  type RowOf,
  type Table,
} from '../projection.js';

export type CaseReport = {
  readonly reporterId: string;
  readonly reason: string;
  readonly round: number;
  readonly at: string;
};

const COLUMNS = {
  post_id: { type: 'text' },
  post_type: { type: 'text' },
  question_id: { type: 'text' },
  space_id: { type: 'text' },
  author_id: { type: 'text' },
  round: { type: 'integer' },
  /** Number of decisions. A decision names the revision the moderator saw. */
  revision: { type: 'integer' },
  is_upheld: { type: 'boolean' },
  assignee_id: { type: 'text', nullable: true },
  /** In log order. Reports of earlier rounds were dismissed, or their upholding was reversed. */
  reports: typedColumn<readonly CaseReport[]>('jsonb'),
  open_reports: { type: 'integer' },
  open_reporters: { type: 'text[]' },
  first_reported_at: { type: 'timestamptz', nullable: true },
  last_reported_at: { type: 'timestamptz', nullable: true },
  last_decision: { type: 'text', nullable: true },
  decided_by: { type: 'text', nullable: true },
  decided_at: { type: 'timestamptz', nullable: true },
} as const satisfies Columns;

/** A reported post with its reports. There are few, since a student can report a post only once. */
export type ModerationCaseRow = RowOf<typeof COLUMNS>;

type Decision = Projected<'ReportsUpheld' | 'ReportsDismissed' | 'ReportsHandedOver' | 'UpholdingReversed'>;
type CaseEvent = Projected<'PostReported'> | Decision;

const keyOfPost = ({ data }: CaseEvent): readonly Key[] => [[data.postId]];

const newCase = ({ data }: CaseEvent): ModerationCaseRow => ({
  post_id: data.postId,
  post_type: data.postType,
  question_id: data.questionId,
  space_id: data.spaceId,
  author_id: data.postAuthorId,
  round: 0,
  revision: 0,
  is_upheld: false,
  assignee_id: null,
  reports: [],
  open_reports: 0,
  open_reporters: [],
  first_reported_at: null,
  last_reported_at: null,
  last_decision: null,
  decided_by: null,
  decided_at: null,
});

/** Derives the open reports from the reports, the round and the ruling. */
function withOpenReports(row: ModerationCaseRow): ModerationCaseRow {
  const open = row.is_upheld ? [] : row.reports.filter(({ round }) => round === row.round);
  return {
    ...row,
    open_reports: open.length,
    open_reporters: open.map(({ reporterId }) => reporterId),
    first_reported_at: open[0]?.at ?? null,
    last_reported_at: open.at(-1)?.at ?? null,
  };
}

const recordDecision = <E extends Decision>(
  changesOf: (event: E) => Partial<ModerationCaseRow>,
): Handler<ModerationCaseRow, E> => ({
  keys: keyOfPost,
  fold(row, event) {
    const known = row ?? newCase(event);
    return withOpenReports({
      ...known,
      revision: known.revision + 1,
      last_decision: decisionOf(event.type) satisfies ModerationDecision,
      decided_by: event.data.moderatorId,
      decided_at: event.metadata.occurredAt,
      ...changesOf(event),
    });
  },
});
const closeCase = recordDecision<Projected<'ReportsDismissed' | 'UpholdingReversed'>>(({ data }) => ({
  is_upheld: false,
  assignee_id: null,
  round: data.round + 1,
}));

function reported(row: ModerationCaseRow, { data, metadata }: Projected<'PostReported'>): ModerationCaseRow {
  const { reporterId, reason, round } = data;
  if (row.reports.some((report) => report.reporterId === reporterId)) return row;
  return { ...row, reports: [...row.reports, { reporterId, reason, round, at: metadata.occurredAt }] };
}

export const moderationCases: Table<ModerationCaseRow> = {
  name: 'moderation_cases',
  columns: COLUMNS,
  key: ['post_id'],
  indexes: [
    // Finds the cases whose weight changes with a reporter's record.
    'create index moderation_cases_reporters_{suffix} on {table} using gin (open_reporters) where open_reports > 0',
    `create index moderation_cases_decided_{suffix} on {table} (space_id, decided_at desc, post_id)
       where open_reports = 0 and decided_at is not null`,
    `create index moderation_cases_latest_{suffix} on {table} (decided_at desc, post_id)
       where open_reports = 0 and decided_at is not null`,
    'create index moderation_cases_author_{suffix} on {table} (author_id) where open_reports > 0',
  ],
  on: {
    PostReported: {
      keys: keyOfPost,
      fold: (row, event) => withOpenReports(reported(row ?? newCase(event), event)),
    },
    ReportsHandedOver: recordDecision(({ data }) => ({ assignee_id: data.toModeratorId })),
    ReportsUpheld: recordDecision(() => ({ is_upheld: true, assignee_id: null })),
    ReportsDismissed: closeCase,
    UpholdingReversed: closeCase,
  },
};

const isOpen = (row: ModerationCaseRow | undefined): boolean => (row?.open_reports ?? 0) > 0;

export const outcomeOf = (
  { round, is_upheld }: Pick<ModerationCaseRow, 'round' | 'is_upheld'>,
  report: CaseReport,
): 'OPEN' | 'UPHELD' | 'DISMISSED' => {
  if (report.round < round) return 'DISMISSED';
  return is_upheld ? 'UPHELD' : 'OPEN';
};

/** Differences between the shares after and before, without zeros. */
function shareChanges<Share extends string>(
  before: readonly (readonly [string, Share])[],
  after: readonly (readonly [string, Share])[],
  keyOf: (id: string) => readonly string[],
): readonly CounterIncrement[] {
  const sums = new Map<string, Record<string, number>>();
  const add = (shares: readonly (readonly [string, Share])[], sign: 1 | -1) => {
    for (const [id, share] of shares) {
      const by = sums.get(id) ?? {};
      sums.set(id, { ...by, [share]: (by[share] ?? 0) + sign });
    }
  };
  add(before, -1);
  add(after, 1);
  return [...sums].flatMap(([id, sum]) => {
    const moved = Object.entries(sum).filter(([, step]) => step !== 0);
    return moved.length === 0 ? [] : [{ key: keyOf(id), by: Object.fromEntries(moved) }];
  });
}

/** Open cases per space. */
export const moderationTotals: CounterTable = {
  name: 'moderation_totals',
  key: ['space_id'],
  counters: ['open'],
  source: moderationCases.name,
  increments({ before, after }: RowChange<ModerationCaseRow>) {
    const step = Number(isOpen(after)) - Number(isOpen(before));
    const spaceId = (after ?? before)?.space_id;
    return step === 0 || spaceId === undefined ? [] : [{ key: [spaceId], by: { open: step } }];
  },
};

const COUNTER_OF = { OPEN: 'open', UPHELD: 'upheld', DISMISSED: 'dismissed' } as const;
type Outcome = (typeof COUNTER_OF)[keyof typeof COUNTER_OF];

const outcomes = (row: ModerationCaseRow | undefined): (readonly [string, Outcome])[] =>
  row ? row.reports.map((report) => [report.reporterId, COUNTER_OF[outcomeOf(row, report)]] as const) : [];

const spaceOf = ({ before, after }: RowChange<ModerationCaseRow>): string =>
  (after ?? before)?.space_id ?? '';

/** Outcomes of a student's reports in a space. */
export const reporterRecords: CounterTable = {
  name: 'reporter_records',
  key: ['space_id', 'reporter_id'],
  counters: ['open', 'upheld', 'dismissed'],
  source: moderationCases.name,
  increments: (change: RowChange<ModerationCaseRow>) =>
    shareChanges(outcomes(change.before), outcomes(change.after), (reporterId) => [
      spaceOf(change),
      reporterId,
    ]),
};

const authorShares = (
  row: ModerationCaseRow | undefined,
): (readonly [string, Outcome | 'removed' | 'posts'])[] => {
  if (!row) return [];
  const author = row.author_id;
  const posts = row.reports.length > 0 ? [[author, 'posts'] as const] : [];
  const removed = row.is_upheld ? [[author, 'removed'] as const] : [];
  return [...posts, ...removed, ...outcomes(row).map(([, outcome]) => [author, outcome] as const)];
};

/** Outcomes of the reports on a student's posts in a space. */
export const authorRecords: CounterTable = {
  name: 'author_records',
  key: ['space_id', 'author_id'],
  counters: ['posts', 'removed', 'open', 'upheld', 'dismissed'],
  source: moderationCases.name,
  increments: (change: RowChange<ModerationCaseRow>) =>
    shareChanges(authorShares(change.before), authorShares(change.after), (authorId) => [
      spaceOf(change),
      authorId,
    ]),
};
