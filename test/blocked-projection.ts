import type pg from 'pg';

/** Blocks a projection during `work`, as if no worker ran, by locking its generations. */
export async function whileProjectionBlocked<T>(
  pool: pg.Pool,
  work: () => Promise<T>,
  name = 'questions',
): Promise<T> {
  const client = await pool.connect();
  try {
    await client.query('begin');
    await client.query('select from read.projection_generations where name = $1 for update', [name]);
    return await work();
  } finally {
    await client.query('rollback');
    client.release();
  }
}
