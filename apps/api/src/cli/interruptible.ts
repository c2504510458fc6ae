import process from 'node:process';
import { EXIT } from './exit-codes.js';

/** Runs what Ctrl-C may end early: the work sees the signal, cleans up and throws, and the command ends with 130. */
export async function interruptible(work: (signal: AbortSignal) => Promise<void>): Promise<void> {
  const stopping = new AbortController();
  const stop = (): void => stopping.abort();
  process.once('SIGINT', stop).once('SIGTERM', stop);
  try {
    await work(stopping.signal);
  } catch (error) {
    if (!stopping.signal.aborted) throw error;
    process.stderr.write('Interrupted.\n');
    process.exitCode = EXIT.interrupted;
  } finally {
    process.off('SIGINT', stop).off('SIGTERM', stop);
  }
}
