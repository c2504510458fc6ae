import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import process from 'node:process';
import type { TestApp } from './app.js';

const ROOT = join(import.meta.dirname, '..');
const KEY = (letter: string): string => Buffer.alloc(32, letter).toString('base64');

export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** The real command line beside a running Nimo, without a terminal. */
export function runNimo(app: TestApp, ...args: readonly string[]): Promise<Ended> {
  const { connectionString = '' } = app.pool.options;
  return startNimo({ DATABASE_URL: connectionString, NIMO_DATA_DIR: app.dataDir }, ...args).ended;
}

export interface StartedNimo {
  readonly process: ChildProcess;
  readonly ended: Promise<Ended>;
}

/** The real command line as a process that can be ended early, with settings besides the keys of tests. */
export function startNimo(
  settings: Readonly<Record<string, string>>,
  ...args: readonly string[]
): StartedNimo {
  const child = spawn(
    process.execPath,
    ['--import', './scripts/typescript.mjs', 'apps/api/src/cli.ts', ...args],
    {
      cwd: ROOT,
      env: {
        PATH: process.env['PATH'],
        NODE_ENV: 'test',
        NIMO_MASTER_KEY: KEY('m'),
        NIMO_HMAC_KEY: KEY('h'),
        NIMO_SIGNING_KEY: KEY('s'),
        ...settings,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  );
  const [stdout, stderr] = [textOf(child.stdout), textOf(child.stderr)];
  const ended = once(child, 'close').then(async ([code]) => ({
    code: code as number | null,
    stdout: await stdout,
    stderr: await stderr,
  }));
  return { process: child, ended };
}

async function textOf(stream: NodeJS.ReadableStream): Promise<string> {
  let text = '';
  for await (const part of stream) text += String(part);
  return text;
}
