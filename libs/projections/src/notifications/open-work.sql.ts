import { DEFAULT_SCORING_RULES } from '@nimo/domain';
import { IS_VISIBLE_TO_MODERATOR, isProposalFor, type ModeratorScope } from '../moderator-scope.js';
import { notOfRemovedSpace } from '../removed-space.sql.js';
import { VERSION_IN_FORCE } from '../version-in-force.sql.js';

export type OpenWorkType =
  | 'ENTRY_REQUESTED'
  | 'POST_REPORTED'
  | 'CASE_ESCALATED'
  | 'PATTERNS_FOUND'
  | 'INVALIDATION_PROPOSED';

/** Vote patterns of a space that a moderator has to triage. */
export interface NotifiedPatterns {
  readonly spaceId: string;
  readonly count: number;
  readonly at: string;
}

export interface StaffNotificationOptions extends Pick<ModeratorScope, 'spaces'> {
  /** The receiver's last visits by space, and under `''` to the notifications of all their spaces. */
  readonly seen: Readonly<Record<string, string>>;
  /** Detected in advance, because detection is too slow for this query. */
  readonly patterns: readonly NotifiedPatterns[];
}

interface BranchOptions {
  readonly limit: number;
  /** SQL condition that leaves out what was seen by `seen`, or nothing. */
  readonly since: (createdAt: string, seen: string) => string;
}

const REPORT_THRESHOLD = `coalesce((select (rules ->> 'reportThreshold')::integer from read.scoring_rules
  where version = ${VERSION_IN_FORCE}), ${DEFAULT_SCORING_RULES.reportThreshold})`;

/** Seen in the space or in the staff areas, whichever was later. */
const seenIn = (spaceId: string): string =>
  `coalesce(greatest(($6::jsonb ->> ${spaceId})::timestamptz, ($6::jsonb ->> '')::timestamptz), '-infinity')`;

/**
 * SQL for what is open in the spaces `$5`, appended to the receiver's own notifications; `$1` is the receiver, `$6` the last visits,
 * `$7` the vote patterns. A decision removes a row for every moderator. Lists the same cases as the queue, and nobody's own requests.
 *
 * A case escalates with the report that reaches the threshold of the rules in force, and when a colleague hands it over to the
 * receiver. Its type and time then change, which makes it new again.
 */
export function openWork({ spaces }: StaffNotificationOptions, { limit, since }: BranchOptions): string {
  // `$5` must occur in either text.
  const within = (spaceId: string): string =>
    `${spaces === 'all' ? '$5::text[] is not null' : `${spaceId} = any($5::text[])`} and ${notOfRemovedSpace(spaceId)}`;
  return `
    union all
    (select 'ENTRY_REQUESTED', r.student_id || ':' || asked.space_id, null, null, r.student_id, asked.at, ${seenIn('asked.space_id')},
       null, null, request ->> 'text', asked.space_id, null, 0
     from read.entry_requests r
     cross join jsonb_array_elements(r.requests) request
     cross join lateral (select request ->> 'spaceId' as space_id, (request ->> 'requestedAt')::timestamptz as at) asked
     join read.students a on a.student_id = r.student_id and not a.is_blocked and not a.is_erased
     where ${spaces === 'all' ? `r.open_space_ids <> '{}'` : 'r.open_space_ids && $5::text[]'} and ${within('asked.space_id')}
       and r.open_space_ids @> array[asked.space_id] and r.student_id <> $1 ${since('asked.at', seenIn('asked.space_id'))}
     order by asked.at desc, r.student_id desc limit ${limit})
    union all
    (select case when escalated.at is null then 'POST_REPORTED' else 'CASE_ESCALATED' end, c.post_id, c.question_id, null, null,
       due.at, ${seenIn('c.space_id')}, null, null, null, c.space_id, c.post_type, c.open_reports
     from read.moderation_queue w join read.moderation_cases c using (post_id)
     cross join lateral (
       select greatest(
         case when c.assignee_id = $1 and c.decided_by <> $1 then c.decided_at end,
         (select (report.item ->> 'at')::timestamptz
          from jsonb_array_elements(c.reports) with ordinality as report (item, place)
          where (report.item ->> 'round')::integer = c.round
          order by report.place offset ${REPORT_THRESHOLD} - 1 limit 1)
       ) as at
     ) escalated
     cross join lateral (select coalesce(escalated.at, c.last_reported_at) as at) due
     where ${within('w.space_id')} and ${IS_VISIBLE_TO_MODERATOR} ${since('due.at', seenIn('c.space_id'))}
     order by due.at desc, c.post_id desc limit ${limit})
    union all
    (select 'INVALIDATION_PROPOSED', c.case_id, null, null, null, c.opened_at, ${seenIn('c.space_ids[1]')}, null, null, c.reason,
       c.space_ids[1], null, c.votes
     from read.cases c
     where ${isProposalFor('$1', spaces === 'all' ? '$5::text[] is not null' : 'c.space_ids <@ $5::text[]')}
       ${since('c.opened_at', seenIn('c.space_ids[1]'))}
     order by c.opened_at desc, c.case_id desc limit ${limit})
    union all
    (select 'PATTERNS_FOUND', p."spaceId", null, null, null, p.at, ${seenIn('p."spaceId"')}, null, null, null, p."spaceId", null, p.count
     from jsonb_to_recordset($7::jsonb) as p ("spaceId" text, count integer, at timestamptz)
     where true ${since('p.at', seenIn('p."spaceId"'))})`;
}
