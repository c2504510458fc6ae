import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import process from 'node:process';
import { expect } from '@jest/globals';
import { CommanderError } from 'commander';
import { nimoProgram } from '../apps/api/src/cli/program.js';
import type { TestApp } from './app.js';

const ROOT = join(import.meta.dirname, '..');
/** Node arguments for the CLI: the sources, or the build, which starts in half the time (set by `npm test`). */
export const NIMO =
  process.env['NIMO_TEST_BUILT'] === '1'
    ? ['dist/apps/api/src/cli.js']
    : ['--import', './scripts/typescript.mjs', 'apps/api/src/processes/cli.ts'];
const KEY = (letter: string): string => Buffer.alloc(32, letter).toString('base64');

export interface CliResult {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs the CLI against a running application, without a terminal. */
export function runNimo(app: TestApp, ...args: readonly string[]): Promise<CliResult> {
  const { connectionString = '' } = app.pool.options;
  return startNimo({ DATABASE_URL: connectionString, NIMO_DATA_DIR: app.dataDir }, ...args).ended;
}

export interface StartedNimo {
  readonly process: ChildProcess;
  readonly ended: Promise<CliResult>;
}

/** Starts the CLI as a process with the test keys and additional settings. */
export function startNimo(
  settings: Readonly<Record<string, string>>,
  ...args: readonly string[]
): StartedNimo {
  const child = spawn(process.execPath, [...NIMO, ...args], {
    cwd: ROOT,
    env: {
      PATH: process.env['PATH'],
      NODE_ENV: 'test',
      NIMO_MASTER_KEY: KEY('m'),
      NIMO_HMAC_KEY: KEY('h'),
      NIMO_SIGNING_KEY: KEY('s'),
      ...settings,
    },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  const [stdout, stderr] = [textOf(child.stdout), textOf(child.stderr)];
  const ended = once(child, 'close').then(async ([code]) => ({
    code: code as number | null,
    stdout: await stdout,
    stderr: await stderr,
  }));
  return { process: child, ended };
}

/** Progress lines of long operations, printed only if the machine is busy. */
const PROGRESS = /^(?:Rebuilding|Verifying|Trying) .+\n/gm;

/** Parses `--json` output and expects success without errors. */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- the caller knows the shape of the JSON
export function resultOf<Result>({ code, stdout, stderr }: CliResult): Result {
  expect({ code, stderr: stderr.replaceAll(PROGRESS, '') }).toEqual({ code: 0, stderr: '' });
  return JSON.parse(stdout) as Result;
}

/** Expects a readable error message without a stack trace, and no output. */
export function expectCliError(ended: CliResult, code: number, message: RegExp): void {
  expect(ended).toMatchObject({ code, stdout: '' });
  expect(ended.stderr).toMatch(message);
  expect(ended.stderr).not.toMatch(/\bat .+:\d+/);
}

/** Help or usage output, produced in this process because starting one takes seconds. */
export async function usageOf(...args: readonly string[]): Promise<string> {
  let text = '';
  const add = (part: string): void => void (text += part);
  const parsing = nimoProgram({ writeOut: add, writeErr: add }).parseAsync(args, { from: 'user' });
  await expect(parsing).rejects.toThrow(CommanderError);
  return text;
}

/** Expects the help of a command to show an example and the exit codes. */
export async function expectHelp(command: string): Promise<void> {
  const help = await usageOf(...command.split(' '), '--help');
  expect(help).toContain(`npm run nimo -- ${command}`);
  expect(help).toContain('Exit codes:');
}

async function textOf(stream: NodeJS.ReadableStream): Promise<string> {
  let text = '';
  for await (const part of stream) text += String(part);
  return text;
}
