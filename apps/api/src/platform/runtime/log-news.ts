import type { ReachabilityNews } from '@nimo/event-store';
import type { Logger } from '../logging/logger.js';

/** For those who run Nimo: why the event log is away, in one line, and when it is back. */
export const logNews = (logger: Logger): ReachabilityNews => ({
  onAway: (cause) =>
    logger.warn(
      { part: 'log' },
      `the event log cannot be reached, and is tried again: ${cause instanceof Error ? cause.message : String(cause)}`,
    ),
  onBack: (failures) =>
    logger.info({ part: 'log', failures }, `the event log answers again, after ${failures} failed calls`),
});
