/**
 * - ok: no action needed
 * - advice: works, but should be changed
 * - broken: must be fixed
 */
export type FindingStatus = 'ok' | 'advice' | 'broken';

/** Result of one check. */
export interface Finding {
  /** Component and aspect checked, such as `database clock`. */
  readonly check: string;
  readonly status: FindingStatus;
  /** Current state, in one line. */
  readonly message: string;
  /** How to fix it, in one line; absent if `ok`. */
  readonly fix?: string;
}

export const ok = (check: string, message: string): Finding => ({ check, status: 'ok', message });

export const advice = (check: string, message: string, fix: string): Finding => ({
  check,
  status: 'advice',
  message,
  fix,
});

export const broken = (check: string, message: string, fix: string): Finding => ({
  check,
  status: 'broken',
  message,
  fix,
});

const CHECK_TIMEOUT_MS = 10_000;

/** Message of an error with its causes, as `fetch failed` alone does not help. Removes passwords from URLs. */
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
  /** Set on an AggregateError. */
  readonly errors?: readonly unknown[];
}

const isErrorLike = (error: unknown): error is ErrorLike =>
  typeof error === 'object' && error !== null && 'message' in error && typeof error.message === 'string';

/** Abort signal for one request of a check. */
export const checkTimeout = (): AbortSignal => AbortSignal.timeout(CHECK_TIMEOUT_MS);
export { CHECK_TIMEOUT_MS };
