import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod';
import { processIdentity } from '../embedded-postgres/process-identity.js';

const STOP_PATIENCE_MS = 5_000;
const POLL_MS = 20;

const content = z.object({ address: z.string(), processes: z.array(z.string()) });

/** `<data>/running.json`: where the running product answers and which processes are its own. */
export class RunningFile {
  readonly #path: string;
  #address = '';
  readonly #processes = new Set<string>();
  #writing: Promise<void> = Promise.resolve();

  constructor(dataDir: string) {
    this.#path = join(dataDir, 'running.json');
  }

  async address(): Promise<string | undefined> {
    return (await this.#read())?.address;
  }

  /** Ends the api and the worker of a launcher that was killed. */
  async endOrphans(): Promise<number> {
    const identities = (await this.#read())?.processes ?? [];
    const orphans = identities.filter((identity) => isAlive(identity));
    for (const identity of orphans) signal(identity, 'SIGTERM');
    const deadline = Date.now() + STOP_PATIENCE_MS;
    while (orphans.some(isAlive) && Date.now() < deadline) await delay(POLL_MS);
    for (const identity of orphans) if (isAlive(identity)) signal(identity, 'SIGKILL');
    return orphans.length;
  }

  announce(address: string): Promise<void> {
    this.#address = address;
    return this.#write();
  }

  addProcess(pid: number): Promise<void> {
    for (const identity of this.#processes) if (!isAlive(identity)) this.#processes.delete(identity);
    const identity = processIdentity(pid);
    if (identity !== undefined) this.#processes.add(identity);
    return this.#write();
  }

  async remove(): Promise<void> {
    await this.#writing;
    await rm(this.#path, { force: true });
  }

  #write(): Promise<void> {
    const text = JSON.stringify({ address: this.#address, processes: [...this.#processes] });
    this.#writing = this.#writing.then(async () => {
      await writeFile(`${this.#path}.new`, text, { mode: 0o600 });
      await rename(`${this.#path}.new`, this.#path);
    });
    return this.#writing;
  }

  async #read(): Promise<z.infer<typeof content> | undefined> {
    try {
      return content.parse(JSON.parse(await readFile(this.#path, 'utf8')));
    } catch {
      // Not there, or cut off by a full disk: nobody is known to run.
      return undefined;
    }
  }
}

function isAlive(identity: string): boolean {
  return processIdentity(Number.parseInt(identity, 10)) === identity;
}

function signal(identity: string, name: NodeJS.Signals): void {
  try {
    process.kill(Number.parseInt(identity, 10), name);
  } catch {
    // It ended in between.
  }
}
