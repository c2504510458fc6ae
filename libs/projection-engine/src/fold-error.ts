import { kindOfError } from '@nimo/event-store';

/** Thrown by code of a projection, and so by the same event again. */
export class FoldError extends Error {
  override readonly name = 'FoldError';
  constructor(cause: unknown) {
    super(cause instanceof Error ? cause.message : String(cause), { cause });
  }
}

/** Runs code of a projection, or what puts its rows into the form in which they are stored. */
export function folding<Result>(fold: () => Result): Result {
  try {
    return fold();
  } catch (error) {
    throw error instanceof FoldError ? error : new FoldError(error);
  }
}

/** Only then an event is to blame. Everything else may pass, and is tried again. */
export const isOfTheEvent = (error: unknown): boolean =>
  error instanceof FoldError || kindOfError(error) === 'data';

/** What the fold itself threw. */
export const causeOf = (error: unknown): unknown => (error instanceof FoldError ? error.cause : error);
