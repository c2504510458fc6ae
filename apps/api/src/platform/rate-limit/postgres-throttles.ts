import type { Pool } from 'pg';
import { type Taken, Throttles } from './throttles.js';

/**
 * Rows of `state.throttle`. Where uses are counted one by one, a commit waits for the disk. A portion does not: after a crash of the server it may be
 * given once more, as to another process, and a vote would otherwise wait for the disk twice.
 */
export class PostgresThrottles extends Throttles {
  constructor(private readonly pool: Pool) {
    super();
  }

  async take(...[key, limit]: Parameters<Throttles['take']>): Promise<Taken> {
    const isPortion = limit.portion > 1;
    const { rows } = await this.pool.query<Taken>({
      name: isPortion ? 'throttle-take-portion' : 'throttle-take',
      text: `insert into state.throttle as t (key, window_ends, used) values ($1, now() + $2 * interval '1 second', $3)
             on conflict (key) do update set
               window_ends = case when t.window_ends <= now() then excluded.window_ends else t.window_ends end,
               used = case when t.window_ends <= now() then excluded.used else least(t.used, $4) + excluded.used end
             returning used, extract(epoch from window_ends - now())::float8 * 1000 as "leftMs"
             ${isPortion ? `, set_config('synchronous_commit', 'off', true)` : ''}`,
      values: [key, limit.seconds, limit.portion, limit.most],
    });
    const [row] = rows;
    if (!row) throw new Error('a throttle was neither made nor found');
    return row;
  }
}
