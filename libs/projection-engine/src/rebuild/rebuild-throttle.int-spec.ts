import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { openEventStore, openPool } from '@nimo/event-store';
import type { Pool, PoolClient } from 'pg';
import { createTestDatabase, eventually, type TestDatabase } from '@nimo/testing';
import { RebuildThrottle } from './rebuild-throttle.js';

const PROCESS = 'nimo worker';

describe('rebuild throttle', () => {
  let database: TestDatabase;
  let pool: Pool;
  let throttle: RebuildThrottle;
  let holder: PoolClient;

  beforeEach(async () => {
    database = await createTestDatabase();
    pool = openPool({ connectionString: database.url, max: 1, application_name: PROCESS });
    throttle = new RebuildThrottle(pool);
    // Keeps reads of the log active.
    holder = await database.pool().connect();
    await holder.query('begin; lock table log.events');
  });
  afterEach(async () => {
    await pool.end();
    await database.drop();
  });

  /** The page size during reads by another program, which is small whenever the throttle delays. */
  async function pageSizeDuringReadsOf(name: string): Promise<number> {
    const store = await openEventStore({ databaseUrl: database.url, name });
    const reads = Array.from({ length: 3 }, () => store.readAll({ limit: 1 }));
    await eventually(
      async () => {
        const { rowCount } = await database
          .pool()
          .query(
            `select from pg_stat_activity where datname = current_database() and wait_event = 'relation' and application_name = $1`,
            [`${name} log`],
          );
        return rowCount;
      },
      (waiting) => waiting === reads.length,
    );
    // 0 ms, because only the sampling matters here.
    await throttle.delay(0, new AbortController().signal);
    const { pageSize } = throttle;
    await holder.query('rollback');
    holder.release();
    await Promise.all(reads);
    await store.close();
    return pageSize;
  }

  it('ignores reads of its own process', async () => {
    expect(await pageSizeDuringReadsOf(PROCESS)).toBe(new RebuildThrottle(pool).pageSize);
  });

  it.each(['nimo api', 'nimo worker2', 'psql'])('slows down during statements of %s', async (other) => {
    expect(await pageSizeDuringReadsOf(other)).toBeLessThan(new RebuildThrottle(pool).pageSize);
  });
});
