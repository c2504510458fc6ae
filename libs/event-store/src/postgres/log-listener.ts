import type pg from 'pg';
import { newClient } from './connections.js';
import type { LogTail } from './log-tail.js';
import { LOG_CHANNEL } from './schema.js';

const FIRST_DELAY_MS = 50;
const MAX_DELAY_MS = 2_000;

/** One connection that listens for all subscribers of a store and comes back by itself. Polling covers what it misses meanwhile. */
export class LogListener {
  readonly #tail: LogTail;
  readonly #options: pg.ClientConfig;
  #client: pg.Client | undefined;
  #reconnect: NodeJS.Timeout | undefined;
  #delayMs = FIRST_DELAY_MS;
  #isStarted = false;
  #isClosed = false;

  /** @param name with which that of the connection begins, in pg_stat_activity */
  constructor(connectionString: string, tail: LogTail, name?: string) {
    this.#tail = tail;
    this.#options = {
      connectionString,
      keepAlive: true,
      ...(name !== undefined && { application_name: `${name} log listener` }),
    };
  }

  start(): void {
    if (this.#isStarted) return;
    this.#isStarted = true;
    this.#begin();
  }

  /** Without a listener readers look by the clock. */
  #begin(): void {
    this.#connect().catch(() => undefined);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#reconnect);
    this.#tail.forget();
    const client = this.#client;
    this.#client = undefined;
    await client?.end().catch(() => undefined);
  }

  async #connect(): Promise<void> {
    const client = newClient(this.#options);
    this.#client = client;
    const lose = (): void => this.#lose(client);
    client.on('error', lose).on('end', lose);
    client.on('notification', ({ payload }) => this.#hear(Number(payload)));
    try {
      await client.connect();
      await client.query(`LISTEN ${LOG_CHANNEL}`);
      this.#delayMs = FIRST_DELAY_MS;
      // What was appended while nobody listened.
      this.#tail.forget();
    } catch {
      lose();
    }
  }

  /** Anybody with the database can write into the channel. */
  #hear(position: number): void {
    if (position > 0) this.#tail.ring(position);
  }

  #lose(client: pg.Client): void {
    if (this.#client !== client || this.#isClosed) return;
    this.#client = undefined;
    client.end().catch(() => undefined);
    this.#reconnect = setTimeout(() => this.#begin(), this.#delayMs);
    this.#delayMs = Math.min(this.#delayMs * 2, MAX_DELAY_MS);
  }
}
