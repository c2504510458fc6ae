import { AsyncLocalStorage } from 'node:async_hooks';

export interface Correlation {
  readonly correlationId: string;
}

/** The request or job that is being worked on; the logger adds it to every line. */
export const correlation = new AsyncLocalStorage<Correlation>();
