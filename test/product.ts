import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { eventually } from '@nimo/testing';

const LAUNCHER = join(import.meta.dirname, '../dist/apps/api/src/start.js');

export interface Product {
  readonly url: string;
  readonly dataDir: string;
  /** What it printed so far. */
  output(): string;
  /** Ends it as Ctrl-C does and removes its data. */
  stop(): Promise<void>;
}

/** The built product on a data folder and a port of its own, with its demonstration content. */
export async function startProduct(environment: Readonly<Record<string, string>> = {}): Promise<Product> {
  const dataDir = await mkdtemp('/tmp/nimo-product-');
  // PostgreSQL may run as another user than the tests.
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
    return { url: await addressIn(child, () => output), dataDir, output: () => output, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function addressIn(child: ChildProcess, output: () => string): Promise<string> {
  const address = await eventually(
    () => {
      if (hasEnded(child)) throw new Error(`The product ended while it started:\n${output()}`);
      return /^Nimo is ready at (\S+)/m.exec(output())?.[1];
    },
    Boolean,
    output,
  );
  return address ?? '';
}

async function end(child: ChildProcess): Promise<void> {
  if (hasEnded(child)) return;
  child.kill('SIGTERM');
  await once(child, 'exit');
}

function hasEnded(child: ChildProcess): boolean {
  return child.exitCode !== null || child.signalCode !== null;
}
