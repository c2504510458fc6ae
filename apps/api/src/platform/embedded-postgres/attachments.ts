import { randomUUID } from 'node:crypto';
import { chmod, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { EmbeddedPostgresError } from './embedded-postgres-error.js';
import { processIdentity } from './process-identity.js';

const STOPPING = 'stopping-';
const UNFINISHED = '.';
const STOP_PATIENCE_MS = 30_000;
const POLL_MS = 20;

/**
 * Who uses the server: a file each user, with its process's identity inside, so that a killed process counts as gone.
 *
 * The last one out raises `stopping` before it looks around; whoever comes in registers before it looks for `stopping`.
 * So either the one leaving sees the newcomer and lets the server run, or the newcomer sees `stopping` and waits.
 */
export class Attachments {
  readonly #folder: string;
  readonly #own = `${process.pid}-${randomUUID()}`;

  constructor(folder: string) {
    this.#folder = folder;
  }

  async enter(): Promise<void> {
    await this.#register(this.#own);
    const deadline = Date.now() + STOP_PATIENCE_MS;
    while ((await this.#living()).some((name) => name.startsWith(STOPPING))) {
      if (Date.now() > deadline) {
        await this.#remove(this.#own);
        throw new EmbeddedPostgresError('PostgreSQL is being stopped by another process and does not end.');
      }
      await delay(POLL_MS);
    }
  }

  /** Runs `stop` if nobody else is attached. */
  async leave(stop: () => Promise<void>): Promise<void> {
    await this.#remove(this.#own);
    const stopping = `${STOPPING}${this.#own}`;
    await this.#register(stopping);
    try {
      if (!(await this.isUsed())) await stop();
    } finally {
      await this.#remove(stopping);
    }
  }

  async isUsed(): Promise<boolean> {
    return (await this.#living()).some((name) => !name.startsWith(STOPPING));
  }

  async #living(): Promise<string[]> {
    const names = (await readdir(this.#folder).catch(() => [])).filter(
      (name) => !name.startsWith(UNFINISHED),
    );
    const living: string[] = [];
    for (const name of names) {
      const identity = await readFile(join(this.#folder, name), 'utf8').catch(() => undefined);
      if (identity === undefined) continue;
      if (processIdentity(Number.parseInt(identity, 10)) === identity) living.push(name);
      else await this.#remove(name);
    }
    return living;
  }

  async #register(name: string): Promise<void> {
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    await chmod(this.#folder, 0o700);
    const unfinished = join(this.#folder, `${UNFINISHED}${name}`);
    await writeFile(unfinished, processIdentity(process.pid) ?? '', { mode: 0o600 });
    await rename(unfinished, join(this.#folder, name));
  }

  async #remove(name: string): Promise<void> {
    await rm(join(this.#folder, name), { force: true });
  }
}
