import { spawn, type ChildProcess } from 'node:child_process';
import { join } from 'node:path';

const PROGRAM = join(import.meta.dirname, 'guardian-process.mjs');

let guardian: ChildProcess | undefined;

/** What is to end with this process, however it ends. */
export type Ward =
  | { readonly pid: number }
  /** The server of that data folder, whatever number it has by then; the folder goes with it. */
  | { readonly postgresIn: string }
  | { readonly folder: string };

/**
 * A process that is killed stops nothing of what it started. So another one is told, which notices the end of this one by the end of the
 * pipe between them.
 * @returns to be called when it was stopped as it should be
 */
export function guard(ward: Ward): () => void {
  tell({ guard: ward });
  return () => tell({ release: ward });
}

function tell(message: object): void {
  guardian ??= start();
  guardian.stdin?.write(`${JSON.stringify(message)}\n`);
}

function start(): ChildProcess {
  // In a session of its own: what ends this process must not end it.
  const child = spawn(process.execPath, [PROGRAM], { detached: true, stdio: ['pipe', 'ignore', 'ignore'] });
  // Only somebody else can have ended it, and then nothing more can be done here.
  child.stdin.on('error', () => undefined);
  child.unref();
  (child.stdin as unknown as { unref?: () => void }).unref?.();
  return child;
}
