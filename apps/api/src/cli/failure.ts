import { DomainError } from '@nimo/domain';
import { EventStoreUnavailableError, LogDiffersError } from '@nimo/event-store';
import { NotConfirmedError } from './ask-first.js';
import { NotThereError } from './not-there-error.js';
import { ImportError } from '../features/imports/dump-reader.js';
import { EXIT } from './exit-codes.js';
import { UsageError } from './usage-error.js';
import { EmbeddedPostgresError } from '../platform/embedded-postgres/embedded-postgres-error.js';
import { SettingsError } from '../platform/config/settings-error.js';

/** What the person at the command line can put right: one line, no stack. */
const FOR_PEOPLE = [
  ImportError,
  SettingsError,
  EmbeddedPostgresError,
  DomainError,
  NotConfirmedError,
  UsageError,
  LogDiffersError,
  EventStoreUnavailableError,
  NotThereError,
] as const;

/** What the command line says of a failure: one line, or the stack of a fault of ours. */
export function failureOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return FOR_PEOPLE.some((kind) => error instanceof kind) ? error.message : (error.stack ?? error.message);
}

/** What a script is told. */
export function exitCodeOf(error: unknown): number {
  if (error instanceof NotConfirmedError) return EXIT.notConfirmed;
  if (error instanceof UsageError) return EXIT.usage;
  return error instanceof LogDiffersError ? EXIT.different : EXIT.failed;
}
