import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';

const LONGEST_PAUSE_MS = 2_000;

interface Subscription {
  readonly onMessage: (payload: string) => void;
  /** Messages may have been missed: the connection was lost and is back. */
  readonly onGap?: () => void;
}

/** One connection that LISTENs for the whole process and comes back by itself. */
export class PostgresListener {
  private readonly subscriptions = new Map<string, Set<Subscription>>();
  private readonly stopping = new AbortController();
  private client: pg.Client | undefined;
  private connecting: Promise<void> | undefined;

  /** @param url straight to the server: a pooler in transaction mode forgets LISTEN */
  constructor(private readonly url: string) {}

  get isConnected(): boolean {
    return this.client !== undefined;
  }

  start(): Promise<void> {
    this.connecting ??= this.connect();
    return this.connecting;
  }

  /** @returns what ends the subscription */
  async subscribe(channel: string, subscription: Subscription): Promise<() => void> {
    const ofChannel = this.subscriptions.get(channel) ?? new Set();
    const isNew = ofChannel.size === 0;
    ofChannel.add(subscription);
    this.subscriptions.set(channel, ofChannel);
    if (isNew) await this.client?.query(`listen ${pg.escapeIdentifier(channel)}`);
    return () => ofChannel.delete(subscription);
  }

  async stop(): Promise<void> {
    this.stopping.abort();
    const { client } = this;
    this.client = undefined;
    await client?.end();
  }

  private async connect(): Promise<void> {
    for (let pause = 50; !this.stopping.signal.aborted; pause = Math.min(pause * 2, LONGEST_PAUSE_MS)) {
      try {
        await this.tryToConnect();
        return;
      } catch {
        // The server is away or starting: readiness tells of it, here only the next try matters.
        await delay(pause, undefined, { ref: false });
      }
    }
  }

  private async tryToConnect(): Promise<void> {
    const client = new pg.Client({
      connectionString: this.url,
      keepAlive: true,
      application_name: 'nimo listener',
    });
    client.on('notification', ({ channel, payload }) => this.hand(channel, payload ?? ''));
    client.on('error', () => this.reconnect(client));
    client.on('end', () => this.reconnect(client));
    await client.connect();
    for (const channel of this.subscriptions.keys())
      await client.query(`listen ${pg.escapeIdentifier(channel)}`);
    // Before anybody trusts the connection again.
    this.tellOfGap();
    this.client = client;
  }

  private reconnect(lost: pg.Client): void {
    if (this.client !== lost) return;
    this.client = undefined;
    void lost.end().catch(() => undefined);
    void this.connect();
  }

  private hand(channel: string, payload: string): void {
    for (const { onMessage } of this.subscriptions.get(channel) ?? []) onMessage(payload);
  }

  private tellOfGap(): void {
    for (const ofChannel of this.subscriptions.values()) for (const { onGap } of ofChannel) onGap?.();
  }
}
