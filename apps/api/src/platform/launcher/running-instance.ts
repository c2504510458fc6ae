import { createServer } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { newClient } from '@nimo/event-store';
import type pg from 'pg';
import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { errorCode } from '../embedded-postgres/native-files.js';
import { processIdentity } from '../embedded-postgres/postmaster.js';

/** Why the product does not start, in one line for the person at the console. */
export class LaunchError extends Error {
  override readonly name = 'LaunchError';
}

const TRIES = 50;

interface WantedPort {
  readonly host: string;
  readonly port: number;
  /** Somebody asked for this one, so another would not do. */
  readonly isExplicit: boolean;
}

export async function freePort({ host, port, isExplicit }: WantedPort): Promise<number> {
  for (let candidate = port; candidate < port + TRIES; candidate += 1) {
    const found = await tryPort(host, candidate);
    if (typeof found === 'number') return found;
    if (found !== 'EADDRINUSE') {
      throw new LaunchError(
        `Nimo cannot listen on ${host}, port ${candidate} (${found}); set HOST or PORT to something else.`,
      );
    }
    if (isExplicit) {
      throw new LaunchError(
        `Port ${candidate} is taken by another program; stop it or set PORT to another number.`,
      );
    }
  }
  throw new LaunchError(`The ports from ${port} to ${port + TRIES - 1} are all taken; set PORT.`);
}

/** The port, a real one for 0, or what is wrong with it. */
function tryPort(host: string, port: number): Promise<number | string> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', (error) => {
      resolve(errorCode(error) ?? error.message);
    });
    server.listen({ host, port, exclusive: true }, () => {
      const address = server.address();
      const found = typeof address === 'object' ? address?.port : undefined;
      server.close(() => {
        resolve(found ?? port);
      });
    });
  });
}

/** "nimol" in ASCII. */
const LAUNCHER_LOCK = 0x6e_69_6d_6f_6c;
const PAUSE_MS = 250;

interface InstanceLockOptions {
  readonly url: string;
  /** The connection broke: bring the server back if it has ended. */
  readonly revive: () => Promise<void>;
}

/** One launcher a data folder: a session lock in its database, which ends with the process however it ends. */
export class InstanceLock {
  private readonly options: InstanceLockOptions;
  private client: pg.Client | undefined;
  private isReleased = false;

  constructor(options: InstanceLockOptions) {
    this.options = options;
  }

  /** False when another launcher holds it. */
  async take(): Promise<boolean> {
    const client = newClient({
      connectionString: this.options.url,
      application_name: 'nimo launcher',
      keepAlive: true,
    });
    await client.connect();
    const { rows } = await client.query<{ taken: boolean }>('select pg_try_advisory_lock($1) as taken', [
      LAUNCHER_LOCK,
    ]);
    if (rows[0]?.taken !== true) {
      await client.end();
      return false;
    }
    this.client = client;
    client.once('end', () => {
      // It tries until it has the lock again, whatever fails.
      this.regain().catch(() => undefined);
    });
    return true;
  }

  async release(): Promise<void> {
    this.isReleased = true;
    await this.client?.end().catch(() => undefined);
  }

  private async regain(): Promise<void> {
    // A call, as the type checker takes a property that was read once for unchanging.
    const isReleased = (): boolean => this.isReleased;
    while (!isReleased()) {
      // Before the first try as well: a server may take connections and end them at once.
      await delay(PAUSE_MS);
      if (isReleased()) return;
      try {
        await this.options.revive();
        if (await this.take()) return;
      } catch {
        // The server logs why it does not start; it is tried until the launcher is stopped.
      }
    }
  }
}

const STOP_PATIENCE_MS = 5_000;
const POLL_MS = 20;

const content = z.object({ address: z.string(), processes: z.array(z.string()) });

/** `<data>/running.json`: where the running product answers and which processes are its own. */
export class RunningFile {
  private readonly path: string;
  private ownAddress = '';
  private readonly processes = new Set<string>();
  private writing: Promise<void> = Promise.resolve();

  constructor(dataDir: string) {
    this.path = join(dataDir, 'running.json');
  }

  async address(): Promise<string | undefined> {
    return (await this.read())?.address;
  }

  /** Ends the api and the worker of a launcher that was killed. */
  async endOrphans(): Promise<number> {
    const identities = (await this.read())?.processes ?? [];
    const orphans = identities.filter((identity) => isAlive(identity));
    for (const identity of orphans) signal(identity, 'SIGTERM');
    const deadline = Date.now() + STOP_PATIENCE_MS;
    while (orphans.some(isAlive) && Date.now() < deadline) await delay(POLL_MS);
    for (const identity of orphans) if (isAlive(identity)) signal(identity, 'SIGKILL');
    return orphans.length;
  }

  announce(address: string): Promise<void> {
    this.ownAddress = address;
    return this.write();
  }

  addProcess(pid: number): Promise<void> {
    for (const identity of this.processes) if (!isAlive(identity)) this.processes.delete(identity);
    const identity = processIdentity(pid);
    if (identity !== undefined) this.processes.add(identity);
    return this.write();
  }

  async remove(): Promise<void> {
    await this.writing;
    await rm(this.path, { force: true });
  }

  private write(): Promise<void> {
    const text = JSON.stringify({ address: this.ownAddress, processes: [...this.processes] });
    this.writing = this.writing.then(async () => {
      await writeFile(`${this.path}.new`, text, { mode: 0o600 });
      await rename(`${this.path}.new`, this.path);
    });
    return this.writing;
  }

  private async read(): Promise<z.infer<typeof content> | undefined> {
    try {
      return content.parse(JSON.parse(await readFile(this.path, 'utf8')));
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
