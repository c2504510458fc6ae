import {
  type DomainEvent,
  factKeysOf,
  type FactKind,
  foldFact,
  penaltyDue,
  POSTING_KINDS,
  type ReportedPostType,
  rulesAt,
  safeguardsOf,
  scoreEntryOf,
  type ScoreFact,
  type ScoringRules,
  type VoteData,
  type VoteDirection,
} from '@nimo/domain';
import type { AuditKind, AuditRulesRow } from './audit.tables.js';
import { isoTime, type Queryable } from '../queryable.js';

/** Columns of an audit line from which points are calculated. */
export interface ScoredLine {
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
  readonly about: string | null;
  readonly occurred_at: string;
}

/** Points a line moved for the receiver or the voter. Points of votes are nominal: the merit floor may have reduced their effect. */
export interface AuditPoints {
  readonly side: 'RECEIVER' | 'VOTER';
  readonly kind: FactKind;
  readonly merit: number;
  readonly impact: number;
  readonly rulesVersion: number;
}

const VOTE_KINDS = ['VoteCast', 'VoteWithdrawn', 'VotesInvalidated', 'InvalidationReversed'] as const;
const REPORT_KINDS = ['PostReported', 'ReportsUpheld', 'ReportsDismissed', 'UpholdingReversed'] as const;

const isVoteKind = (kind: string): boolean => (VOTE_KINDS as readonly string[]).includes(kind);
export const isReportKind = (kind: string): boolean => (REPORT_KINDS as readonly string[]).includes(kind);

/** The event of a line, with the fields that facts read. Undefined for kinds that never move points. */
export function eventOf(line: ScoredLine): DomainEvent | undefined {
  if (!isVoteKind(line.kind) && !isReportKind(line.kind)) return undefined;
  const { post_type, post_id, question_id, space_id, receiver_id, voter_id } = line;
  // Lines of these kinds come from a PostRef, so the IDs are not null.
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
  const report = { ...post, reason, round: line.round ?? 0 };
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
      return { type: line.kind, data: { ...report, reporterId: voter_id ?? '' } } as DomainEvent;
    case 'ReportsUpheld':
      return { type: line.kind, data: { ...report, moderatorId: '', penalty: line.about } } as DomainEvent;
    default:
      return { type: line.kind, data: { ...report, moderatorId: '' } } as DomainEvent;
  }
}

export const lineId = ({ ordinal, line }: { readonly ordinal: number; readonly line: number }): string =>
  `${ordinal}:${line}`;

/** A post that its author deleted. */
export interface DeletedPost {
  readonly postId: string;
  readonly occurredAt: string;
  readonly deletedAt: string;
  /** Position of the deletion in the log. */
  readonly ordinal: number;
}

/**
 * Points each line moved, keyed by `lineId`: the difference between the facts before and after it, both weighed by the rules
 * published before it in the log.
 * @param lines complete histories of the votes and of the posts' reports, in log order
 */
export function pointsOfLines(
  lines: readonly ScoredLine[],
  published: readonly AuditRulesRow[],
  deletedPosts: readonly DeletedPost[] = [],
): ReadonlyMap<string, readonly AuditPoints[]> {
  const deleted = new Map(deletedPosts.map((post) => [post.postId, post]));
  const facts = new Map<string, ScoreFact | undefined>();
  const points = new Map<string, readonly AuditPoints[]>();
  for (const line of lines) {
    const event = eventOf(line);
    if (!event) continue;
    const versions = rulesBefore(published, line);
    const occurred = { ...event, ordinal: line.ordinal, metadata: { occurredAt: line.occurred_at } };
    const post = deleted.get(line.post_id ?? '');
    const posting = post && post.ordinal < line.ordinal ? post : undefined;
    const moved = factKeysOf(event).flatMap((key): AuditPoints[] => {
      const id = JSON.stringify(key);
      const before = facts.get(id);
      const after = foldFact(before, occurred, key);
      facts.set(id, after);
      // A post without reports has no round to decide.
      if (!after && isReportKind(line.kind)) return [];
      const moment = { versions, posting, occurredAt: line.occurred_at };
      return [{ side: sideOf(key[2]), kind: key[2], ...pointsBetween([before, after], moment) }];
    });
    // A decision rarely moves points: only if it makes a penalty due.
    points.set(lineId(line), line.kind === 'ReportsUpheld' ? moved.filter(hasMerit) : moved);
  }
  return points;
}

export const hasMerit = ({ merit }: AuditPoints): boolean => merit !== 0;

const isInForce = ({ ordinal, withdrawn_ordinal }: AuditRulesRow, line: ScoredLine): boolean =>
  ordinal < line.ordinal && (withdrawn_ordinal === null || withdrawn_ordinal >= line.ordinal);

/** Rules published before the line, and not withdrawn by then. */
export const rulesBefore = (published: readonly AuditRulesRow[], line: ScoredLine): ScoringRules[] =>
  published.filter((version) => isInForce(version, line)).map(({ rules }) => rules);

export const sideOf = (kind: FactKind): AuditPoints['side'] =>
  kind === 'UPVOTE_CAST' || kind === 'DOWNVOTE_CAST' ? 'VOTER' : 'RECEIVER';

function pointsBetween(
  [before, after]: readonly [ScoreFact | undefined, ScoreFact | undefined],
  context: {
    readonly versions: readonly ScoringRules[];
    readonly posting: DeletedPost | undefined;
    readonly occurredAt: string;
  },
): Pick<AuditPoints, 'merit' | 'impact' | 'rulesVersion'> {
  const { versions, posting, occurredAt } = context;
  const from = before && scoreEntryOf(before, versions, posting);
  const to = after && scoreEntryOf(after, versions, posting);
  return {
    merit: (to?.merit ?? 0) - (from?.merit ?? 0),
    impact: (to?.impact ?? 0) - (from?.impact ?? 0),
    rulesVersion: versionOf(after ?? before, versions, occurredAt),
  };
}

/** Version of the rules that weigh the fact. @param occurredAt used without a fact or a penalty */
export const versionOf = (
  fact: ScoreFact | undefined,
  versions: readonly ScoringRules[],
  occurredAt: string,
): number => rulesAt(versions, scoringTimeOf(fact, versions) ?? occurredAt).version;

/** The time whose rules weigh the fact. For a round of reports, the time of the report that reached the threshold. */
const scoringTimeOf = (fact: ScoreFact | undefined, versions: readonly ScoringRules[]): string | undefined =>
  fact?.kind === 'POST_REPORTED' ? penaltyDue(fact, versions)?.occurredAt : fact?.occurredAt;

const quoted = (kinds: readonly string[]): string => kinds.map((kind) => `'${kind}'`).join(', ');

/** Columns of a `ScoredLine`, from an audit entry `c`. */
export const SCORED_COLUMNS = `
  c.ordinal::float8 as ordinal, c.line, c.kind, c.space_id, c.post_type, c.post_id, c.question_id, c.receiver_id,
  c.voter_id, c.voter_is_stand_in, c.direction, null as reason, c.round, c.case_id, c.about,
  ${isoTime('c.occurred_at')} as occurred_at`;

/** Lines of the votes (by post and voter) and of the reports (by post), up to the highest ordinal on the page (`$4`). */
const LINE_HISTORIES = `
  select ${SCORED_COLUMNS}
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

const DELETED_POSTS = `
  select d.post_id as "postId", ${isoTime('p.occurred_at')} as "occurredAt", ${isoTime('d.occurred_at')} as "deletedAt",
    d.ordinal::float8 as ordinal
  from (select distinct * from unnest($1::text[], $2::text[], $3::text[]) as k(space_id, student_id, post_id)) k
  join read.fact_events d on d.space_id = k.space_id and d.student_id = k.student_id and d.post_id = k.post_id
    and d.kind in (${quoted(POSTING_KINDS)}) and d.type in ('QuestionDeleted', 'AnswerDeleted', 'CommentDeleted')
  join read.fact_events p on p.space_id = d.space_id and p.student_id = d.student_id and p.kind = d.kind
    and p.post_id = d.post_id and p.source_id = d.source_id
    and p.type in ('QuestionAsked', 'AnswerPosted', 'CommentPosted')`;

/** Posts of the lines that their authors deleted, if any rules make that matter. */
async function listDeletedPosts(
  db: Queryable,
  lines: readonly ScoredLine[],
  published: readonly AuditRulesRow[],
): Promise<DeletedPost[]> {
  if (!published.some(({ rules }) => safeguardsOf(rules).deletionForfeitsWithinHours > 0)) return [];
  const votes = lines.filter(({ kind }) => isVoteKind(kind));
  const { rows } = await db.query<DeletedPost>({
    text: DELETED_POSTS,
    values: [
      votes.map(({ space_id }) => space_id),
      votes.map(({ receiver_id }) => receiver_id),
      votes.map(({ post_id }) => post_id),
    ],
  });
  return rows;
}

export async function listAuditRules(db: Queryable): Promise<AuditRulesRow[]> {
  const { rows } = await db.query<AuditRulesRow>({
    name: 'audit-rules',
    text: `select version, ordinal::float8 as ordinal, rules, withdrawn_ordinal::float8 as withdrawn_ordinal
           from read.audit_rules order by version`,
  });
  return rows;
}

/** Nominal points of each line, keyed by `lineId`. Reads the full history of the votes and reports involved. */
export async function readPoints(
  db: Queryable,
  lines: readonly ScoredLine[],
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
    db.query<ScoredLine & { reason: null }>({
      text: LINE_HISTORIES,
      values: [both.map(([post]) => post), both.map(([, voter]) => voter), [...reported], highest],
    }),
    listAuditRules(db),
  ]);
  return pointsOfLines(rows, published, await listDeletedPosts(db, lines, published));
}
