import { setTimeout as delay } from 'node:timers/promises';
import { newClient } from '@nimo/event-store';
import pg from 'pg';
import type { OnFault } from '../errors/guarded.js';
import { Messages, type MessageSubscription, Subscriptions } from './messages.js';

const FIRST_PAUSE_MS = 20;
const MAX_PAUSE_MS = 2_000;

/** NOTIFY, and one connection that LISTENs for the whole process and comes back by itself. */
export class PostgresMessages extends Messages {
  private readonly subscriptions: Subscriptions;
  private readonly stopping = new AbortController();
  private client: pg.Client | undefined;
  private connecting: Promise<void> | undefined;
  private pauseMs = FIRST_PAUSE_MS;
  private inTurn: Promise<unknown> = Promise.resolve();

  /** @param connection straight to the server, as a pooler in transaction mode forgets LISTEN; its name is shown in pg_stat_activity */
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

  /** Those who LISTEN on this server lose their connections with it, and hear of the gap by that. */
  async publish(channel: string, payload: string): Promise<void> {
    await this.pool.query('select pg_notify($1, $2)', [channel, payload]);
  }

  async stop(): Promise<void> {
    this.stopping.abort();
    const { client } = this;
    this.client = undefined;
    await client?.end();
  }

  /** One after the other: a client takes one statement at a time. */
  private async listenTo(channel: string): Promise<void> {
    const listening = this.inTurn.then(() => this.client?.query(`listen ${pg.escapeIdentifier(channel)}`));
    this.inTurn = listening.catch(() => undefined);
    await listening;
  }

  private async connect(): Promise<void> {
    while (!this.stopping.signal.aborted) {
      try {
        await this.tryToConnect();
        return;
      } catch {
        // The server is away or starting: readiness tells of it, here only the next try matters.
        await this.rest();
      }
    }
  }

  /** Ever longer, until something was heard. */
  private async rest(): Promise<void> {
    const pause = this.pauseMs;
    this.pauseMs = Math.min(pause * 2, MAX_PAUSE_MS);
    await delay(pause, undefined, { ref: false, signal: this.stopping.signal }).catch(() => undefined);
  }

  private async tryToConnect(): Promise<void> {
    const client = newClient({
      connectionString: this.connection.url,
      keepAlive: true,
      application_name: this.connection.name,
    });
    client.on('notification', ({ channel, payload }) => {
      this.pauseMs = FIRST_PAUSE_MS;
      this.subscriptions.hand(channel, payload ?? '');
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
    // Before anybody trusts the connection again.
    this.subscriptions.tellOfGap();
    this.client = client;
  }

  private reconnect(lost: pg.Client): void {
    if (this.client !== lost) return;
    this.client = undefined;
    void lost.end().catch(() => undefined);
    // Also before the first try: a server may take connections and end them at once.
    void this.rest().then(() => this.connect());
  }
}
