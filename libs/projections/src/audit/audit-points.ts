import {
  type DomainEvent,
  dueReport,
  factKeysOf,
  type FactKind,
  foldFact,
  type ReportedPostType,
  rulesAt,
  scoreEntryOf,
  type ScoreFact,
  type ScoringRules,
  type VoteData,
  type VoteDirection,
} from '@nimo/domain';
import type { AuditKind, AuditRulesRow } from './audit.tables.js';
import { isoTime, type Queryable } from '../queryable.js';

/** What a line is, as far as points go. */
export interface PointedLine {
  readonly ordinal: number;
  readonly line: number;
  readonly kind: AuditKind;
  readonly space_id: string | null;
  readonly post_type: ReportedPostType | null;
  readonly post_id: string | null;
  readonly question_id: string | null;
  readonly receiver_id: string | null;
  readonly voter_id: string | null;
  readonly voter_is_stand_in: boolean;
  readonly direction: VoteDirection | null;
  readonly reason: string | null;
  readonly round: number | null;
  readonly case_id: string | null;
  readonly occurred_at: string;
}

/** What a line moved for one of the two whom it concerns, nominally: the floor of merit may have made it less. */
export interface AuditPoints {
  readonly side: 'RECEIVER' | 'VOTER';
  readonly kind: FactKind;
  readonly merit: number;
  readonly impact: number;
  readonly rulesVersion: number;
}

const VOTE_KINDS = ['VoteCast', 'VoteWithdrawn', 'VotesInvalidated', 'InvalidationReversed'] as const;
const REPORT_KINDS = ['PostReported', 'ReportsDismissed', 'UpholdingReversed'] as const;

const isVoteKind = (kind: string): boolean => (VOTE_KINDS as readonly string[]).includes(kind);
const isReportKind = (kind: string): boolean => (REPORT_KINDS as readonly string[]).includes(kind);

/** The event as far as facts read it; undefined where the line moves no points by its nature. */
function eventOf(line: PointedLine): DomainEvent | undefined {
  if (!isVoteKind(line.kind) && !isReportKind(line.kind)) return undefined;
  const { post_type, post_id, question_id, space_id, receiver_id, voter_id } = line;
  // Lines of these kinds are made from a PostRef, so its ids are there.
  const post = {
    postType: post_type,
    postId: post_id,
    questionId: question_id,
    spaceId: space_id,
    postAuthorId: receiver_id,
  };
  const vote = {
    ...post,
    voterId: voter_id,
    direction: line.direction,
    voterIsStandIn: line.voter_is_stand_in,
  } as VoteData;
  const reason = line.reason ?? '';
  const told = { ...post, reason, round: line.round ?? 0 };
  switch (line.kind) {
    case 'VoteCast':
    case 'VoteWithdrawn':
      return { type: line.kind, data: vote };
    case 'VotesInvalidated':
    case 'InvalidationReversed':
      return {
        type: line.kind,
        data: { caseId: line.case_id ?? '', moderatorId: '', category: 'OTHER', reason, votes: [vote] },
      };
    case 'PostReported':
      return { type: line.kind, data: { ...told, reporterId: voter_id ?? '' } } as DomainEvent;
    default:
      return { type: line.kind, data: { ...told, moderatorId: '' } } as DomainEvent;
  }
}

export const lineId = ({ ordinal, line }: { readonly ordinal: number; readonly line: number }): string =>
  `${ordinal}:${line}`;

/**
 * What each line moved: the facts before and after it, both weighed by the versions that stood before it in the log.
 * @param lines in log order, whole from the first of each vote and of each post's reports on
 */
export function pointsOfLines(
  lines: readonly PointedLine[],
  published: readonly AuditRulesRow[],
): ReadonlyMap<string, readonly AuditPoints[]> {
  const facts = new Map<string, ScoreFact | undefined>();
  const points = new Map<string, readonly AuditPoints[]>();
  for (const line of lines) {
    const event = eventOf(line);
    if (!event) continue;
    const versions = published.filter((version) => stands(version, line)).map(({ rules }) => rules);
    const happened = { ...event, ordinal: line.ordinal, metadata: { occurredAt: line.occurred_at } };
    const moved = factKeysOf(event).map((key): AuditPoints => {
      const id = JSON.stringify(key);
      const before = facts.get(id);
      const after = foldFact(before, happened, key);
      facts.set(id, after);
      return { side: sideOf(key[2]), kind: key[2], ...stepOf(before, after, versions, line.occurred_at) };
    });
    points.set(lineId(line), moved);
  }
  return points;
}

const stands = ({ ordinal, withdrawn_ordinal }: AuditRulesRow, line: PointedLine): boolean =>
  ordinal < line.ordinal && (withdrawn_ordinal === null || withdrawn_ordinal >= line.ordinal);

const sideOf = (kind: FactKind): AuditPoints['side'] =>
  kind === 'UPVOTE_CAST' || kind === 'DOWNVOTE_CAST' ? 'VOTER' : 'RECEIVER';

function stepOf(
  before: ScoreFact | undefined,
  after: ScoreFact | undefined,
  versions: readonly ScoringRules[],
  occurredAt: string,
): Pick<AuditPoints, 'merit' | 'impact' | 'rulesVersion'> {
  const from = before && scoreEntryOf(before, versions);
  const to = after && scoreEntryOf(after, versions);
  return {
    merit: (to?.merit ?? 0) - (from?.merit ?? 0),
    impact: (to?.impact ?? 0) - (from?.impact ?? 0),
    rulesVersion: rulesAt(versions, weighedAt(after ?? before, versions) ?? occurredAt).version,
  };
}

/** The moment whose rules weigh the fact: of a round of reports, that of the one that made it due. */
const weighedAt = (fact: ScoreFact | undefined, versions: readonly ScoringRules[]): string | undefined =>
  fact?.kind === 'POST_REPORTED' ? dueReport(fact, versions)?.occurredAt : fact?.occurredAt;

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
