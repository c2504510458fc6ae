import { randomUUID } from 'node:crypto';
import { LOG_SCHEMA_SQL, openPool } from '@nimo/event-store';
import pg from 'pg';
import type { BenchContext } from '../bench-context.js';
import { startBenchProgram } from '../programs/children.js';
import { closedLoop, type LoopResult } from '../sampling.js';
import { appendAlone } from './append-alone.js';

const DATABASE = 'bench_floor';

/** The minimum through `pg` and the log's append statement: append, notify, fold and commit in another process, notify, read the row. */
export async function visibleFloor({ server, seconds }: BenchContext, clients: number): Promise<LoopResult> {
  await server.recreate(DATABASE);
  const url = server.url(DATABASE);
  const pool = openPool({ connectionString: url, max: clients });
  await pool.query(LOG_SCHEMA_SQL);
  await pool.query('create table floor_rows (id uuid primary key, body text)');
  await pool.query('create table floor_place as select 0::bigint as position');
  const folder = await startBenchProgram('fold-floor', [url]);
  const waiter = await PositionWaiter.open(url);
  try {
    return await closedLoop({
      clients,
      seconds,
      work: async () => {
        const id = randomUUID();
        const position = await appendAlone(pool, id);
        const notified = pool.query({
          name: 'ring',
          text: `select pg_notify('nimo_log', $1)`,
          values: [position],
        });
        await waiter.waitFor(Number(position));
        const { rowCount } = await pool.query({
          name: 'look',
          text: 'select * from floor_rows where id = $1',
          values: [id],
        });
        if (rowCount !== 1) throw new Error('a row that was reported as visible is missing');
        await notified;
      },
    });
  } finally {
    await waiter.close();
    await folder.stop();
    await pool.end();
    await server.drop(DATABASE);
  }
}

/** Waits until the folding process has passed a position. */
class PositionWaiter {
  private position = 0;
  private waiting: { readonly position: number; readonly resolve: () => void }[] = [];

  static async open(url: string): Promise<PositionWaiter> {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    const waiter = new PositionWaiter(client);
    await client.query('listen floor_seen');
    return waiter;
  }

  private constructor(private readonly client: pg.Client) {
    client.on('notification', ({ payload }) => {
      this.position = Math.max(this.position, Number(payload));
      const done = this.waiting.filter(({ position }) => position <= this.position);
      this.waiting = this.waiting.filter(({ position }) => position > this.position);
      for (const { resolve } of done) resolve();
    });
  }

  async waitFor(position: number): Promise<void> {
    if (position <= this.position) return;
    await new Promise<void>((resolve) => this.waiting.push({ position, resolve }));
  }

  async close(): Promise<void> {
    await this.client.end();
  }
}
