import type { Statement } from '@nimo/projections';
import type { Pool, PoolClient } from 'pg';

const ROWS_AT_ONCE = 500;

export type Row = Readonly<Record<string, unknown>>;

/** One moment of the database: everything that is read of it fits together, and none of it is held whole. */
export class Moment {
  private cursors = 0;

  private constructor(readonly client: PoolClient) {}

  static async of<Result>(pool: Pool, work: (moment: Moment) => Promise<Result>): Promise<Result> {
    const client = await pool.connect();
    try {
      await client.query('begin transaction isolation level repeatable read read only');
      const result = await work(new Moment(client));
      await client.query('commit');
      client.release();
      return result;
    } catch (error) {
      // What is unfinished there goes with the connection.
      client.release(true);
      throw error;
    }
  }

  /** One at a time: a connection has one conversation. */
  async *rows({ text, values = [] }: Statement): AsyncGenerator<Row> {
    const cursor = `own_${(this.cursors += 1)}`;
    await this.client.query(`declare ${cursor} no scroll cursor for ${text}`, values);
    for (;;) {
      const { rows } = await this.client.query<Row>(`fetch ${ROWS_AT_ONCE} from ${cursor}`);
      yield* rows;
      if (rows.length < ROWS_AT_ONCE) break;
    }
    await this.client.query(`close ${cursor}`);
  }
}
