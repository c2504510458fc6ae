import { z } from 'zod';
import type { Logger } from '../logging/logger.js';
import { SettingsError } from '../config/settings-error.js';
import { EmbeddedPostgresError } from '../embedded-postgres/native-files.js';

/** Default shutdown timeout. */
export const SHUTDOWN_TIMEOUT_MS = 10_000;

export interface RunningProcess {
  readonly logger: Logger;
  readonly faultPolicy: UncaughtFaultPolicy;
  /** Counts uncaught faults. */
  readonly onFault: () => void;
  readonly port?: number;
  /** Shutdown timeout; longer when a load balancer has to notice first. */
  readonly shutdownTimeoutMs?: number;
  stop(): Promise<void>;
}

/** Starts the process, reports readiness to the parent, and shuts down on a signal or when the parent is gone. */
export async function runProcess(name: string, start: () => Promise<RunningProcess>): Promise<void> {
  try {
    await waitForBegin();
    const running = await start();
    let isStopping = false;
    const stop = (exitCode: number): void => {
      if (isStopping) return;
      isStopping = true;
      // Pending calls are dropped: everything acknowledged is already in the log.
      setTimeout(() => {
        running.logger.error('did not stop in time');
        process.exit(1);
      }, running.shutdownTimeoutMs ?? SHUTDOWN_TIMEOUT_MS).unref();
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
    const { logger, faultPolicy: policy, onFault } = running;
    handleUncaughtFaults({ logger, policy, onFault, shutDown: () => stop(1) });
    process.send?.({ ready: true, ...(running.port !== undefined && { port: running.port }) });
  } catch (error) {
    // Configuration errors are one line; anything else keeps its stack.
    const isUserError = error instanceof SettingsError || error instanceof EmbeddedPostgresError;
    const text = error instanceof Error ? (isUserError ? error.message : error.stack) : String(error);
    process.stderr.write(`${name}: ${text}\n`);
    process.exit(1);
  }
}

/** Argument that makes a process load its code and then wait for the parent's `Begin` message. */
export const WAITS_FOR_PARENT = 'waits-for-parent';

const begin = z.object({ begin: z.object({ port: z.number() }) });
export type Begin = z.infer<typeof begin>;

/** Resolves immediately unless started with `WAITS_FOR_PARENT`. */
async function waitForBegin(): Promise<void> {
  if (process.argv[2] !== WAITS_FOR_PARENT || process.send === undefined) return;
  await new Promise<void>((resolve) => {
    const onMessage = (message: unknown): void => {
      const received = begin.safeParse(message);
      if (!received.success) return;
      process.env['PORT'] = String(received.data.begin.port);
      process.off('message', onMessage);
      resolve();
    };
    process.on('message', onMessage);
  });
}

/** How a process reacts to an uncaught fault; see docs/decisions/request-limits.md. */
export type UncaughtFaultPolicy = 'keep running' | 'shut down';

/** Keeps repeated faults from filling the disk. */
const MAX_LOGGED_PER_MINUTE = 20;
const MINUTE_MS = 60_000;

export interface UncaughtFaultOptions {
  readonly logger: Logger;
  readonly policy: UncaughtFaultPolicy;
  /** For the metrics. */
  readonly onFault?: () => void;
  /** Shuts down gracefully; the supervisor starts another process. */
  readonly shutDown: () => void;
  readonly process?: Pick<NodeJS.Process, 'on' | 'stdout' | 'stderr'>;
}

/** Handles uncaught faults, which would otherwise end the process immediately with all requests in flight. */
export function handleUncaughtFaults(options: UncaughtFaultOptions): void {
  const { logger, policy, onFault, shutDown, process: own = process } = options;
  let logged = 0;
  let since = 0;
  const log = (err: unknown, origin: string): void => {
    if (Date.now() - since > MINUTE_MS) [logged, since] = [0, Date.now()];
    logged += 1;
    if (logged <= MAX_LOGGED_PER_MINUTE) logger.error({ err, origin }, 'uncaught fault');
  };
  const handle = (error: unknown, origin: string): void => {
    try {
      onFault?.();
      log(error, origin);
    } finally {
      if (policy === 'shut down') shutDown();
    }
  };
  own.on('uncaughtException', (error, origin) => handle(error, origin));
  own.on('unhandledRejection', (reason) => handle(reason, 'unhandledRejection'));
  // The reader of our output may disappear at any time.
  for (const stream of [own.stdout, own.stderr]) stream.on('error', () => undefined);
}
