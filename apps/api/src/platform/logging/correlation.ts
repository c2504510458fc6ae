import { AsyncLocalStorage } from 'node:async_hooks';
import { randomUUID } from 'node:crypto';

export interface Correlation {
  readonly correlationId: string;
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
export const CORRELATION_HEADER = 'x-correlation-id';

/**
 * The id that a browser chose for what it does, or one of ours. Nothing is looked up or decided by it: it finds lines of a log, and
 * whoever sends another's only mixes up his own.
 */
export function correlationIdOf(given: unknown): string {
  return typeof given === 'string' && UUID.test(given) ? given : randomUUID();
}

/** The request or job that is being worked on; the logger adds it to every line. */
export const correlation = new AsyncLocalStorage<Correlation>();
