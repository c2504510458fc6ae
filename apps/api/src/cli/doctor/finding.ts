/**
 * - fine: nothing to do
 * - advice: it works, and should be otherwise
 * - broken: it must be mended
 */
export type Verdict = 'fine' | 'advice' | 'broken';

/** What one look at one part of an installation showed. */
export interface Finding {
  /** The part and what was looked at, as `database clock`. */
  readonly check: string;
  readonly verdict: Verdict;
  /** What is so, in one line. */
  readonly says: string;
  /** What to do about it, in one line; with every verdict but `fine`. */
  readonly remedy?: string;
}

export const fine = (check: string, says: string): Finding => ({ check, verdict: 'fine', says });

export const advice = (check: string, says: string, remedy: string): Finding => ({
  check,
  verdict: 'advice',
  says,
  remedy,
});

export const broken = (check: string, says: string, remedy: string): Finding => ({
  check,
  verdict: 'broken',
  says,
  remedy,
});

const PATIENCE_MS = 10_000;

/** What was thrown, and its cause: `fetch failed` alone says nothing. Never an address with a password. */
export function reasonOf(error: unknown): string {
  if (!isErrorLike(error)) return String(error);
  const { message, cause, errors } = error;
  const inner = errors?.map(reasonOf).join('; ') ?? '';
  const text = message === '' ? inner : message;
  const whole = cause === undefined ? text : `${text} (${reasonOf(cause)})`;
  return whole
    .replaceAll(/\/\/[^/@\s]*@/g, '//')
    .replaceAll(/\s+/g, ' ')
    .trim();
}

interface ErrorLike {
  readonly message: string;
  readonly cause?: unknown;
  /** Of an AggregateError. */
  readonly errors?: readonly unknown[];
}

const isErrorLike = (error: unknown): error is ErrorLike =>
  typeof error === 'object' && error !== null && 'message' in error && typeof error.message === 'string';

/** A signal for one request of a check. */
export const patience = (): AbortSignal => AbortSignal.timeout(PATIENCE_MS);
export { PATIENCE_MS };
