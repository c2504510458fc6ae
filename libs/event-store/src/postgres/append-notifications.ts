import type pg from 'pg';
import type { TimedQuery } from './appending.js';
import { LOG_CHANNEL } from './schema.js';
import { newClient } from './connections.js';
import type { LogTail } from './log-tail.js';

const nobody = (): void => undefined;

/**
 * Tells those who follow the log of what was appended, right after the commit and not within it. A ring that fails is not repeated, and a
 * process may end before the server has it: followers look by themselves as well.
 */
export class Doorbell {
  private readonly ringing = new Set<Promise<void>>();

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
      this.ringing.delete(ringing);
    };
    const ringing: Promise<void> = Promise.all([appended, client.query(ringQuery(timeoutMs))]).then(
      () => giveBack(false),
      // As the pool does with a connection on which something failed.
      () => giveBack(true),
    );
    this.ringing.add(ringing);
  }

  /** Resolves when everything was told. */
  async idle(): Promise<void> {
    await Promise.all(this.ringing);
  }
}

/** Writes nothing, so its commit waits for no disk. */
const ringQuery = (timeoutMs: number): TimedQuery => ({
  name: 'nimo-ring',
  text: `select pg_notify('${LOG_CHANNEL}', max(position)::text) from log.events`,
  query_timeout: timeoutMs,
});

const FIRST_DELAY_MS = 50;
const MAX_DELAY_MS = 2_000;

/** One connection that listens for all subscribers of a store and comes back by itself. Polling covers what it misses meanwhile. */
export class LogListener {
  private readonly tail: LogTail;
  private readonly options: pg.ClientConfig;
  private client: pg.Client | undefined;
  private reconnect: NodeJS.Timeout | undefined;
  private delayMs = FIRST_DELAY_MS;
  private isStarted = false;
  private isClosed = false;

  /** @param name with which that of the connection begins, in pg_stat_activity */
  constructor(connectionString: string, tail: LogTail, name?: string) {
    this.tail = tail;
    this.options = {
      connectionString,
      keepAlive: true,
      ...(name !== undefined && { application_name: `${name} log listener` }),
    };
  }

  start(): void {
    if (this.isStarted) return;
    this.isStarted = true;
    this.begin();
  }

  /** Without a listener readers look by the clock. */
  private begin(): void {
    this.connect().catch(() => undefined);
  }

  async close(): Promise<void> {
    this.isClosed = true;
    clearTimeout(this.reconnect);
    this.tail.forget();
    const client = this.client;
    this.client = undefined;
    await client?.end().catch(() => undefined);
  }

  private async connect(): Promise<void> {
    const client = newClient(this.options);
    this.client = client;
    const lose = (): void => this.lose(client);
    client.on('error', lose).on('end', lose);
    client.on('notification', ({ payload }) => this.hear(Number(payload)));
    try {
      await client.connect();
      await client.query(`listen ${LOG_CHANNEL}`);
      this.delayMs = FIRST_DELAY_MS;
      // What was appended while nobody listened.
      this.tail.forget();
    } catch {
      lose();
    }
  }

  /** Anybody with the database can write into the channel. */
  private hear(position: number): void {
    if (position > 0) this.tail.ring(position);
  }

  private lose(client: pg.Client): void {
    if (this.client !== client || this.isClosed) return;
    this.client = undefined;
    client.end().catch(() => undefined);
    this.reconnect = setTimeout(() => this.begin(), this.delayMs);
    this.delayMs = Math.min(this.delayMs * 2, MAX_DELAY_MS);
  }
}
