import { DEFAULT_SCORING_RULES, rulesAt, type ScoringRules } from '@nimo/domain';
import { weightRows } from '../leaderboard/rescore.sql.js';
import { isoTime, type Queryable } from '../queryable.js';
import { ALL } from '../totals.js';
import { type AsOf, boundOf } from './as-of.js';
import { boardSql } from './scores-as-of.sql.js';

/** Scores of a space at some point, kept so that later points need not begin with nothing. */
export interface ScoreSnapshot {
  readonly snapshotId: string;
  /** It is of all that is up to here in the log … */
  readonly boundOrdinal: string;
  /** … and had happened by then. */
  readonly boundAt: string;
}

/** How far the rows of the history go, and in which generation of its tables. */
export interface HistoryHead {
  readonly generation: number;
  readonly ordinal: number;
}

export async function historyHead(db: Queryable): Promise<HistoryHead> {
  const { rows } = await db.query<{ generation: number; ordinal: string }>({
    text: `select generation, ordinal from read.projection_generations where name = 'history' and status = 'live'`,
  });
  const [row] = rows;
  return row ? { generation: row.generation, ordinal: Number(row.ordinal) } : { generation: 0, ordinal: 0 };
}

/** How many events the live tables of a projection know of. */
export async function ordinalReached(db: Queryable, projection: string): Promise<number> {
  const { rows } = await db.query<{ ordinal: string }>({
    name: 'ordinal-reached',
    text: `select ordinal from read.projection_generations where name = $1 and status = 'live'`,
    values: [projection],
  });
  return Number(rows[0]?.ordinal ?? 0);
}

/** The published rules as they were known: by the ordinal or the moment of their publication and withdrawal. */
async function rulesAsOf(db: Queryable, asOf: AsOf): Promise<ScoringRules[]> {
  const { rows } = await db.query<{ rules: ScoringRules | null; withdraws: number | null }>({
    text: `select rules, withdraws from read.history_marks
           where space_id = $1 and (rules is not null or withdraws is not null)
             and ${asOf.by === 'ordinal' ? 'ordinal <= $2::bigint' : 'occurred_at <= $2::timestamptz'}
           order by (rules ->> 'version')::integer, ordinal`,
    values: [ALL, boundOf(asOf)],
  });
  const withdrawn = new Set(rows.map(({ withdraws }) => withdraws));
  const byVersion = new Map<number, ScoringRules>();
  for (const { rules } of rows)
    if (rules && !withdrawn.has(rules.version) && !byVersion.has(rules.version))
      byVersion.set(rules.version, rules);
  return [...byVersion.values()];
}

const LAST_OF_SPACE = `from read.fact_history where space_id = $1 and ordinal <= $3::bigint`;

/** The version in force at the point; by an ordinal, when the last fact or mark before it happened. */
export async function versionAsOf(
  db: Queryable,
  { spaceId, asOf, rules }: { spaceId: string; asOf: AsOf; rules: readonly ScoringRules[] },
): Promise<number> {
  if (asOf.by === 'moment') return rulesAt(rules, asOf.at).version;
  const last = 'order by ordinal desc limit 1';
  const { rows } = await db.query<{ at: string | null }>({
    text: `select ${isoTime(`greatest(
             (select occurred_at ${LAST_OF_SPACE} and until_ordinal is null ${last}),
             (select occurred_at ${LAST_OF_SPACE} and until_ordinal is not null ${last}),
             (select occurred_at from read.history_marks
              where space_id in ($1, $2) and ordinal <= $3::bigint ${last}))`)} as at`,
    values: [spaceId, ALL, asOf.ordinal],
  });
  const at = rows[0]?.at;
  return at ? rulesAt(rules, at).version : DEFAULT_SCORING_RULES.version;
}

export const rulesKey = (versions: readonly ScoringRules[]): string =>
  versions.map(({ version }) => version).join(',');

/** The latest snapshot that is wholly before the point and was made under the same rules. */
async function nearestSnapshot(
  db: Queryable,
  spaceId: string,
  asOf: AsOf,
  rules: string,
): Promise<ScoreSnapshot | undefined> {
  const bound = asOf.by === 'ordinal' ? 'bound_ordinal' : 'bound_at';
  const type = asOf.by === 'ordinal' ? 'bigint' : 'timestamptz';
  const { rows } = await db.query<{ snapshot_id: string; bound_ordinal: string; bound_at: string }>({
    text: `select s.snapshot_id, s.bound_ordinal::text, s.bound_at::text
           from read.score_snapshots s
           join read.projection_generations g
             on g.name = 'history' and g.status = 'live' and g.generation = s.generation
           where s.space_id = $1 and s.taken_by = $2 and s.rules = $3 and s.${bound} <= $4::${type}
           order by s.${bound} desc limit 1`,
    values: [spaceId, asOf.by, rules, boundOf(asOf)],
  });
  const [row] = rows;
  return row && { snapshotId: row.snapshot_id, boundOrdinal: row.bound_ordinal, boundAt: row.bound_at };
}

/** A statement's common tables up to `board`, and their parameters; `$<next>` is the first one that is free. */
export interface Board {
  readonly tables: string;
  readonly values: readonly unknown[];
  readonly next: number;
  readonly rules: readonly ScoringRules[];
}

/** Everybody's score in a space: from the nearest snapshot where there is one, else from the facts alone. */
export async function boardAsOf(db: Queryable, spaceId: string, asOf: AsOf): Promise<Board> {
  const rules = await rulesAsOf(db, asOf);
  const snapshot = await nearestSnapshot(db, spaceId, asOf, rulesKey(rules));
  const values: unknown[] = [JSON.stringify(weightRows(rules)), spaceId, boundOf(asOf)];
  if (snapshot) values.push(snapshot.boundOrdinal, snapshot.boundAt, snapshot.snapshotId);
  return { tables: boardSql(asOf.by, snapshot !== undefined), values, next: values.length + 1, rules };
}
