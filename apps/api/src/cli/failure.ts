import { DomainError } from '@nimo/domain';
import { EventStoreUnavailableError, LogDiffersError } from '@nimo/event-store';
import { NotConfirmedError } from './confirm.js';
import { EmbeddedPostgresError } from '../platform/embedded-postgres/native-files.js';
import { SettingsError } from '../platform/config/settings-error.js';
import { ImportError } from '../features/imports/dump-row.js';

/** An argument names something that does not exist or is ambiguous. */
export class NotFoundError extends Error {
  override readonly name = 'NotThereError';
}

/** Exit codes of the command line. */
export const EXIT = {
  done: 0,
  failed: 1,
  usage: 2,
  /** A check found a problem, such as a mismatch or a stopped projection. */
  different: 3,
  /** The confirmation prompt was declined or could not be shown. */
  notConfirmed: 4,
  interrupted: 130,
} as const;

export const EXIT_CODES_HELP =
  'Exit codes: 0 success, 1 failure, 2 invalid usage, 3 problem found, 4 not confirmed, 130 interrupted.';

/** Help text below the options of a command. @param example arguments after `npm run nimo --` */
export function helpText(example: string | readonly string[], text?: string): string {
  const examples = [example].flat().map((line) => `  npm run nimo -- ${line}`);
  return ['', ...(text === undefined ? [] : [text, '']), EXIT_CODES_HELP, '', 'Example:', ...examples].join(
    '\n',
  );
}

/** An invalid argument that only shows up when it is used, such as a missing file. Exit code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** Errors the user can fix: printed without a stack trace. */
const USER_ERRORS = [
  ImportError,
  SettingsError,
  EmbeddedPostgresError,
  DomainError,
  NotConfirmedError,
  UsageError,
  LogDiffersError,
  EventStoreUnavailableError,
  NotFoundError,
] as const;

/** Message to print: one line for an error the user can fix, the stack trace of a bug. */
export function describeFailure(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return USER_ERRORS.some((kind) => error instanceof kind) ? error.message : (error.stack ?? error.message);
}

export function exitCodeOf(error: unknown): number {
  if (error instanceof NotConfirmedError) return EXIT.notConfirmed;
  if (error instanceof UsageError) return EXIT.usage;
  return error instanceof LogDiffersError ? EXIT.different : EXIT.failed;
}
