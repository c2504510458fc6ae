import { setTimeout as delay } from 'node:timers/promises';
import { newClient } from '@nimo/event-store';
import type pg from 'pg';

/** "nimol" in ASCII. */
const LAUNCHER_LOCK = 0x6e_69_6d_6f_6c;
const PAUSE_MS = 250;

export interface InstanceLockOptions {
  readonly url: string;
  /** The connection broke: bring the server back if it has ended. */
  readonly revive: () => Promise<void>;
}

/** One launcher a data folder: a session lock in its database, which ends with the process however it ends. */
export class InstanceLock {
  readonly #options: InstanceLockOptions;
  #client: pg.Client | undefined;
  #isReleased = false;

  constructor(options: InstanceLockOptions) {
    this.#options = options;
  }

  /** False when another launcher holds it. */
  async take(): Promise<boolean> {
    const client = newClient({
      connectionString: this.#options.url,
      application_name: 'nimo launcher',
      keepAlive: true,
    });
    await client.connect();
    const { rows } = await client.query<{ taken: boolean }>('SELECT pg_try_advisory_lock($1) AS taken', [
      LAUNCHER_LOCK,
    ]);
    if (rows[0]?.taken !== true) {
      await client.end();
      return false;
    }
    this.#client = client;
    client.once('end', () => {
      // It tries until it has the lock again, whatever fails.
      this.#regain().catch(() => undefined);
    });
    return true;
  }

  async release(): Promise<void> {
    this.#isReleased = true;
    await this.#client?.end().catch(() => undefined);
  }

  async #regain(): Promise<void> {
    // A call, as the type checker takes a property that was read once for unchanging.
    const isReleased = (): boolean => this.#isReleased;
    while (!isReleased()) {
      // Before the first try as well: a server may take connections and end them at once.
      await delay(PAUSE_MS);
      if (isReleased()) return;
      try {
        await this.#options.revive();
        if (await this.take()) return;
      } catch {
        // The server logs why it does not start; it is tried until the launcher is stopped.
      }
    }
  }
}
