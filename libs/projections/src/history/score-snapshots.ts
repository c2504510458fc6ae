import type { Pool, PoolClient } from 'pg';
import { isoTime } from '../queryable.js';
import { inTransaction } from '@nimo/projection-engine';
import { ALL } from '../totals.js';
import {
  type AsOf,
  boardAsOf,
  historyHead,
  type HistoryHead,
  rulesKey,
  SNAPSHOT_COLUMNS,
} from './scores-as-of.js';

/** Adding up fewer facts is fast enough without a snapshot. */
const MIN_FACTS = 20_000;
/** Advisory lock: only one worker takes snapshots at a time. */
const LOCK = 'nimo score snapshots';

export interface ScoreSnapshotsOptions {
  readonly pool: Pool;
  /** Minimum number of facts between snapshots. A space with more students needs as many facts as students. */
  readonly minFacts?: number;
}

/**
 * Takes snapshots of the scores of large spaces as their histories grow. A snapshot costs one row per student and the next is due
 * after at least as many facts, so the snapshots never outgrow the facts. New rules start a new series. Each snapshot is derived
 * from the previous one by the query that reads it.
 */
export class ScoreSnapshots {
  private readonly pool: Pool;
  private readonly minFacts: number;
  private isTaking = false;

  constructor({ pool, minFacts = MIN_FACTS }: ScoreSnapshotsOptions) {
    this.pool = pool;
    this.minFacts = minFacts;
  }

  /** Takes all due snapshots, each in its own transaction, unless already running. @returns the number taken */
  async takeDue(signal?: AbortSignal): Promise<number> {
    if (this.isTaking) return 0;
    this.isTaking = true;
    try {
      return await this.takeAll(signal);
    } finally {
      this.isTaking = false;
    }
  }

  private async takeAll(signal?: AbortSignal): Promise<number> {
    let taken = 0;
    await this.withLock(dropOldGenerations);
    for (const spaceId of await this.spaces()) {
      await this.withLock((client) => handleLateEvents(client, spaceId));
      for (const by of ['ordinal', 'moment'] as const) {
        while (signal?.aborted !== true && (await this.takeNext(spaceId, by))) taken += 1;
      }
    }
    return taken;
  }

  private async spaces(): Promise<string[]> {
    const { rows } = await this.pool.query<{ space_id: string }>(
      `select s.space_id from read.spaces s
       where exists (select from read.fact_history f where f.space_id = s.space_id and f.until_ordinal is null
                     order by f.ordinal offset $1 limit 1) order by 1`,
      [this.minFacts],
    );
    return rows.map((row) => row.space_id);
  }

  private async takeNext(spaceId: string, by: AsOf['by']): Promise<boolean> {
    const isTaken = await this.withLock(async (client) => {
      const head = await historyHead(client);
      const point = await nextPoint(client, { spaceId, by, head, minFacts: this.minFacts });
      if (point) await takeSnapshot(client, spaceId, point, head);
      return point !== undefined;
    });
    return isTaken ?? false;
  }

  /** Runs in a repeatable-read transaction. @returns undefined if another process holds the lock */
  private async withLock<T>(work: (client: PoolClient) => Promise<T>): Promise<T | undefined> {
    return inTransaction(
      this.pool,
      async (client) => {
        const { rows } = await client.query<{ is_free: boolean }>(
          'select pg_try_advisory_xact_lock(hashtext($1)) as is_free',
          [LOCK],
        );
        return rows[0]?.is_free === true ? await work(client) : undefined;
      },
      'begin isolation level repeatable read',
    );
  }
}

async function dropOldGenerations(client: PoolClient): Promise<void> {
  const { generation } = await historyHead(client);
  await drop(client, 'generation <> $1', [generation]);
}

async function drop(client: PoolClient, condition: string, values: readonly unknown[]): Promise<void> {
  await client.query(
    `with dropped as (delete from read.score_snapshots where ${condition} returning snapshot_id)
     delete from read.score_snapshot_rows where snapshot_id in (select snapshot_id from dropped)`,
    [...values],
  );
}

/**
 * Snapshots by time cover the events logged when they were taken. Those affected by a late event are dropped, to be taken again;
 * the others are extended to the log head.
 */
async function handleLateEvents(client: PoolClient, spaceId: string): Promise<void> {
  const head = await historyHead(client);
  const { rows } = await client.query<{ earliest: string | null }>(
    `with known as (
       select min(bound_ordinal) as ordinal from read.score_snapshots where space_id = $1 and taken_by = 'moment'
     )
     select least(
       (select min(f.occurred_at) from read.fact_history f, known
        where f.space_id = $1 and f.until_ordinal is null and f.ordinal > known.ordinal and f.ordinal <= $2),
       (select min(e.occurred_at) from read.fact_events e, known
        where e.space_id = $1 and e.ordinal > known.ordinal)
     )::text as earliest`,
    [spaceId, head.ordinal],
  );
  const earliest = rows[0]?.earliest ?? 'infinity';
  await drop(client, `space_id = $1 and taken_by = 'moment' and bound_at >= $2::timestamptz`, [
    spaceId,
    earliest,
  ]);
  await client.query(
    `update read.score_snapshots set bound_ordinal = $2
     where space_id = $1 and taken_by = 'moment' and bound_ordinal < $2`,
    [spaceId, head.ordinal],
  );
}

interface NextPointOptions {
  readonly spaceId: string;
  readonly by: AsOf['by'];
  readonly head: HistoryHead;
  readonly minFacts: number;
}

/**
 * The point of the next due snapshot: a number of facts after the last one, or an earlier publication of rules. The last minute is
 * excluded, since other processes may still append events with its time.
 */
async function nextPoint(
  client: PoolClient,
  { spaceId, by, head, minFacts }: NextPointOptions,
): Promise<AsOf | undefined> {
  const { column, bound, zero, end } = POINTS[by];
  const { rows } = await client.query<{ ordinal: string | null; at: string | null }>(
    `with last as (
       select coalesce(max(${bound}), ${zero}) as bound from read.score_snapshots
       where space_id = $1 and taken_by = $2 and generation = $3
     ), size as (
       select greatest($4::bigint, (select count(*) from read.leaderboard where space_id = $1)) as facts
     ), due as (
       select least(
         (select f.${column} from read.fact_history f where f.space_id = $1 and f.until_ordinal is null
            and f.${column} > (select bound from last) order by f.${column} offset (select facts from size) limit 1),
         (select min(${column}) from read.history_marks
          where space_id = '${ALL}' and rules is not null and ${column} > (select bound from last))
       ) as point
     )
     select ${by === 'ordinal' ? 'point::text' : 'null'} as ordinal, ${by === 'moment' ? isoTime('point') : 'null'} as at
     from due where point <= ${end}`,
    [spaceId, by, head.generation, minFacts],
  );
  const [row] = rows;
  if (row?.ordinal) return { by: 'ordinal', ordinal: Number(row.ordinal) };
  return row?.at ? { by: 'moment', at: row.at } : undefined;
}

const POINTS = {
  ordinal: { column: 'ordinal', bound: 'bound_ordinal', zero: '0', end: "'infinity'::numeric" },
  moment: {
    column: 'occurred_at',
    bound: 'bound_at',
    zero: "'-infinity'::timestamptz",
    end: "now() - interval '1 minute'",
  },
} as const;

async function takeSnapshot(
  client: PoolClient,
  spaceId: string,
  asOf: AsOf,
  head: HistoryHead,
): Promise<void> {
  const { tables, values, next, rules } = await boardAsOf(client, spaceId, asOf);
  const { rows } = await client.query<{ snapshot_id: string }>(
    `insert into read.score_snapshots (space_id, taken_by, generation, bound_ordinal, bound_at, rules)
     values ($1, $2, $3, $4, $5::timestamptz, $6) returning snapshot_id`,
    [
      spaceId,
      asOf.by,
      head.generation,
      asOf.by === 'ordinal' ? asOf.ordinal : head.ordinal,
      asOf.by === 'ordinal' ? 'infinity' : asOf.at,
      rulesKey(rules),
    ],
  );
  await client.query(
    `with ${tables}
     insert into read.score_snapshot_rows (snapshot_id, ${SNAPSHOT_COLUMNS})
     select $${next}::bigint, ${SNAPSHOT_COLUMNS} from board`,
    [...values, rows[0]?.snapshot_id],
  );
}
