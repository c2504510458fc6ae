import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { openEventStore, openPool } from '@nimo/event-store';
import type { Pool, PoolClient } from 'pg';
import { createTestDatabase, eventually, type TestDatabase } from '@nimo/testing';
import { RebuildThrottle } from './rebuild-throttle.js';

const PROCESS = 'nimo worker';

describe('the throttle of a rebuild', () => {
  let database: TestDatabase;
  let pool: Pool;
  let throttle: RebuildThrottle;
  let holder: PoolClient;

  beforeEach(async () => {
    database = await createTestDatabase();
    pool = openPool({ connectionString: database.url, max: 1, application_name: PROCESS });
    throttle = new RebuildThrottle(pool);
    // Whoever reads the log waits, with a statement that is at work.
    holder = await database.pool().connect();
    await holder.query('begin; lock table log.events');
  });
  afterEach(async () => {
    await pool.end();
    await database.drop();
  });

  /** The size of a page while the log is being read, which is small where a rest goes with it. */
  async function besideReadsOf(name: string): Promise<number> {
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
    // Nothing was taken by the page: what is asked here is whether there is a rest, not how long.
    await throttle.giveWay(0, new AbortController().signal);
    const { pageSize } = throttle;
    await holder.query('rollback');
    holder.release();
    await Promise.all(reads);
    await store.close();
    return pageSize;
  }

  it('is that of an idle database beside the reads of its own process', async () => {
    expect(await besideReadsOf(PROCESS)).toBe(new RebuildThrottle(pool).pageSize);
  });

  it.each(['nimo api', 'nimo worker2', 'psql'])('gives way to the statements of %s', async (other) => {
    expect(await besideReadsOf(other)).toBeLessThan(new RebuildThrottle(pool).pageSize);
  });
});
