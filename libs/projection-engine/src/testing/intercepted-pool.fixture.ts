import type { Pool, PoolClient } from 'pg';

/** A pool that calls `intercept` before each statement with the given prefix in a transaction. */
export function interceptPool(pool: Pool, prefix: string, intercept: () => Promise<void>): Pool {
  const connect = async (): Promise<PoolClient> => {
    const client = await pool.connect();
    return new Proxy(client, {
      get(target, property) {
        const value: unknown = Reflect.get(target, property, target);
        if (typeof value !== 'function') return value;
        if (property !== 'query') return value.bind(target) as unknown;
        return async (...args: unknown[]): Promise<unknown> => {
          if (typeof args[0] === 'string' && args[0].startsWith(prefix)) await intercept();
          return Reflect.apply(value, target, args) as unknown;
        };
      },
    });
  };
  return Object.create(pool, {
    connect: { value: connect },
    query: { value: pool.query.bind(pool) },
  }) as Pool;
}

/** Moves the rows to a new table with the same name, unless the old one is locked. */
export async function exchangeTable(pool: Pool, table: string): Promise<'exchanged' | 'locked out'> {
  const client = await pool.connect();
  const [, name = ''] = table.split('.');
  try {
    await client.query(`begin; set local lock_timeout = '100ms'`);
    await client.query(`create table ${table}_next (like ${table} including all)`);
    await client.query(`insert into ${table}_next select * from ${table}`);
    await client.query(`drop table ${table} cascade`);
    await client.query(`alter table ${table}_next rename to ${name}`);
    await client.query('commit');
    return 'exchanged';
  } catch (error) {
    await client.query('rollback');
    if (error instanceof Error && 'code' in error && error.code === '55P03') return 'locked out';
    throw error;
  } finally {
    client.release();
  }
}
