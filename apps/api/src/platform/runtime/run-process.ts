import type { Logger } from '../logging/logger.js';
import { installLastResort, type LastResort } from './last-resort.js';
import { SettingsError } from '../config/settings-error.js';
import { toldToBegin } from './told-to-begin.js';
import { EmbeddedPostgresError } from '../embedded-postgres/embedded-postgres-error.js';

/** Whatever is asked to stop is gone by then. */
export const STOPS_WITHIN_MS = 10_000;

export interface RunningProcess {
  readonly logger: Logger;
  /** What it does about a fault that nobody caught, and what counts them. */
  readonly lastResort: LastResort;
  readonly onFault: () => void;
  readonly port?: number;
  /** Longer where others have to notice first. */
  readonly stopsWithinMs?: number;
  stop(): Promise<void>;
}

/** Starts, tells the parent that it is ready, and stops cleanly when it is asked to or its parent is gone. */
export async function runProcess(name: string, start: () => Promise<RunningProcess>): Promise<void> {
  try {
    await toldToBegin();
    const running = await start();
    let isStopping = false;
    const stop = (exitCode: number): void => {
      if (isStopping) return;
      isStopping = true;
      // Whoever hangs on is let go: what was acknowledged is in the log already.
      setTimeout(() => {
        running.logger.error('did not stop in time');
        process.exit(1);
      }, running.stopsWithinMs ?? STOPS_WITHIN_MS).unref();
      running.stop().then(
        () => process.exit(exitCode),
        (err: unknown) => {
          running.logger.error({ err }, 'did not stop cleanly');
          process.exit(1);
        },
      );
    };
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => stop(0));
    process.on('disconnect', () => stop(0));
    const { logger, lastResort: policy, onFault } = running;
    installLastResort({ logger, policy, onFault, leave: () => stop(1) });
    process.send?.({ ready: true, ...(running.port !== undefined && { port: running.port }) });
  } catch (error) {
    // A wrong setting is one line; anything else is a fault of ours and keeps its stack.
    const isForPeople = error instanceof SettingsError || error instanceof EmbeddedPostgresError;
    const text = error instanceof Error ? (isForPeople ? error.message : error.stack) : String(error);
    process.stderr.write(`${name}: ${text}\n`);
    process.exit(1);
  }
}
