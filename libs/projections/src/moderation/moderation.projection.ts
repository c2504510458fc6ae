import { POINTS_PER_REPORT, REASON_SEVERITY, SECONDS_PER_POINT } from '@nimo/domain';
import type { BatchEnd, Projection, RowChange, Table } from '../projection.js';
import {
  authorRecords,
  type ModerationCaseRow,
  moderationCases,
  moderationTotals,
  reporterRecords,
} from './moderation-cases.table.js';
import {
  chosenPenalties,
  moderationDecisions,
  studentBlocks,
  voteDays,
} from './moderation-history.tables.js';
import { removals, removedPosts } from './removals.tables.js';
import { staffWords } from './staff-words.table.js';

type CaseChange = RowChange<ModerationCaseRow>;

/** The open cases in order. Written at the end of a batch, since a weight depends on the records of all reporters. */
const moderationQueue: Pick<Table, 'name' | 'columns' | 'key' | 'indexes'> = {
  name: 'moderation_queue',
  columns: {
    post_id: { type: 'text' },
    space_id: { type: 'text' },
    /** `caseRank`: the highest comes first. The order does not change with time. */
    rank: { type: 'bigint' },
  },
  key: ['post_id'],
  indexes: [
    'create index moderation_queue_space_{suffix} on {table} (space_id, rank desc, post_id)',
    'create index moderation_queue_rank_{suffix} on {table} (rank desc, post_id)',
  ],
};

/** SQL equivalent of the domain's `reportPoints` and `caseRank`. Uses integers, so that the results are identical. */
const FILL_QUEUE = `
  insert into {moderation_queue} (post_id, space_id, rank)
  select c.post_id, c.space_id, sum(
      coalesce(s.severity, 1) * ${2 * POINTS_PER_REPORT} * (coalesce(r.upheld, 0) + 1) / (coalesce(r.upheld, 0) + coalesce(r.dismissed, 0) + 2)
    )::bigint - floor(extract(epoch from c.first_reported_at) / ${SECONDS_PER_POINT})::bigint
  from {moderation_cases} c
  cross join lateral jsonb_array_elements(c.reports) report
  left join unnest($2::text[], $3::bigint[]) as s(reason, severity) on s.reason = report ->> 'reason'
  left join {reporter_records} r on r.space_id = c.space_id and r.reporter_id = report ->> 'reporterId'
  where c.post_id = any($1::text[]) and c.open_reports > 0 and (report ->> 'round')::int = c.round
  group by c.post_id, c.space_id, c.first_reported_at`;

const CASES_OF_REPORTERS = `
  select post_id from {moderation_cases} where open_reports > 0 and open_reporters && $1::text[]`;

/**
 * IDs of reporters whose record changed, which affects the weights of their other cases. Derived from the records rather than from
 * decisions, since a report that arrives after one has an outcome immediately and the result must not depend on the batches.
 */
const reportersWithNewRecord = (changes: readonly CaseChange[]): string[] =>
  changes
    .flatMap((change) => reporterRecords.increments(change))
    .flatMap(({ key: [, reporterId], by }) =>
      reporterId !== undefined && (by['upheld'] || by['dismissed']) ? [reporterId] : [],
    );

const batchEnd: BatchEnd = {
  tables: [moderationQueue],
  eventTypes: [],
  async run(changes, sql) {
    // This projection declares the table under that name.
    const cases = (changes.get(moderationCases.name) ?? []) as unknown as readonly CaseChange[];
    if (cases.length === 0) return;
    const reporters = [...new Set(reportersWithNewRecord(cases))];
    const others =
      reporters.length === 0 ? [] : ((await sql(CASES_OF_REPORTERS, [reporters])) as { post_id: string }[]);
    const postIds = [...cases.map(({ key }) => String(key[0])), ...others.map(({ post_id }) => post_id)];
    await sql('delete from {moderation_queue} where post_id = any($1::text[])', [postIds]);
    await sql(FILL_QUEUE, [postIds, Object.keys(REASON_SEVERITY), Object.values(REASON_SEVERITY)]);
  },
};

/** Reported posts, decisions on them, removals of all posts of an author, and the records moderators base decisions on. */
export const moderationProjection = {
  name: 'moderation',
  purpose: 'Queue of reported posts, and decisions',
  version: 5,
  lingers: true,
  tables: [
    moderationCases,
    moderationDecisions,
    studentBlocks,
    staffWords,
    voteDays,
    chosenPenalties,
    removals,
    removedPosts,
  ],
  counters: [moderationTotals, reporterRecords, authorRecords],
  batchEnd,
} as const satisfies Projection;
