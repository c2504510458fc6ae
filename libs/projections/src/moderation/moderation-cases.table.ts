import { decisionOf, type ModerationDecision } from '@nimo/domain';
import type { CounterIncrement, CounterTable, Key, ProjectedEvent, RowChange, Table } from '../projection.js';

export type CaseReport = {
  readonly reporterId: string;
  readonly reason: string;
  readonly round: number;
  readonly at: string;
};

/** A post that was reported, with all its reports: a student reports a post once, so that they are few. */
export type ModerationCaseRow = {
  readonly post_id: string;
  readonly post_type: string;
  readonly question_id: string;
  readonly space_id: string;
  readonly author_id: string;
  readonly round: number;
  /** Decisions so far; a moderator's decision names the one that was seen. */
  readonly revision: number;
  readonly is_upheld: boolean;
  readonly assignee_id: string | null;
  /** In log order. Those of earlier rounds were dismissed, or their upholding reversed. */
  readonly reports: readonly CaseReport[];
  readonly open_reports: number;
  readonly open_reporters: readonly string[];
  readonly first_reported_at: string | null;
  readonly last_reported_at: string | null;
  readonly last_decision: string | null;
  readonly decided_by: string | null;
  readonly decided_at: string | null;
};

type CaseEvent = ProjectedEvent & {
  readonly type:
    'PostReported' | 'ReportsUpheld' | 'ReportsDismissed' | 'ReportsHandedOver' | 'UpholdingReversed';
};

function isOfACase(event: ProjectedEvent): event is CaseEvent {
  switch (event.type) {
    case 'PostReported':
    case 'ReportsUpheld':
    case 'ReportsDismissed':
    case 'ReportsHandedOver':
    case 'UpholdingReversed':
      return true;
    default:
      return false;
  }
}

const opened = ({ data }: CaseEvent): ModerationCaseRow => ({
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

/** What is open follows from the reports, the round and whether the post is upheld. */
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

function decided(
  row: ModerationCaseRow,
  event: Exclude<CaseEvent, { readonly type: 'PostReported' }>,
): ModerationCaseRow {
  const told: ModerationCaseRow = {
    ...row,
    revision: row.revision + 1,
    last_decision: decisionOf(event.type) satisfies ModerationDecision,
    decided_by: event.data.moderatorId,
    decided_at: event.metadata.occurredAt,
  };
  switch (event.type) {
    case 'ReportsHandedOver':
      return { ...told, assignee_id: event.data.toModeratorId };
    case 'ReportsUpheld':
      return { ...told, is_upheld: true, assignee_id: null };
    case 'ReportsDismissed':
    case 'UpholdingReversed':
      return { ...told, is_upheld: false, assignee_id: null, round: event.data.round + 1 };
  }
}

function reported(row: ModerationCaseRow, event: CaseEvent & { readonly type: 'PostReported' }) {
  const { reporterId, reason, round } = event.data;
  if (row.reports.some((report) => report.reporterId === reporterId)) return row;
  return { ...row, reports: [...row.reports, { reporterId, reason, round, at: event.metadata.occurredAt }] };
}

export const moderationCases: Table<ModerationCaseRow> = {
  name: 'moderation_cases',
  columns: {
    post_id: { type: 'text' },
    post_type: { type: 'text' },
    question_id: { type: 'text' },
    space_id: { type: 'text' },
    author_id: { type: 'text' },
    round: { type: 'integer' },
    revision: { type: 'integer' },
    is_upheld: { type: 'boolean' },
    assignee_id: { type: 'text', nullable: true },
    reports: { type: 'jsonb' },
    open_reports: { type: 'integer' },
    open_reporters: { type: 'text[]' },
    first_reported_at: { type: 'timestamptz', nullable: true },
    last_reported_at: { type: 'timestamptz', nullable: true },
    last_decision: { type: 'text', nullable: true },
    decided_by: { type: 'text', nullable: true },
    decided_at: { type: 'timestamptz', nullable: true },
  },
  key: ['post_id'],
  indexes: [
    // Whose weight changes when a reporter's record does.
    'create index moderation_cases_reporters_{suffix} on {table} using gin (open_reporters) where open_reports > 0',
    `create index moderation_cases_decided_{suffix} on {table} (space_id, decided_at desc, post_id)
       where open_reports = 0 and decided_at is not null`,
    `create index moderation_cases_latest_{suffix} on {table} (decided_at desc, post_id)
       where open_reports = 0 and decided_at is not null`,
    'create index moderation_cases_author_{suffix} on {table} (author_id) where open_reports > 0',
  ],
  keysOf: (event): readonly Key[] => (isOfACase(event) ? [[event.data.postId]] : []),
  fold(row, event) {
    if (!isOfACase(event)) return row;
    const known = row ?? opened(event);
    return withOpenReports(event.type === 'PostReported' ? reported(known, event) : decided(known, event));
  },
};

export const isOpen = (row: ModerationCaseRow | undefined): boolean => (row?.open_reports ?? 0) > 0;

/** What became of a report. */
export const outcomeOf = (
  { round, is_upheld }: Pick<ModerationCaseRow, 'round' | 'is_upheld'>,
  report: CaseReport,
): 'OPEN' | 'UPHELD' | 'DISMISSED' => {
  if (report.round < round) return 'DISMISSED';
  return is_upheld ? 'UPHELD' : 'OPEN';
};

/** The shares after, less the shares before; what cancels out is left alone. */
function steps<Share extends string>(
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

/** How many cases a space has open. */
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

/** What a student's reports in a space came to. */
export const reporterRecords: CounterTable = {
  name: 'reporter_records',
  key: ['space_id', 'reporter_id'],
  counters: ['open', 'upheld', 'dismissed'],
  source: moderationCases.name,
  increments: (change: RowChange<ModerationCaseRow>) =>
    steps(outcomes(change.before), outcomes(change.after), (reporterId) => [spaceOf(change), reporterId]),
};

const ofAuthor = (
  row: ModerationCaseRow | undefined,
): (readonly [string, Outcome | 'removed' | 'posts'])[] => {
  if (!row) return [];
  const author = row.author_id;
  const posts = row.reports.length > 0 ? [[author, 'posts'] as const] : [];
  const removed = row.is_upheld ? [[author, 'removed'] as const] : [];
  return [...posts, ...removed, ...outcomes(row).map(([, outcome]) => [author, outcome] as const)];
};

/** What reports of a student's posts in a space came to. */
export const authorRecords: CounterTable = {
  name: 'author_records',
  key: ['space_id', 'author_id'],
  counters: ['posts', 'removed', 'open', 'upheld', 'dismissed'],
  source: moderationCases.name,
  increments: (change: RowChange<ModerationCaseRow>) =>
    steps(ofAuthor(change.before), ofAuthor(change.after), (authorId) => [spaceOf(change), authorId]),
};
