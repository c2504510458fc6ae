import { DatabaseError } from 'pg';

/**
 * Whether retrying the same operation can help.
 * - away: the server did not answer, or is starting or stopping
 * - busy: it answered, and a retry may succeed (a conflict or a lack of resources)
 * - data: the request is invalid, and no retry can succeed
 * - other: not a server error, or an unknown one
 */
export type ErrorKind = 'away' | 'busy' | 'data' | 'other';

/** SQLSTATE classes: connection, resources, operator intervention (shutdown, crash, startup), and a read-only server. */
const AWAY = /^(?:08|53|57P)|^25006$/;
/** Rollback, object in use, canceled, system, internal; privileges not yet granted; and a plan older than a table change. */
const BUSY = /^(?:40|55|57|58|XX)|^(?:42501|0A000)$/;
/** Cardinality, data, constraint, view or check, syntax or access rule, program limit. */
const DATA = /^(?:21|22|23|42|44|54)/;

const NETWORK = new Set([
  'EAI_AGAIN',
  'ECONNABORTED',
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTDOWN',
  'EHOSTUNREACH',
  'ENETDOWN',
  'ENETRESET',
  'ENETUNREACH',
  'ENOENT',
  'ENOTCONN',
  'ENOTFOUND',
  'EPIPE',
  'ETIMEDOUT',
]);
/** Sockets and name resolution: ENOENT of a missing file is not a network error. */
const NETWORK_CALLS = new Set(['connect', 'getaddrinfo', 'read', 'shutdown', 'write']);
/** The driver gives these no code. */
const DRIVER_MESSAGES =
  /^(?:Connection terminated|Client has encountered a connection error|Client was closed|timeout e(?:xceeded|xpired)|Query read timeout|Cannot use a pool after)/i;
const MAX_CAUSES = 5;

export function kindOfError(error: unknown): ErrorKind {
  for (let cause = error, depth = 0; cause instanceof Error && depth < MAX_CAUSES; depth += 1) {
    const kind = kindOfSingle(cause);
    if (kind !== 'other') return kind;
    cause = cause.cause;
  }
  return 'other';
}

function kindOfSingle(error: Error): ErrorKind {
  if (error instanceof DatabaseError) return kindOfState(error.code ?? '');
  // Not instanceof: the error may come from another copy of the class.
  if (error.name === 'EventStoreUnavailableError' || DRIVER_MESSAGES.test(error.message)) return 'away';
  // Connecting to a host name with several addresses fails with one error per address.
  if (error instanceof AggregateError) return error.errors.some(isNetworkError) ? 'away' : 'other';
  return isNetworkError(error) ? 'away' : 'other';
}

function kindOfState(state: string): ErrorKind {
  if (AWAY.test(state)) return 'away';
  if (BUSY.test(state)) return 'busy';
  return DATA.test(state) ? 'data' : 'other';
}

const isNetworkError = (error: unknown): boolean =>
  error instanceof Error &&
  'code' in error &&
  NETWORK.has(String(error.code)) &&
  'syscall' in error &&
  NETWORK_CALLS.has(String(error.syscall));
