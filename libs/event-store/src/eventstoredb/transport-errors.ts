import { setTimeout as delay } from 'node:timers/promises';
import {
  CancelledError,
  DeadlineExceededError,
  NotLeaderError,
  TimeoutError,
  UnavailableError,
  UnknownError,
} from '@eventstore/db-client';
import { EventStoreUnavailableError } from '../port.js';

const TRANSPORT_ERRORS = [
  CancelledError,
  DeadlineExceededError,
  NotLeaderError,
  TimeoutError,
  UnavailableError,
  UnknownError,
];
const FIRST_PAUSE_MS = 20;
const LONGEST_PAUSE_MS = 2_000;
/** What the client's own deadline may be late by before a call counts as lost. */
const GRACE_MS = 1_000;

/** Errors after which it is open what happened: the client reconnects, after NotLeader to the leader, and the same can be sent again. */
export function isTransportError(error: unknown): boolean {
  if (error instanceof EventStoreUnavailableError) return true;
  // Name resolution and discovery fail with errors of node and of the client that have no class of their own.
  if (
    error instanceof Error &&
    /discover|ECONN|ENOTFOUND|ETIMEDOUT|EPIPE|channel has been closed/i.test(error.message)
  )
    return true;
  return TRANSPORT_ERRORS.some((type) => error instanceof type);
}

/** The client's appends and subscriptions can stay unanswered when a stream ends without an error, whatever their deadline. */
export async function withDeadline<T>(call: Promise<T>, deadlineMs: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => reject(new EventStoreUnavailableError('no answer in time')),
      deadlineMs + GRACE_MS,
    );
  });
  try {
    return await Promise.race([call, late]);
  } finally {
    clearTimeout(timer);
  }
}

export async function backOff(failures: number, signal?: AbortSignal): Promise<void> {
  const most = Math.min(FIRST_PAUSE_MS * 2 ** failures, LONGEST_PAUSE_MS);
  await delay(most * (0.5 + Math.random() / 2), undefined, signal ? { signal } : {}).catch(() => undefined);
}

export function unavailable(error: unknown): EventStoreUnavailableError {
  if (error instanceof EventStoreUnavailableError) return error;
  const reason = error instanceof Error ? error.message : String(error);
  return new EventStoreUnavailableError(`the event log is unavailable: ${reason}`, { cause: error });
}
