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
/** What gRPC says where the same call may well succeed a moment later. An error without a code is an answer of the batch append. */
const PASSING_CODES: ReadonlySet<unknown> = new Set([
  undefined,
  status.CANCELLED,
  status.UNKNOWN,
  status.DEADLINE_EXCEEDED,
  status.ABORTED,
  status.INTERNAL,
  status.UNAVAILABLE,
]);
/** Name resolution and discovery fail with errors of node and of the client that have no class of their own. */
const UNREACHABLE = /discover|ECONN|ENOTFOUND|ETIMEDOUT|EPIPE|channel has been closed/i;
/** A limit of the server for one event, which the client does not know. */
const TOO_LARGE = /max(?:imum)? append(?: event)? size/i;
const FIRST_PAUSE_MS = 20;
const MAX_PAUSE_MS = 2_000;
/** What the client's own deadline may be late by before a call counts as lost. */
const GRACE_MS = 500;

/** Errors after which it is open what happened: the client reconnects, after NotLeader to the leader, and the same can be sent again. */
export function isTransportError(error: unknown): boolean {
  if (error instanceof EventStoreUnavailableError) return true;
  if (!(error instanceof Error) || TOO_LARGE.test(error.message)) return false;
  if (UNREACHABLE.test(error.message)) return true;
  if (TRANSPORT_ERRORS.some((type) => error instanceof type)) return true;
  // What the client could not read any closer, or passes on as gRPC gave it.
  const isUnknown = 'type' in error && error.type === 'unknown';
  const isRaw = 'code' in error && 'details' in error;
  return (isUnknown || isRaw) && PASSING_CODES.has('code' in error ? error.code : undefined);
}

/** What the server refused for good, in words that say what to change: the client's own are empty or about its protocol. */
export function refusalOf(error: unknown, bytes: number): unknown {
  if (error instanceof AccessDeniedError)
    return new Error('the event log denies access: the user in its address may not write', { cause: error });
  const isTooLarge =
    error instanceof MaxAppendSizeExceededError || (error instanceof Error && TOO_LARGE.test(error.message));
  if (!isTooLarge) return error;
  const most = error instanceof MaxAppendSizeExceededError ? ` of ${error.maxAppendSize} bytes` : '';
  return new InvalidAppendError(
    `an append of ${bytes} bytes is beyond the server's limit${most} (its setting MaxAppendSize); nothing of it was written`,
    { cause: error },
  );
}

/** The client's calls can stay unanswered when a stream ends without an error, whatever their deadline. */
async function withDeadline<T>(call: Promise<T>, deadlineMs: number): Promise<T> {
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
  const most = Math.min(FIRST_PAUSE_MS * 2 ** failures, MAX_PAUSE_MS);
  await delay(most * (0.5 + Math.random() / 2), undefined, signal ? { signal } : {}).catch(() => undefined);
}

export interface Persistence {
  /** How long what fails in passing is tried again. */
  readonly patienceMs: number;
  /** Ends the trying at once. */
  readonly stop: AbortSignal;
  readonly onFailed: (error: unknown) => void;
  readonly onAnswered: () => void;
}

/** Tries again what failed in passing, with growing pauses, and has the answer or the refusal when the time has gone by, whatever a call waits for. */
export function persist<T>(attempt: () => Promise<T>, persistence: Persistence): Promise<T> {
  return withDeadline(tryAgain(attempt, persistence), persistence.patienceMs);
}

async function tryAgain<T>(
  attempt: () => Promise<T>,
  { patienceMs, stop, onFailed, onAnswered }: Persistence,
): Promise<T> {
  const end = Date.now() + patienceMs;
  for (let failures = 1; ; failures++) {
    try {
      const answer = await attempt();
      onAnswered();
      return answer;
    } catch (error) {
      if (!isTransportError(error)) throw error;
      if (!stop.aborted) onFailed(error);
      if (stop.aborted || Date.now() >= end) throw unavailable(error);
      await backOff(failures, stop);
    }
  }
}

function unavailable(error: unknown): EventStoreUnavailableError {
  if (error instanceof EventStoreUnavailableError) return error;
  const reason = error instanceof Error ? error.message : String(error);
  return new EventStoreUnavailableError(`the event log is unavailable: ${reason}`, { cause: error });
}

interface Held {
  readonly until: number;
  readonly end: () => void;
}

/** As `withDeadline`, for many calls of one patience at a time: a single timer watches over the oldest. */
export class Deadlines {
  private readonly patienceMs: number;
  /** In the order of their ends, as all wait equally long. */
  private readonly held = new Set<Held>();
  private timer: NodeJS.Timeout | undefined;

  constructor(deadlineMs: number) {
    this.patienceMs = deadlineMs + GRACE_MS;
  }

  /** @throws EventStoreUnavailableError where the call has not settled in time */
  hold<T>(call: Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      const held: Held = {
        until: performance.now() + this.patienceMs,
        end: () => reject(new EventStoreUnavailableError('no answer in time')),
      };
      this.held.add(held);
      if (this.timer === undefined) this.watch(this.patienceMs);
      // The last one leaves the timer behind: it finds nothing, and holds no process.
      call.then(
        (value) => {
          this.held.delete(held);
          resolve(value);
        },
        (error: unknown) => {
          this.held.delete(held);
          // oxlint-disable-next-line typescript/prefer-promise-reject-errors -- as the call failed, whatever it failed with
          reject(error);
        },
      );
    });
  }

  private watch(ms: number): void {
    this.timer = setTimeout(() => this.endLate(), ms);
    this.timer.unref();
  }

  private endLate(): void {
    this.timer = undefined;
    const now = performance.now();
    for (const held of this.held) {
      if (held.until > now) return this.watch(Math.max(1, held.until - now));
      this.held.delete(held);
      held.end();
    }
  }
}
