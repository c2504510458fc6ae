import { DatabaseError } from 'pg';
import { EventStoreUnavailableError } from '../port.js';

/**
 * SQLSTATE classes after which the same request may be sent again: connection (08), rollback (40), resources (53),
 * object in use (55), operator intervention such as a shutdown (57), system (58), internal (XX). Read-only (25006) is a fail-over.
 */
const TRANSIENT = /^(?:08|40|53|55|57|58|XX)|^25006$/;

/** What is no answer of the server (a broken socket, a time-out) leaves open whether anything was written. */
export function isTransient(error: unknown): boolean {
  return !(error instanceof DatabaseError) || error.code === undefined || TRANSIENT.test(error.code);
}

export function asStoreError(error: unknown): unknown {
  if (error instanceof EventStoreUnavailableError || !isTransient(error)) return error;
  const reason = error instanceof Error ? error.message : String(error);
  return new EventStoreUnavailableError(`the event log is unavailable: ${reason}`, { cause: error });
}
