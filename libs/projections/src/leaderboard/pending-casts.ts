import { countsTheSame, foldFact, isCast, type ScoreFact, type ScoreFactKey } from '@nimo/domain';
import {
  eventsByFact,
  FACT_KEY,
  FACT_KEY_COLUMNS,
  factKeyOf,
  factKeyRow,
  type FactKeyRow,
} from '../fact-key.js';
import type { BatchEnd, Columns, ProjectedEvent, RowChange, RowOf } from '../projection.js';
import { leaderboard, LEADERBOARD_COLUMNS } from './leaderboard.tables.js';
import { factOf, type ScoreFactRow } from './score-facts.table.js';

type Sql = Parameters<BatchEnd['run']>[1];
type OwnTable = BatchEnd['tables'][number];
type FactChange = RowChange<ScoreFactRow>;

/** What a cast of today was when the day began, for those that differ from what they are now. */
export const pendingCasts: OwnTable = {
  name: 'pending_casts',
  columns: {
    ...FACT_KEY_COLUMNS,
    /** Null where it did not stand. */
    ordinal: { type: 'bigint', nullable: true },
    occurred_at: { type: 'timestamptz', nullable: true },
  },
  key: FACT_KEY,
};

const OWN_SCORE_COLUMNS = {
  ...LEADERBOARD_COLUMNS,
  /** False where none of the facts stands: there is no score then. */
  has_facts: { type: 'boolean' },
} as const satisfies Columns;

/** A score as the student sees it. There for those with pending casts; of all others it is that of the leaderboard. */
export type OwnScoreRow = RowOf<typeof OWN_SCORE_COLUMNS>;

export const ownScores: OwnTable = {
  name: 'own_scores',
  columns: OWN_SCORE_COLUMNS,
  key: leaderboard.key,
};

const KEY = FACT_KEY.map((column) => `p.${column} = f.${column}`).join(' and ');
const KEY_COLUMNS = FACT_KEY.join(', ');
const COLUMNS = Object.keys(pendingCasts.columns).join(', ');

/** Facts as they count for others, to stand where `score_facts` would. @param scope a condition on `f`, a fact */
export const publicFactsSql = (
  scope: string,
  facts = '{score_facts}',
  pending = '{pending_casts}',
): string => `(
  select ${COLUMNS}, standing, reports from ${facts} f
  where ${scope} and not exists (select from ${pending} p where ${KEY})
  union all
  select ${COLUMNS}, true, '[]'::jsonb from ${pending} f where f.ordinal is not null and ${scope})`;

type CastChange = FactKeyRow & {
  /** Null where it did not, or does not, stand. */
  readonly was_ordinal: number | null;
  readonly was_at: string | null;
  readonly is_ordinal: number | null;
};

const changeOf = (key: ScoreFactKey, was: ScoreFact | undefined, is: ScoreFact | undefined): CastChange => {
  const stood = was?.standing === true ? was : undefined;
  return {
    ...factKeyRow(key),
    was_ordinal: stood?.ordinal ?? null,
    was_at: stood?.occurredAt ?? null,
    is_ordinal: is?.standing === true ? is.ordinal : null,
  };
};

const castsAmong = (changes: readonly FactChange[]) =>
  changes
    .filter(({ key }) => isCast({ kind: factKeyOf(key)[2] }))
    .map(({ key, before, after }) => ({
      key: factKeyOf(key),
      before: before && factOf(before),
      after: after && factOf(after),
    }));

/**
 * Those that are already there keep what they were: that is of the day's beginning, and `was` of the batch's. Before the first day nothing is
 * held back: there is no day after which it would count.
 */
const NOTE = `
  with changed as (
    select * from jsonb_to_recordset($1::jsonb) as f(${FACT_KEY.map((column) => `${column} text`).join(', ')},
      was_ordinal bigint, was_at timestamptz, is_ordinal bigint)
    where exists (select from {scoring_day})
  ), settled as (
    delete from {pending_casts} p using changed f where ${KEY} and p.ordinal is not distinct from f.is_ordinal
  )
  insert into {pending_casts} (${COLUMNS})
  select ${KEY_COLUMNS}, was_ordinal, was_at from changed f
  where was_ordinal is distinct from is_ordinal and not exists (select from {pending_casts} p where ${KEY})`;

/** Events that begin a day, or change what was cast. */
export const CAST_EVENT_TYPES = [
  'DayBegan',
  'VoteCast',
  'VoteWithdrawn',
  'VotesInvalidated',
  'InvalidationReversed',
] as const satisfies readonly ProjectedEvent['type'][];

/** Notes what casts were at the beginning of the day, in a batch in which no day begins. */
export async function noteCasts(sql: Sql, changes: readonly FactChange[]): Promise<void> {
  const casts = castsAmong(changes)
    .filter(({ before, after }) => !countsTheSame(before, after))
    .map(({ key, before, after }) => changeOf(key, before, after));
  if (casts.length > 0) await sql(NOTE, [JSON.stringify(casts)]);
}

export interface Dawn {
  /** Of the batch's last event that began a day. */
  readonly ordinal: number;
  readonly events: readonly ProjectedEvent[];
}

/** All that was pending is settled; what the batch tells of the new day is pending. */
export async function beginAnew(sql: Sql, changes: readonly FactChange[], dawn: Dawn): Promise<void> {
  await sql('delete from {pending_casts}');
  const touched = eventsByFact(
    changes.map(({ key }) => key),
    dawn.events.filter(({ ordinal }) => ordinal > dawn.ordinal),
  );
  // What nothing happened to since is as it was.
  const sinceDawn = changes.filter(({ key }) => touched(key).length > 0);
  const eventsOf = eventsByFact(
    sinceDawn.map(({ key }) => key),
    dawn.events.filter(({ ordinal }) => ordinal < dawn.ordinal),
  );
  const casts = castsAmong(sinceDawn)
    .map(({ key, before, after }) => ({
      key,
      atDawn: eventsOf(key).reduce<ScoreFact | undefined>(
        (fact, event) => foldFact(fact, event, key),
        before,
      ),
      after,
    }))
    .filter(({ atDawn, after }) => !countsTheSame(atDawn, after))
    .map(({ key, atDawn, after }) => changeOf(key, atDawn, after));
  if (casts.length > 0) await sql(NOTE, [JSON.stringify(casts)]);
}
