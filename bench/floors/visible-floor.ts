import { randomUUID } from 'node:crypto';
import { LOG_SCHEMA_SQL, openPool } from '@nimo/event-store';
import pg from 'pg';
import type { BenchContext } from '../bench-context.js';
import { startBenchProgram } from '../programs/children.js';
import { closedLoop, type Paced } from '../sampling.js';
import { appendAlone } from './append-alone.js';

const DATABASE = 'bench_floor';

/** Append, doorbell, another process folds and commits, its message, the row: as little of each as `pg` and the log's own statement allow. */
export async function visibleFloor({ server, seconds }: BenchContext, clients: number): Promise<Paced> {
  await server.recreate(DATABASE);
  const url = server.url(DATABASE);
  const pool = openPool({ connectionString: url, max: clients });
  await pool.query(LOG_SCHEMA_SQL);
  await pool.query('create table floor_rows (id uuid primary key, body text)');
  await pool.query('create table floor_place as select 0::bigint as position');
  const folder = await startBenchProgram('fold-floor', [url]);
  const seen = await Seen.open(url);
  try {
    return await closedLoop({
      clients,
      seconds,
      work: async () => {
        const id = randomUUID();
        const position = await appendAlone(pool, id);
        const rung = pool.query({
          name: 'ring',
          text: `select pg_notify('nimo_log', $1)`,
          values: [position],
        });
        await seen.upTo(Number(position));
        const { rowCount } = await pool.query({
          name: 'look',
          text: 'select * from floor_rows where id = $1',
          values: [id],
        });
        if (rowCount !== 1) throw new Error('what was said to be seen is not there');
        await rung;
      },
    });
  } finally {
    await seen.close();
    await folder.stop();
    await pool.end();
    await server.drop(DATABASE);
  }
}

/** Who waits until the folding process has passed a position. */
class Seen {
  private position = 0;
  private waiting: { readonly position: number; readonly resolve: () => void }[] = [];

  static async open(url: string): Promise<Seen> {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    const seen = new Seen(client);
    await client.query('listen floor_seen');
    return seen;
  }

  private constructor(private readonly client: pg.Client) {
    client.on('notification', ({ payload }) => {
      this.position = Math.max(this.position, Number(payload));
      const done = this.waiting.filter(({ position }) => position <= this.position);
      this.waiting = this.waiting.filter(({ position }) => position > this.position);
      for (const { resolve } of done) resolve();
    });
  }

  async upTo(position: number): Promise<void> {
    if (position <= this.position) return;
    await new Promise<void>((resolve) => this.waiting.push({ position, resolve }));
  }

  async close(): Promise<void> {
    await this.client.end();
  }
}
