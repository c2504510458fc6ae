import { DomainError } from '@nimo/domain';
import { EventStoreUnavailableError, LogDiffersError } from '@nimo/event-store';
import { NotConfirmedError } from './ask-first.js';
import { EmbeddedPostgresError } from '../platform/embedded-postgres/native-files.js';
import { SettingsError } from '../platform/config/settings-error.js';
import { ImportError } from '../features/imports/dump-row.js';

/** What an argument names is not there, or there more than once: one line that says which. */
export class NotThereError extends Error {
  override readonly name = 'NotThereError';
}

/** What a script can tell from the end of a command. */
export const EXIT = {
  done: 0,
  failed: 1,
  usage: 2,
  /** Something was checked and is not as it should be. */
  different: 3,
  /** It was asked whether it should be done, and nobody said yes. */
  notConfirmed: 4,
  interrupted: 130,
} as const;

export const EXIT_CODES_HELP =
  'Exit codes: 0 done, 1 failed, 2 wrong usage, 3 checked and found different, 4 not confirmed, 130 interrupted.';

/** Follows the options in the help of a command; an example is what comes after `npm run nimo --`. */
export function helpText(example: string | readonly string[], text?: string): string {
  const examples = [example].flat().map((line) => `  npm run nimo -- ${line}`);
  return ['', ...(text === undefined ? [] : [text, '']), EXIT_CODES_HELP, '', 'Example:', ...examples].join(
    '\n',
  );
}

/** An argument that only turns out to be wrong when it is used: a file that is not there. One line, exit 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

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
