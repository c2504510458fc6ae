import { setTimeout as delay } from 'node:timers/promises';
import {
  AccessDeniedError,
  CancelledError,
  DeadlineExceededError,
  MaxAppendSizeExceededError,
  NotLeaderError,
  TimeoutError,
  UnavailableError,
} from '@eventstore/db-client';
import { status } from '@grpc/grpc-js';
import { EventStoreUnavailableError, InvalidAppendError } from '../port.js';

const TRANSPORT_ERRORS = [
  CancelledError,
  DeadlineExceededError,
  NotLeaderError,
  TimeoutError,
  UnavailableError,
];
/** gRPC codes of transient errors. Batch append errors have no code. */
const TRANSIENT_CODES: ReadonlySet<unknown> = new Set([
  undefined,
  status.CANCELLED,
  status.UNKNOWN,
  status.DEADLINE_EXCEEDED,
  status.ABORTED,
  status.INTERNAL,
  status.UNAVAILABLE,
]);
/** Name resolution and discovery fail with plain errors of Node.js and of the client. */
const UNREACHABLE = /discover|ECONN|ENOTFOUND|ETIMEDOUT|EPIPE|channel has been closed/i;
/** The server's limit per event, an error the client has no class for. */
const TOO_LARGE = /max(?:imum)? append(?: event)? size/i;
const FIRST_BACKOFF_MS = 20;
const MAX_BACKOFF_MS = 2_000;
/** How far the client may overrun its own deadline before a call counts as lost. */
const GRACE_MS = 500;

/** Whether the outcome of the call is unknown and it can be retried. */
export function isTransportError(error: unknown): boolean {
  if (error instanceof EventStoreUnavailableError) return true;
  if (!(error instanceof Error) || TOO_LARGE.test(error.message)) return false;
  if (UNREACHABLE.test(error.message)) return true;
  if (TRANSPORT_ERRORS.some((type) => error instanceof type)) return true;
  // Errors the client could not classify or passes on from gRPC.
  const isUnknown = 'type' in error && error.type === 'unknown';
  const isRaw = 'code' in error && 'details' in error;
  return (isUnknown || isRaw) && TRANSIENT_CODES.has('code' in error ? error.code : undefined);
}

/** Rewords permanent errors to say what to change: the client's messages are empty or about its protocol. */
export function asPermanentError(error: unknown, bytes: number): unknown {
  if (error instanceof AccessDeniedError)
    return new Error('the event log denied access: the user in its address has no write permission', {
      cause: error,
    });
  const isTooLarge =
    error instanceof MaxAppendSizeExceededError || (error instanceof Error && TOO_LARGE.test(error.message));
  if (!isTooLarge) return error;
  const limit = error instanceof MaxAppendSizeExceededError ? ` of ${error.maxAppendSize} bytes` : '';
  return new InvalidAppendError(
    `an append of ${bytes} bytes exceeds the server's limit${limit} (setting MaxAppendSize); nothing was written`,
    { cause: error },
  );
}

/** The client ignores its deadline when a stream ends without an error. */
async function withDeadline<T>(call: Promise<T>, deadlineMs: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => reject(new EventStoreUnavailableError('no response in time')),
      deadlineMs + GRACE_MS,
    );
  });
  try {
    return await Promise.race([call, timeout]);
  } finally {
    clearTimeout(timer);
  }
}

export async function backOff(failures: number, signal?: AbortSignal): Promise<void> {
  const maxMs = Math.min(FIRST_BACKOFF_MS * 2 ** failures, MAX_BACKOFF_MS);
  await delay(maxMs * (0.5 + Math.random() / 2), undefined, signal ? { signal } : {}).catch(() => undefined);
}

export interface RetryOptions {
  /** How long to retry after transient errors. */
  readonly timeoutMs: number;
  /** Stops retrying. */
  readonly signal: AbortSignal;
  readonly onFailure: (error: unknown) => void;
  readonly onSuccess: () => void;
}

/** Retries transient errors with exponential backoff. Settles by the timeout even if a call hangs. */
export function retry<T>(attempt: () => Promise<T>, options: RetryOptions): Promise<T> {
  return withDeadline(retryUntil(attempt, options), options.timeoutMs);
}

async function retryUntil<T>(
  attempt: () => Promise<T>,
  { timeoutMs, signal, onFailure, onSuccess }: RetryOptions,
): Promise<T> {
  const end = Date.now() + timeoutMs;
  for (let failures = 1; ; failures++) {
    try {
      const result = await attempt();
      onSuccess();
      return result;
    } catch (error) {
      if (!isTransportError(error)) throw error;
      if (!signal.aborted) onFailure(error);
      if (signal.aborted || Date.now() >= end) throw unavailable(error);
      await backOff(failures, signal);
    }
  }
}

function unavailable(error: unknown): EventStoreUnavailableError {
  if (error instanceof EventStoreUnavailableError) return error;
  const reason = error instanceof Error ? error.message : String(error);
  return new EventStoreUnavailableError(`the event log is unavailable: ${reason}`, { cause: error });
}

interface PendingCall {
  readonly until: number;
  readonly reject: () => void;
}

/** Like `withDeadline`, for many concurrent calls with the same timeout: one timer watches the oldest. */
export class Deadlines {
  private readonly timeoutMs: number;
  /** Ordered by deadline, as all have the same timeout. */
  private readonly pending = new Set<PendingCall>();
  private timer: NodeJS.Timeout | undefined;

  constructor(deadlineMs: number) {
    this.timeoutMs = deadlineMs + GRACE_MS;
  }

  /** @throws EventStoreUnavailableError if the call does not settle in time */
  enforce<T>(call: Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      const pendingCall: PendingCall = {
        until: performance.now() + this.timeoutMs,
        reject: () => reject(new EventStoreUnavailableError('no response in time')),
      };
      this.pending.add(pendingCall);
      if (this.timer === undefined) this.watch(this.timeoutMs);
      // The timer outlives the last call, but does not keep the process alive.
      call.then(
        (value) => {
          this.pending.delete(pendingCall);
          resolve(value);
        },
        (error: unknown) => {
          this.pending.delete(pendingCall);
          // oxlint-disable-next-line typescript/prefer-promise-reject-errors -- passes on the reason of the call
          reject(error);
        },
      );
    });
  }

  private watch(ms: number): void {
    this.timer = setTimeout(() => this.rejectOverdue(), ms);
    this.timer.unref();
  }

  private rejectOverdue(): void {
    this.timer = undefined;
    const now = performance.now();
    for (const pendingCall of this.pending) {
      if (pendingCall.until > now) return this.watch(Math.max(1, pendingCall.until - now));
      this.pending.delete(pendingCall);
      pendingCall.reject();
    }
  }
}
