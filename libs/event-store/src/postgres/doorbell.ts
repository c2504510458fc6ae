import type pg from 'pg';
import type { TimedQuery } from './append-query.js';
import { LOG_CHANNEL } from './schema.js';

const nobody = (): void => undefined;

/**
 * Tells those who follow the log of what was appended, right after the commit and not within it. A ring that fails is not repeated, and a
 * process may end before the server has it: followers look by themselves as well.
 */
export class Doorbell {
  readonly #ringing = new Set<Promise<void>>();

  /**
   * Sends the ring behind the append without waiting for its answer, where the connection may be sent several statements at once. Nobody waits
   * for the ring's own. The connection goes back to its pool when both are there.
   *
   * @param appended the append, sent on that connection last
   */
  ring(client: pg.PoolClient, appended: Promise<unknown>, timeoutMs: number): void {
    // A pool listens only while a connection is idle; that this one broke is told by what was sent on it.
    client.on('error', nobody);
    const giveBack = (isBroken: boolean): void => {
      // One that broke may say so later, too.
      if (!isBroken) client.off('error', nobody);
      client.release(isBroken);
      this.#ringing.delete(ringing);
    };
    const ringing: Promise<void> = Promise.all([appended, client.query(ringQuery(timeoutMs))]).then(
      () => giveBack(false),
      // As the pool does with a connection on which something failed.
      () => giveBack(true),
    );
    this.#ringing.add(ringing);
  }

  /** Resolves when everything was told. */
  async idle(): Promise<void> {
    await Promise.all(this.#ringing);
  }
}

/** Writes nothing, so its commit waits for no disk. */
const ringQuery = (timeoutMs: number): TimedQuery => ({
  name: 'nimo-ring',
  text: `SELECT pg_notify('${LOG_CHANNEL}', max(position)::text) FROM log.events`,
  query_timeout: timeoutMs,
});
