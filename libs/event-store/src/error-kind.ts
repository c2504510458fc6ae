import { DatabaseError } from 'pg';

/**
 * What an error says about trying the same again. The one place that knows, for whoever folds, reacts, appends or answers requests.
 * - away: the server did not answer or is on its way out or in
 * - busy: it answered, and by chance or for a lack of something the same may go well next time
 * - data: what was asked does not fit, and never will
 * - other: not of a server at all, or nothing that we know
 */
export type ErrorKind = 'away' | 'busy' | 'data' | 'other';

/** SQLSTATE classes: connection, resources, operator intervention (shutdown, crash, starting up), and a server that is read-only. */
const AWAY = /^(?:08|53|57P)|^25006$/;
/** Rollback, object in use, cancelled, system, internal; rights that are being granted; and a plan made before a table's change. */
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
/** Of sockets and of names; a file that is missing is no network. */
const NETWORK_CALLS = new Set(['connect', 'getaddrinfo', 'read', 'shutdown', 'write']);
/** The driver tells these by nothing but their words. */
const DRIVER_WORDS =
  /^(?:Connection terminated|Client has encountered a connection error|Client was closed|timeout e(?:xceeded|xpired)|Query read timeout|Cannot use a pool after)/i;
const MAX_CAUSES = 5;

export function kindOfError(error: unknown): ErrorKind {
  for (let cause = error, depth = 0; cause instanceof Error && depth < MAX_CAUSES; depth += 1) {
    const kind = kindOfOne(cause);
    if (kind !== 'other') return kind;
    cause = cause.cause;
  }
  return 'other';
}

function kindOfOne(error: Error): ErrorKind {
  if (error instanceof DatabaseError) return kindOfState(error.code ?? '');
  // By its name: another copy of the class may have made it.
  if (error.name === 'EventStoreUnavailableError' || DRIVER_WORDS.test(error.message)) return 'away';
  // A name with several addresses fails with the error of each.
  if (error instanceof AggregateError) return error.errors.some(isOfNetwork) ? 'away' : 'other';
  return isOfNetwork(error) ? 'away' : 'other';
}

function kindOfState(state: string): ErrorKind {
  if (AWAY.test(state)) return 'away';
  if (BUSY.test(state)) return 'busy';
  return DATA.test(state) ? 'data' : 'other';
}

const isOfNetwork = (error: unknown): boolean =>
  error instanceof Error &&
  'code' in error &&
  NETWORK.has(String(error.code)) &&
  'syscall' in error &&
  NETWORK_CALLS.has(String(error.syscall));
