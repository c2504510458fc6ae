import { inTransaction } from '@nimo/projection-engine';
import type { Pool } from 'pg';

/** Runs work of the same lock one at a time, across all processes. For rare decisions that no single stream can guard. */
export class ExclusiveWork {
  private turn: Promise<unknown> = Promise.resolve();

  constructor(private readonly pool: Pool) {}

  run<Result>(lock: string, work: () => Promise<Result>): Promise<Result> {
    const result = this.turn.then(() =>
      inTransaction(this.pool, async (client) => {
        await client.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [lock]);
        return work();
      }),
    );
    // One at a time within the process: `work` needs another connection of the pool.
    this.turn = result.catch(() => undefined);
    return result;
  }
}
