import { catalogueEntry, messageOf, type DomainErrorCode, type MessageParams } from './messages.js';
import type { ErrorCategory } from './vocabulary.js';

/** A violated business rule. The message comes from the catalogue in `messages.ts`. */
export class DomainError extends Error {
  override readonly name = 'DomainError';
  readonly category: ErrorCategory;
  readonly field: string | undefined;

  constructor(
    readonly code: DomainErrorCode,
    readonly params: MessageParams = {},
  ) {
    super(messageOf(code, params));
    const entry = catalogueEntry(code);
    this.category = entry.category;
    this.field = entry.field;
  }
}

/** Ends a switch over a union, so that a missing case does not compile. */
export const unreachable = (value: never): never => {
  throw new Error(`Unhandled case: ${JSON.stringify(value)}`);
};
