import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { eventually } from '@nimo/testing';

const LAUNCHER = join(import.meta.dirname, '../dist/apps/api/src/start.js');

export interface Product {
  readonly url: string;
  readonly dataDir: string;
  /** All output so far. */
  output(): string;
  /** Stops the processes and removes the data. */
  stop(): Promise<void>;
}

/** Starts the built product with demo content, on its own data folder and port. */
export async function startProduct(environment: Readonly<Record<string, string>> = {}): Promise<Product> {
  const dataDir = await mkdtemp('/tmp/nimo-product-');
  // PostgreSQL may run as a different user than the tests.
  await chmod(dataDir, 0o755);
  let output = '';
  const child = spawn(process.execPath, [LAUNCHER], {
    env: { ...process.env, NIMO_DATA_DIR: dataDir, PORT: '0', ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => (output += text));
  }
  const stop = async (): Promise<void> => {
    await end(child);
    await rm(dataDir, { recursive: true, force: true });
  };
  try {
    return { url: await readUrl(child, () => output), dataDir, output: () => output, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function readUrl(child: ChildProcess, output: () => string): Promise<string> {
  const address = await eventually(
    () => {
      if (hasExited(child)) throw new Error(`The product exited during startup:\n${output()}`);
      return /^Nimo is ready at (\S+)/m.exec(output())?.[1];
    },
    Boolean,
    output,
  );
  return address ?? '';
}

async function end(child: ChildProcess): Promise<void> {
  if (hasExited(child)) return;
  child.kill('SIGTERM');
  await once(child, 'exit');
}

function hasExited(child: ChildProcess): boolean {
  return child.exitCode !== null || child.signalCode !== null;
}
