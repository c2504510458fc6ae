import { spawn } from 'node:child_process';
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
export async function runNimo(app: TestApp, ...args: readonly string[]): Promise<Ended> {
  const child = spawn(
    process.execPath,
    ['--import', './scripts/typescript.mjs', 'apps/api/src/cli.ts', ...args],
    {
      cwd: ROOT,
      env: {
        PATH: process.env['PATH'],
        NODE_ENV: 'test',
        DATABASE_URL: app.pool.options.connectionString,
        NIMO_DATA_DIR: app.dataDir,
        NIMO_MASTER_KEY: KEY('m'),
        NIMO_HMAC_KEY: KEY('h'),
        NIMO_SIGNING_KEY: KEY('s'),
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  );
  const [stdout, stderr] = [textOf(child.stdout), textOf(child.stderr)];
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, stdout: await stdout, stderr: await stderr };
}

async function textOf(stream: NodeJS.ReadableStream): Promise<string> {
  let text = '';
  for await (const part of stream) text += String(part);
  return text;
}
