import type { Pool } from 'pg';
import { type Taken, Throttles } from './throttles.js';

/** Rows of `state.throttle`. */
export class PostgresThrottles extends Throttles {
  constructor(private readonly pool: Pool) {
    super();
  }

  async take(...[key, limit]: Parameters<Throttles['take']>): Promise<Taken> {
    const { rows } = await this.pool.query<Taken>({
      name: 'throttle-take',
      text: `insert into state.throttle as t (key, window_ends, used) values ($1, now() + $2 * interval '1 second', $3)
             on conflict (key) do update set
               window_ends = case when t.window_ends <= now() then excluded.window_ends else t.window_ends end,
               used = case when t.window_ends <= now() then excluded.used else least(t.used, $4) + excluded.used end
             returning used, extract(epoch from window_ends - now())::float8 * 1000 as "leftMs"`,
      values: [key, limit.seconds, limit.portion, limit.most],
    });
    const [row] = rows;
    if (!row) throw new Error('a throttle was neither made nor found');
    return row;
  }
}
