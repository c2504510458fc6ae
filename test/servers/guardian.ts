import { spawn, type ChildProcess } from 'node:child_process';
import { join } from 'node:path';

const PROGRAM = join(import.meta.dirname, 'guardian-process.mjs');

let guardian: ChildProcess | undefined;

/** A resource to clean up when this process exits, however it exits. */
export type Ward =
  | { readonly pid: number }
  /** Data folder of a PostgreSQL server, which is stopped and removed. */
  | { readonly postgresIn: string }
  | { readonly folder: string };

/**
 * Cleans up the resource if this process is killed. A separate process detects that by the end of the pipe between them.
 * @returns function to call after a regular cleanup
 */
export function guard(ward: Ward): () => void {
  send({ guard: ward });
  return () => send({ release: ward });
}

function send(message: object): void {
  guardian ??= start();
  guardian.stdin?.write(`${JSON.stringify(message)}\n`);
}

function start(): ChildProcess {
  // Detached, so that signals to this process group do not reach it.
  const child = spawn(process.execPath, [PROGRAM], { detached: true, stdio: ['pipe', 'ignore', 'ignore'] });
  // If the guardian was killed, there is nothing left to do.
  child.stdin.on('error', () => undefined);
  child.unref();
  (child.stdin as unknown as { unref?: () => void }).unref?.();
  return child;
}
