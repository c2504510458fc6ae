import type { Pool, PoolClient } from 'pg';
import { createHash } from 'node:crypto';

/**
 * Waits for all pipelined statements; with `pipeline` that is one round trip. Throws the first error, which is the cause: a failure fails
 * every later statement of its transaction.
 */
export async function allAnswered<const T extends readonly unknown[]>(
  sent: T,
): Promise<{ -readonly [I in keyof T]: Awaited<T[I]> }> {
  const answers = await Promise.allSettled(sent);
  return answers.map((answer) => {
    if (answer.status === 'rejected') throw answer.reason;
    return answer.value;
  }) as { -readonly [I in keyof T]: Awaited<T[I]> };
}

/** @param begin statements that open the transaction, for its local settings */
export async function inTransaction<T>(
  pool: Pool,
  work: (client: PoolClient) => Promise<T>,
  begin = 'begin',
): Promise<T> {
  return inOwnTransaction(
    pool,
    async (client, commit) => {
      const result = await work(client);
      await commit();
      return result;
    },
    begin,
  );
}

/** Like `inTransaction`, but the work commits itself, so that it can pipeline the commit with its last statements. */
export async function inOwnTransaction<T>(
  pool: Pool,
  work: (client: PoolClient, commit: () => Promise<void>) => Promise<T>,
  begin: string,
): Promise<T> {
  const client = await pool.connect();
  let broken: Error | undefined;
  // A connection may die between two statements; without a listener that would end the process.
  const onError = (error: Error): void => {
    broken = error;
  };
  client.on('error', onError);
  try {
    // `begin` only fails with its connection, and then the work fails too.
    const [, result] = await allAnswered([client.query(begin), work(client, () => commit(client))]);
    return result;
  } catch (error) {
    await client.query('rollback').catch(onError);
    throw error;
  } finally {
    client.off('error', onError);
    client.release(broken);
  }
}

/** PostgreSQL answers the commit of a failed transaction with a rollback, without an error. */
async function commit(client: PoolClient): Promise<void> {
  const { command } = await client.query('commit');
  if (command !== 'COMMIT') throw new Error('the transaction had failed and was rolled back');
}

/**
 * - each time: for large batches, so that the planner sees their sizes
 * - once: for small batches, where planning costs more than execution; see `CACHED_PLANS`
 */
export type Planning = 'each time' | 'once';

/** A cached plan may date from when the table was small, so it must be forced to look rows up by key. */
export const CACHED_PLANS = 'set local plan_cache_mode = force_generic_plan; set local enable_seqscan = off';

const names = new Map<string, string>();

/** A statement for `pg`. Named statements are parsed and planned once per connection. */
export function planned(text: string, planning: Planning): { readonly text: string; readonly name?: string } {
  return planning === 'each time' ? { text } : { text, name: nameOf(text) };
}

function nameOf(text: string): string {
  const known = names.get(text);
  if (known !== undefined) return known;
  const name = `nimo_${createHash('sha256').update(text).digest('hex').slice(0, 24)}`;
  names.set(text, name);
  return name;
}
