import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { factKeysOf, foldFact, type ScoreFact, type UpholdingFact } from '@nimo/domain';
import { InMemoryEventStore } from '@nimo/event-store/testing';
import { createTestDatabase, fc, type TestDatabase } from '@nimo/testing';
import type { Pool } from 'pg';
import type { ProjectedEvent } from '../projection.js';
import {
  applyBatch,
  type Checkpoint,
  GenerationTables,
  failTest,
  Leases,
  projectedBatch,
} from '@nimo/projection-engine/testing';
import { prepareProjections } from '@nimo/projection-engine';
import { type AsOf, boundOf, factAtSql, isCounted } from './scores-as-of.js';
import { possibleEvents, momentOf, projectedEvents, type TimedEvent } from './fact-history.fixture.js';
import { historyProjection } from './history.tables.js';

let database: TestDatabase;
let pool: Pool;
let append: (events: readonly ProjectedEvent[]) => Promise<void>;
let checkpoint: Checkpoint = { position: null, ordinal: 0 };

beforeAll(async () => {
  database = await createTestDatabase();
  pool = database.pool();
  await prepareProjections(pool, new InMemoryEventStore(), [historyProjection]);
  const leases = new Leases(pool, failTest);
  const lease = await leases.acquire(historyProjection.name, 1);
  if (!lease) throw new Error('the lease is taken');
  const tables = new GenerationTables(historyProjection, lease);
  append = async (events) => {
    const recorded = events.map((event) => ({ ...event, revision: 0, position: String(event.ordinal) }));
    checkpoint = await applyBatch(pool, tables, projectedBatch(checkpoint, recorded, new Set()));
  };
  release = () => leases.release(lease);
});
let release: () => Promise<void>;
afterAll(async () => {
  await release();
  await database.drop();
});

interface FactAt {
  readonly kind: string;
  readonly ordinal: number;
  readonly occurredAt: string;
  readonly standing: boolean;
  readonly reports: readonly { readonly ordinal: number; readonly occurredAt: string }[];
  readonly upheld: UpholdingFact | null;
  readonly deletedAt: string | null;
  readonly superseded: boolean;
}

const inOrder = (left: FactAt, right: FactAt): number =>
  left.kind.localeCompare(right.kind) || left.ordinal - right.ordinal;

function byFold(events: readonly ProjectedEvent[], asOf: AsOf): FactAt[] {
  const facts = new Map<string, ScoreFact>();
  for (const event of events.filter((one) => isCounted(asOf, one))) {
    for (const key of factKeysOf(event)) {
      const fact = foldFact(facts.get(key.join()), event, key);
      if (fact) facts.set(key.join(), fact);
    }
  }
  return [...facts.values()]
    .map(({ kind, ordinal, occurredAt, standing, reports, upheld, deletedAt, superseded }) => ({
      kind,
      ordinal,
      occurredAt,
      standing,
      upheld,
      deletedAt,
      superseded,
      reports: reports.map((report) => ({ ordinal: report.ordinal, occurredAt: report.occurredAt })),
    }))
    .sort(inOrder);
}

/** Like the leaderboard queries, reads facts with a single event only from their row. */
const factsSql = (by: AsOf['by']): string => `
  select f.kind, v.ordinal::int, v.occurred_at, v.standing, coalesce(v.reports, '[]') as reports, v.upheld, v.deleted_at, v.superseded
  from read.fact_history f cross join lateral (${factAtSql(by)}) v
  where f.space_id = $2 and f.until_ordinal is not null and $1::text is null
  union all
  select kind, ordinal::int, occurred_at, true, '[]', null, null, false from read.fact_history
  where space_id = $2 and until_ordinal is null
    and ${by === 'ordinal' ? 'ordinal <= $3::bigint' : 'occurred_at <= $3::timestamptz'}`;

interface SqlRow extends Omit<FactAt, 'occurredAt' | 'deletedAt'> {
  readonly occurred_at: Date;
  readonly deleted_at: Date | null;
}

const withIsoTime = <Occurred extends { readonly occurredAt: string }>(occurred: Occurred): Occurred => ({
  ...occurred,
  occurredAt: new Date(occurred.occurredAt).toISOString(),
});

async function bySql(spaceId: string, asOf: AsOf): Promise<FactAt[]> {
  const { rows } = await pool.query<SqlRow>(factsSql(asOf.by), [null, spaceId, boundOf(asOf)]);
  return rows
    .map(({ occurred_at, deleted_at, reports, upheld, ...row }) => ({
      ...row,
      occurredAt: occurred_at.toISOString(),
      deletedAt: deleted_at?.toISOString() ?? null,
      reports: reports.map(withIsoTime),
      upheld: upheld && withIsoTime(upheld),
    }))
    .sort(inOrder);
}

describe('a fact at an earlier time', () => {
  it('equals the fold of the events up to that ordinal or time, for late events and any batch size', async () => {
    const story = fc.array(fc.tuple(fc.nat(7), fc.integer({ min: 1, max: 8 }), fc.boolean()), {
      minLength: 1,
      maxLength: 14,
    });
    await fc.assert(
      fc.asyncProperty(
        story,
        fc.constantFrom('voteEvents', 'reportEvents', 'postEvents'),
        async (steps, name) => {
          const { vote, [name]: possible } = possibleEvents();
          const timed = steps.flatMap(([which, minute]): TimedEvent[] => {
            const event = possible[which % possible.length];
            return event ? [[minute, event]] : [];
          });
          const events = projectedEvents(timed, checkpoint.ordinal);
          const first = checkpoint.ordinal + 1;
          let batch: ProjectedEvent[] = [];
          for (const [index, event] of events.entries()) {
            batch.push(event);
            if (steps[index]?.[2] !== true && index < events.length - 1) continue;
            await append(batch);
            batch = [];
          }
          const points: AsOf[] = [
            ...events.map(({ ordinal }): AsOf => ({ by: 'ordinal', ordinal })),
            ...Array.from({ length: 9 }, (_, minute): AsOf => ({ by: 'moment', at: momentOf(minute) })),
            { by: 'ordinal', ordinal: first - 1 },
          ];
          for (const asOf of points)
            expect({ asOf, facts: await bySql(vote.spaceId, asOf) }).toEqual({
              asOf,
              facts: byFold(events, asOf),
            });
        },
      ),
      { numRuns: 60 },
    );
  });
});
