import type { Pool, PoolClient } from 'pg';
import { createHash } from 'node:crypto';

/**
 * What was sent without waiting in between, once all of it is answered. On a connection with `pipeline` that is one round trip;
 * a failure fails every later statement of its transaction, so the first one has the reason.
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

/** As `inTransaction`, but the work commits by itself, so that the commit can be sent along with what it commits. */
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
    // A begin can fail with its connection only, and then the work fails too.
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

/** PostgreSQL answers a commit of what has failed with a rollback, and calls that a success. */
async function commit(client: PoolClient): Promise<void> {
  const { command } = await client.query('commit');
  if (command !== 'COMMIT') throw new Error('the transaction had failed and was rolled back');
}

/**
 * - each time: for large batches, whose sizes the planner should see
 * - once: for small ones, where planning costs more than running; see `KEPT_PLANS`
 */
export type Planning = 'each time' | 'once';

/** A plan that is kept may have been made while the table was small; it must look rows up by key all the same. */
export const KEPT_PLANS = 'set local plan_cache_mode = force_generic_plan; set local enable_seqscan = off';

const names = new Map<string, string>();

/** A statement for `pg`; one with a name is parsed and planned once a connection. */
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
