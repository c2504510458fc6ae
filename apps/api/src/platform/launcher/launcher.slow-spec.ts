import { afterEach, describe, expect, it } from '@jest/globals';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { eventually } from '@nimo/testing';
import { SERVER_FOLDER } from '../../../../../test/servers/server-folder.js';
import { stopAbandonedPostgres } from '../embedded-postgres/embedded-postgres.js';
import { processIdentity } from '../embedded-postgres/postmaster.js';

const START = join(import.meta.dirname, 'testing', 'start.mjs');

interface Run {
  readonly child: ChildProcess;
  output(): string;
  /** The URL it printed. */
  ready(): Promise<string>;
  ended(): Promise<number | null>;
}

const runs: Run[] = [];
const folders: string[] = [];

function newFolder(): string {
  const folder = mkdtempSync(join(SERVER_FOLDER, 'nimo-launch-'));
  chmodSync(folder, 0o755);
  folders.push(folder);
  return folder;
}

function launch(dataDir: string, environment: Record<string, string> = {}): Run {
  const child = spawn(process.execPath, ['--no-warnings', START], {
    env: { PATH: process.env['PATH'], NIMO_DATA_DIR: dataDir, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => (output += text));
  const run: Run = {
    child,
    output: () => output,
    ready: async () => {
      await eventually(
        () => /ready at \S+/.test(output) || child.exitCode !== null,
        Boolean,
        () => output,
      );
      return /ready at (\S+)/.exec(output)?.[1] ?? `not ready: ${output}`;
    },
    ended: async () => {
      if (child.exitCode === null && child.signalCode === null) await once(child, 'close');
      return child.exitCode;
    },
  };
  runs.push(run);
  return run;
}

/** The PID of the API at a URL. */
async function apiOf(address: string): Promise<number> {
  return Number(await (await fetch(address)).text());
}

/** NaN while there is none. */
function postmasterOf(dataDir: string): number {
  const lockFile = join(dataDir, 'postgres/server/cluster/postmaster.pid');
  try {
    return Number.parseInt(readFileSync(lockFile, 'utf8'), 10);
  } catch {
    return NaN;
  }
}

const isAlive = (pid: number): boolean => processIdentity(pid) !== undefined;

async function stop(run: Run): Promise<number | null> {
  run.child.kill('SIGTERM');
  return run.ended();
}

afterEach(async () => {
  for (const run of runs.splice(0)) {
    run.child.kill('SIGTERM');
    await run.ended();
  }
  for (const folder of folders.splice(0)) {
    // For tests that kill the launcher.
    await stopAbandonedPostgres(folder);
    rmSync(folder, { recursive: true });
  }
});

describe('the launcher', () => {
  it('starts everything, prints the logins, and leaves nothing running', async () => {
    const dataDir = newFolder();
    const run = launch(dataDir);
    const address = await run.ready();
    const api = await apiOf(address);
    const postmaster = postmasterOf(dataDir);
    expect(run.output()).toContain('demo log-ins of seed-demo');
    run.child.kill('SIGINT');
    expect(await run.ended()).toBe(0);
    expect([api, postmaster].map(isAlive)).toEqual([false, false]);
    expect(existsSync(join(dataDir, 'running.json'))).toBe(false);
  });

  it('stops when npm is stopped, which only ends the shell in between', async () => {
    const dataDir = newFolder();
    const shell = spawn('sh', ['-c', `"${process.execPath}" --no-warnings "${START}"; true`], {
      env: { PATH: process.env['PATH'], NIMO_DATA_DIR: dataDir, npm_lifecycle_event: 'start' },
      stdio: 'ignore',
    });
    await eventually(() => existsSync(join(dataDir, 'demo.txt')));
    const postmaster = postmasterOf(dataDir);
    shell.kill('SIGKILL');
    await eventually(() => !isAlive(postmaster));
    expect(existsSync(join(dataDir, 'running.json'))).toBe(false);
  });

  it('reports the running instance when started twice', async () => {
    const dataDir = newFolder();
    const address = await launch(dataDir).ready();
    const second = launch(dataDir);
    expect(await second.ended()).toBe(1);
    expect(second.output()).toBe(`Nimo is already running on ${dataDir}: ${address}\n`);
    expect(await apiOf(address)).toBeGreaterThan(0);
  });

  it('restarts a killed API', async () => {
    const address = await launch(newFolder()).ready();
    const first = await apiOf(address);
    process.kill(first, 'SIGKILL');
    await eventually(async () => (await apiOf(address).catch(() => first)) !== first);
  });

  it('restarts a killed PostgreSQL', async () => {
    const dataDir = newFolder();
    await launch(dataDir).ready();
    const first = postmasterOf(dataDir);
    process.kill(first, 'SIGKILL');
    await eventually(() => postmasterOf(dataDir) > 0 && postmasterOf(dataDir) !== first);
  });

  it('recovers after everything was killed', async () => {
    const dataDir = newFolder();
    const run = launch(dataDir);
    const api = await apiOf(await run.ready());
    const postmaster = postmasterOf(dataDir);
    for (const pid of [run.child.pid ?? 0, api, postmaster]) process.kill(pid, 'SIGKILL');
    await run.ended();
    const again = launch(dataDir);
    expect(await apiOf(await again.ready())).not.toBe(api);
    expect(await stop(again)).toBe(0);
  });

  it('fails when an explicitly set port is in use', async () => {
    const taken = createServer().listen(0, '127.0.0.1');
    await once(taken, 'listening');
    const address = taken.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    const run = launch(newFolder(), { PORT: String(port) });
    expect(await run.ended()).toBe(1);
    expect(run.output()).toBe(
      `Port ${port} is in use by another program. Stop it or set PORT to another number.\n`,
    );
    taken.close();
  });

  it('reports an invalid setting in one line', async () => {
    const run = launch('/tmp/nimo-never-created', { PORT: 'high' });
    expect(await run.ended()).toBe(1);
    expect(run.output()).toBe('PORT must be a whole number from 0 to 65535, not "high".\n');
  });

  it('reports an unwritable folder in one line', async () => {
    const run = launch('/dev/null/nimo');
    expect(await run.ended()).toBe(1);
    expect(run.output().trim().split('\n')).toHaveLength(1);
    expect(run.output()).toContain('/dev/null/nimo');
  });
});
