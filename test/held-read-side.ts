import type pg from 'pg';

/** Projects nothing of questions meanwhile, as if no worker ran: the position of the live generation cannot move. */
export async function whileHeld<T>(pool: pg.Pool, work: () => Promise<T>): Promise<T> {
  const client = await pool.connect();
  try {
    await client.query('begin');
    await client.query(`select from read.projection_generations where name = 'questions' for update`);
    return await work();
  } finally {
    await client.query('rollback');
    client.release();
  }
}
