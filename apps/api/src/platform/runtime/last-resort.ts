import type { Logger } from '../logging/logger.js';

/** What a process does about a fault that nobody caught; see docs/decisions/request-limits.md. */
export type LastResort = 'live on' | 'leave';

/** Each is told at length; more of the same in the same moment would fill the disk. */
const MAX_TOLD_PER_MINUTE = 20;
const MINUTE_MS = 60_000;

export interface LastResortOptions {
  readonly logger: Logger;
  readonly policy: LastResort;
  /** For the metrics. */
  readonly onFault?: () => void;
  /** Ends in order; whoever supervises starts anew. */
  readonly leave: () => void;
  readonly process?: Pick<NodeJS.Process, 'on' | 'stdout' | 'stderr'>;
}

/** Takes what nobody caught, which without it ends the process on the spot, together with everything that others are waiting for. */
export function installLastResort(options: LastResortOptions): void {
  const { logger, policy, onFault, leave, process: own = process } = options;
  let told = 0;
  let since = 0;
  const tell = (err: unknown, origin: string): void => {
    if (Date.now() - since > MINUTE_MS) [told, since] = [0, Date.now()];
    told += 1;
    if (told <= MAX_TOLD_PER_MINUTE) logger.error({ err, origin }, 'a fault that nobody caught');
  };
  const take = (error: unknown, origin: string): void => {
    try {
      onFault?.();
      tell(error, origin);
    } finally {
      if (policy === 'leave') leave();
    }
  };
  own.on('uncaughtException', (error, origin) => take(error, origin));
  own.on('unhandledRejection', (reason) => take(reason, 'unhandledRejection'));
  // Whoever reads what we print may go at any time.
  for (const stream of [own.stdout, own.stderr]) stream.on('error', () => undefined);
}
