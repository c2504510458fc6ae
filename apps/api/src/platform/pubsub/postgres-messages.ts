import { setTimeout as delay } from 'node:timers/promises';
import { newClient } from '@nimo/event-store';
import pg from 'pg';
import type { OnFault } from '../errors/guarded.js';
import { Messages, type MessageSubscription, Subscriptions } from './messages.js';

const FIRST_BACKOFF_MS = 20;
const MAX_BACKOFF_MS = 2_000;

/** Messages over NOTIFY, with one LISTEN connection per process that reconnects automatically. */
export class PostgresMessages extends Messages {
  private readonly subscriptions: Subscriptions;
  private readonly stopping = new AbortController();
  private client: pg.Client | undefined;
  private connecting: Promise<void> | undefined;
  private backoffMs = FIRST_BACKOFF_MS;
  private queue: Promise<unknown> = Promise.resolve();

  /** @param connection direct, since a pooler in transaction mode drops LISTEN; `name` is shown in pg_stat_activity */
  constructor(
    private readonly connection: { readonly url: string; readonly name: string },
    private readonly pool: pg.Pool,
    onFault: OnFault,
  ) {
    super();
    this.subscriptions = new Subscriptions(onFault);
  }

  get isConnected(): boolean {
    return this.client !== undefined;
  }

  start(): Promise<void> {
    this.connecting ??= this.connect();
    return this.connecting;
  }

  async subscribe(channel: string, subscription: MessageSubscription): Promise<() => void> {
    const isFirst = this.subscriptions.add(channel, subscription);
    if (isFirst) await this.listenTo(channel);
    return () => this.subscriptions.remove(channel, subscription);
  }

  /** A server failure also breaks the LISTEN connections, which report the gap. */
  async publish(channel: string, payload: string): Promise<void> {
    await this.pool.query('select pg_notify($1, $2)', [channel, payload]);
  }

  async stop(): Promise<void> {
    this.stopping.abort();
    const { client } = this;
    this.client = undefined;
    await client?.end();
  }

  /** Serialised: a client runs one statement at a time. */
  private async listenTo(channel: string): Promise<void> {
    const listening = this.queue.then(() => this.client?.query(`listen ${pg.escapeIdentifier(channel)}`));
    this.queue = listening.catch(() => undefined);
    await listening;
  }

  private async connect(): Promise<void> {
    while (!this.stopping.signal.aborted) {
      try {
        await this.tryToConnect();
        return;
      } catch {
        // Readiness reports the outage; just retry.
        await this.backOff();
      }
    }
  }

  /** Exponential backoff, reset by the next notification. */
  private async backOff(): Promise<void> {
    const pause = this.backoffMs;
    this.backoffMs = Math.min(pause * 2, MAX_BACKOFF_MS);
    await delay(pause, undefined, { ref: false, signal: this.stopping.signal }).catch(() => undefined);
  }

  private async tryToConnect(): Promise<void> {
    const client = newClient({
      connectionString: this.connection.url,
      keepAlive: true,
      application_name: this.connection.name,
    });
    client.on('notification', ({ channel, payload }) => {
      this.backoffMs = FIRST_BACKOFF_MS;
      this.subscriptions.deliver(channel, payload ?? '');
    });
    client.on('error', () => this.reconnect(client));
    client.on('end', () => this.reconnect(client));
    try {
      await client.connect();
      for (const channel of this.subscriptions.channels)
        await client.query(`listen ${pg.escapeIdentifier(channel)}`);
      this.stopping.signal.throwIfAborted();
    } catch (error) {
      client.end().catch(() => undefined);
      throw error;
    }
    // Before `isConnected` becomes true.
    this.subscriptions.notifyGap();
    this.client = client;
  }

  private reconnect(lost: pg.Client): void {
    if (this.client !== lost) return;
    this.client = undefined;
    void lost.end().catch(() => undefined);
    // Also before the first retry: a server may accept connections and close them immediately.
    void this.backOff().then(() => this.connect());
  }
}
