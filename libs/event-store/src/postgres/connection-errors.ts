import { DatabaseError } from 'pg';
import { kindOfError } from '../error-kind.js';
import { EventStoreUnavailableError } from '../port.js';

/** What is no answer of the server (a broken socket, a time-out) leaves open whether anything was written. */
function isTransient(error: unknown): boolean {
  if (!(error instanceof DatabaseError) || error.code === undefined) return true;
  const kind = kindOfError(error);
  return kind === 'away' || kind === 'busy';
}

export function asStoreError(error: unknown): unknown {
  if (error instanceof EventStoreUnavailableError || !isTransient(error)) return error;
  const reason = error instanceof Error ? error.message : String(error);
  return new EventStoreUnavailableError(`the event log is unavailable: ${reason}`, { cause: error });
}
