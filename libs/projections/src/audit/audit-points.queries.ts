import { isoTime, type Queryable } from '../queryable.js';
import {
  type AuditPoints,
  isReportKind,
  isVoteKind,
  type PointedLine,
  pointsOfLines,
  REPORT_KINDS,
  VOTE_KINDS,
} from './audit-points.js';
import type { AuditRulesRow } from './audit.tables.js';

const quoted = (kinds: readonly string[]): string => kinds.map((kind) => `'${kind}'`).join(', ');

/** The votes' courses by (post, voter), the reports' by post, both up to the highest ordinal that is shown (`$4`). */
const COURSES = `
  select c.ordinal::float8 as ordinal, c.line, c.kind, c.space_id, c.post_type, c.post_id, c.question_id, c.receiver_id,
    c.voter_id, c.voter_is_stand_in, c.direction, null as reason, c.round, c.case_id, ${isoTime('c.occurred_at')} as occurred_at
  from (
    select e.* from unnest($1::text[], $2::text[]) as pair(post_id, voter_id)
    cross join lateral (
      select * from read.audit_entries e
      where e.post_id = pair.post_id and e.voter_id = pair.voter_id and e.kind in (${quoted(VOTE_KINDS)})
        and e.ordinal <= $4 offset 0
    ) e
    union all
    select e.* from unnest($3::text[]) as reported(post_id)
    cross join lateral (
      select * from read.audit_entries e
      where e.post_id = reported.post_id and e.class <> 'VOTE' and e.kind in (${quoted(REPORT_KINDS)})
        and e.ordinal <= $4 offset 0
    ) e
  ) c
  order by c.ordinal, c.line`;

async function publishedRules(db: Queryable): Promise<AuditRulesRow[]> {
  const { rows } = await db.query<AuditRulesRow>({
    name: 'audit-rules',
    text: `select version, ordinal::float8 as ordinal, rules, withdrawn_ordinal::float8 as withdrawn_ordinal
           from read.audit_rules order by version`,
  });
  return rows;
}

/** What each line moved, from the courses of the votes and reports that they are part of. */
export async function readPoints(
  db: Queryable,
  lines: readonly PointedLine[],
): Promise<ReadonlyMap<string, readonly AuditPoints[]>> {
  const pairs = new Map<string, readonly [string, string]>();
  const reported = new Set<string>();
  for (const { kind, post_id, voter_id } of lines) {
    if (post_id === null) continue;
    if (isVoteKind(kind) && voter_id !== null) pairs.set(`${post_id} ${voter_id}`, [post_id, voter_id]);
    else if (isReportKind(kind)) reported.add(post_id);
  }
  if (pairs.size === 0 && reported.size === 0) return new Map();
  const highest = lines.reduce((latest, { ordinal }) => Math.max(latest, ordinal), 0);
  const both = [...pairs.values()];
  const [{ rows }, published] = await Promise.all([
    db.query<PointedLine & { reason: null }>({
      text: COURSES,
      values: [both.map(([post]) => post), both.map(([, voter]) => voter), [...reported], highest],
    }),
    publishedRules(db),
  ]);
  return pointsOfLines(rows, published);
}
