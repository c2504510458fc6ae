import { createServer } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { newClient } from '@nimo/event-store';
import type pg from 'pg';
import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { errorCode } from '../embedded-postgres/native-files.js';
import { processIdentity } from '../embedded-postgres/postmaster.js';

/** Why the product does not start; a one-line message for the console. */
export class LaunchError extends Error {
  override readonly name = 'LaunchError';
}

const PORTS_TRIED = 50;

interface PortRequest {
  readonly host: string;
  readonly port: number;
  /** Set by the user, so that no other port is tried. */
  readonly isExplicit: boolean;
}

export async function findFreePort({ host, port, isExplicit }: PortRequest): Promise<number> {
  for (let candidate = port; candidate < port + PORTS_TRIED; candidate += 1) {
    const found = await tryPort(host, candidate);
    if (typeof found === 'number') return found;
    if (found !== 'EADDRINUSE') {
      throw new LaunchError(
        `Nimo cannot listen on ${host}, port ${candidate} (${found}). Set HOST or PORT to another value.`,
      );
    }
    if (isExplicit) {
      throw new LaunchError(
        `Port ${candidate} is in use by another program. Stop it or set PORT to another number.`,
      );
    }
  }
  throw new LaunchError(`All ports from ${port} to ${port + PORTS_TRIED - 1} are in use. Set PORT.`);
}

/** The port (an assigned one for 0), or the error code. */
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

/** Advisory lock key; "nimol" in ASCII. */
const LAUNCHER_LOCK = 0x6e_69_6d_6f_6c;
const PAUSE_MS = 250;

interface InstanceLockOptions {
  readonly url: string;
  /** Called after a lost connection to restart the server if needed. */
  readonly revive: () => Promise<void>;
}

/** Ensures one launcher per data folder with a session-level advisory lock, which is released however the process ends. */
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
      // Retries until it holds the lock again.
      this.reacquire().catch(() => undefined);
    });
    return true;
  }

  async release(): Promise<void> {
    this.isReleased = true;
    await this.client?.end().catch(() => undefined);
  }

  private async reacquire(): Promise<void> {
    // A function, since the type checker would narrow the property.
    const isReleased = (): boolean => this.isReleased;
    while (!isReleased()) {
      // Also before the first retry: a server may accept connections and close them immediately.
      await delay(PAUSE_MS);
      if (isReleased()) return;
      try {
        await this.options.revive();
        if (await this.take()) return;
      } catch {
        // The server logs why it does not start; retry until the launcher stops.
      }
    }
  }
}

const STOP_TIMEOUT_MS = 5_000;
const POLL_MS = 20;

const content = z.object({ address: z.string(), processes: z.array(z.string()) });

/** `<data>/running.json`: the URL of the running product and its processes. */
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

  /** Stops the API and worker of a killed launcher. @returns how many processes */
  async stopOrphans(): Promise<number> {
    const identities = (await this.read())?.processes ?? [];
    const orphans = identities.filter((identity) => isAlive(identity));
    for (const identity of orphans) signal(identity, 'SIGTERM');
    const deadline = Date.now() + STOP_TIMEOUT_MS;
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
      // Missing, or truncated by a full disk: no known processes.
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
    // It has already exited.
  }
}
