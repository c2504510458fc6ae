import type pg from 'pg';
import type { TimedQuery } from './appending.js';
import { LOG_CHANNEL } from './schema.js';
import { newClient } from './connections.js';
import type { LogTail } from './log-tail.js';

const noop = (): void => undefined;

/**
 * Notifies subscribers of appends right after the commit, not within it. Delivery is best effort: a failed notification is not repeated
 * and the process may end before it is sent, so subscribers also poll.
 */
export class AppendNotifier {
  private readonly pending = new Set<Promise<void>>();

  /**
   * Sends the notification right behind the append on a pipelined connection, and releases the connection after both responses.
   * @param appended the append just sent on this connection
   */
  notify(client: pg.PoolClient, appended: Promise<unknown>, timeoutMs: number): void {
    // The pool handles errors of idle connections only; if this one breaks, its queries fail.
    client.on('error', noop);
    const release = (isBroken: boolean): void => {
      // A broken connection may still emit errors later.
      if (!isBroken) client.off('error', noop);
      client.release(isBroken);
      this.pending.delete(notified);
    };
    const notified: Promise<void> = Promise.all([appended, client.query(notifyQuery(timeoutMs))]).then(
      () => release(false),
      // Like the pool, which discards a connection after a failed query.
      () => release(true),
    );
    this.pending.add(notified);
  }

  /** Resolves when all notifications have been sent. */
  async idle(): Promise<void> {
    await Promise.all(this.pending);
  }
}

/** Writes nothing, so its commit does not wait for the disk. */
const notifyQuery = (timeoutMs: number): TimedQuery => ({
  name: 'nimo-notify',
  text: `select pg_notify('${LOG_CHANNEL}', max(position)::text) from log.events`,
  query_timeout: timeoutMs,
});

const FIRST_DELAY_MS = 50;
const MAX_DELAY_MS = 2_000;

/** One connection that listens for all subscribers of a store and reconnects automatically. Polling covers the gaps. */
export class LogListener {
  private readonly tail: LogTail;
  private readonly options: pg.ClientConfig;
  private client: pg.Client | undefined;
  private reconnect: NodeJS.Timeout | undefined;
  private delayMs = FIRST_DELAY_MS;
  private hasStarted = false;
  private isClosed = false;

  /** @param name prefix of the connection's name in pg_stat_activity */
  constructor(connectionString: string, tail: LogTail, name?: string) {
    this.tail = tail;
    this.options = {
      connectionString,
      keepAlive: true,
      ...(name !== undefined && { application_name: `${name} log listener` }),
    };
  }

  start(): void {
    if (this.hasStarted) return;
    this.hasStarted = true;
    this.tryConnect();
  }

  /** Errors are ignored: without a listener, subscribers poll. */
  private tryConnect(): void {
    this.connect().catch(() => undefined);
  }

  async close(): Promise<void> {
    this.isClosed = true;
    clearTimeout(this.reconnect);
    this.tail.reset();
    const client = this.client;
    this.client = undefined;
    await client?.end().catch(() => undefined);
  }

  private async connect(): Promise<void> {
    const client = newClient(this.options);
    this.client = client;
    const lose = (): void => this.onDisconnect(client);
    client.on('error', lose).on('end', lose);
    client.on('notification', ({ payload }) => this.onNotification(Number(payload)));
    try {
      await client.connect();
      await client.query(`listen ${LOG_CHANNEL}`);
      this.delayMs = FIRST_DELAY_MS;
      // Appends may have gone unnoticed before LISTEN.
      this.tail.reset();
    } catch {
      lose();
    }
  }

  /** Any user of the database can send to the channel, so the payload is not trusted. */
  private onNotification(position: number): void {
    if (position > 0) this.tail.announce(position);
  }

  private onDisconnect(client: pg.Client): void {
    if (this.client !== client || this.isClosed) return;
    this.client = undefined;
    client.end().catch(() => undefined);
    this.reconnect = setTimeout(() => this.tryConnect(), this.delayMs);
    this.delayMs = Math.min(this.delayMs * 2, MAX_DELAY_MS);
  }
}
