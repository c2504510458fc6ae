import pg from 'pg';

/** SQLSTATE classes: connection, resources, operator intervention (shutdown, crash, starting up), and a server that is read-only. */
const AWAY = /^(?:08|53|57P)|^25006$/;
const SOCKET_CODES = new Set(['ECONNREFUSED', 'ECONNRESET', 'ENOENT', 'EPIPE', 'ETIMEDOUT', 'EHOSTUNREACH']);
/** The driver tells these by nothing but their words. */
const DRIVER_WORDS =
  /^(?:Connection terminated|Client has encountered a connection error|timeout exceeded when trying to connect|Cannot use a pool after)/;

/** The database did not answer, so that the same request may well succeed in a moment. */
export function isDatabaseAway(error: unknown): boolean {
  if (error instanceof pg.DatabaseError) return AWAY.test(error.code ?? '');
  if (!(error instanceof Error)) return false;
  const isSocket = 'syscall' in error && 'code' in error && SOCKET_CODES.has(String(error.code));
  return (isSocket && error.syscall !== 'open') || DRIVER_WORDS.test(error.message);
}
