import { fork, type ChildProcess, type ForkOptions } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { WORKER_OPTIONS } from '../../apps/api/src/platform/launcher/supervised-process.js';

const TYPESCRIPT = join(import.meta.dirname, '../../scripts/typescript.mjs');
const DIST = join(import.meta.dirname, '../../dist/apps/api/src');
const START_TIMEOUT_MS = 60_000;
const OUTPUT_TIMEOUT_MS = 180_000;
const POLL_MS = 5;

export interface Child {
  readonly pid: number;
  readonly port: number;
  stop(): Promise<void>;
  /** Sends SIGKILL. */
  kill(): Promise<void>;
}

/** Extra Node options for the API and the worker, for example `--cpu-prof`. */
const profiling = (process.env['BENCH_NODE_OPTIONS'] ?? '').split(' ').filter(Boolean);

/** Starts a built program of the product. */
export async function startProgram(
  name: 'main' | 'worker',
  environment: Readonly<Record<string, string>>,
): Promise<Child> {
  const options = name === 'worker' ? WORKER_OPTIONS : [];
  const execArgv = [...options, ...profiling];
  return whenReady(fork(join(DIST, `${name}.js`), { env: { ...process.env, ...environment }, execArgv }));
}

/** Starts a benchmark program. */
export async function startBenchProgram(name: string, parameters: readonly string[]): Promise<Child> {
  return whenReady(forkBenchProgram(name, parameters));
}

export function forkBenchProgram(
  name: string,
  parameters: readonly string[] = [],
  options: ForkOptions = {},
): ChildProcess {
  return fork(join(import.meta.dirname, `${name}.ts`), parameters, {
    execArgv: ['--import', TYPESCRIPT],
    ...options,
  });
}

async function whenReady(child: ChildProcess): Promise<Child> {
  const timeout = AbortSignal.timeout(START_TIMEOUT_MS);
  const ended = once(child, 'exit', { signal: timeout }).then(([code]): never => {
    throw new Error(`a process exited before it was ready, with code ${String(code)}`);
  });
  ended.catch(() => undefined);
  const message = await Promise.race([once(child, 'message', { signal: timeout }), ended]);
  const { port } = message[0] as { readonly port?: number };
  return {
    pid: child.pid ?? 0,
    port: port ?? 0,
    stop: () => stop(child),
    kill: () => stop(child, 'SIGKILL'),
  };
}

export async function stop(child: ChildProcess, signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill(signal);
  await ended;
}

/** Waits until the output of a process matches and returns the first group. */
export async function waitForOutput(child: ChildProcess, pattern: RegExp): Promise<string> {
  let output = '';
  child.stdout?.setEncoding('utf8').on('data', (text: string) => (output += text));
  const ended = once(child, 'exit');
  for (const end = performance.now() + OUTPUT_TIMEOUT_MS; performance.now() < end;) {
    const found = pattern.exec(output)?.[1];
    if (found !== undefined) return found;
    const hasEnded = await Promise.race([ended.then(() => true), delay(POLL_MS, false)]);
    if (hasEnded) break;
  }
  throw new Error(`the process did not start:\n${output}`);
}
