import { useCallback, useState } from 'react';
import { i18n } from '../../i18n/i18n';

/** What a broken rule of the api carries beside its English message. */
export interface ApiErrorExtensions {
  code?: unknown;
  field?: unknown;
  /** The rule that was broken. */
  rule?: unknown;
  /** What the message of the rule was filled with. */
  params?: unknown;
  /** Of a fault of the api: its log has it under this id. */
  correlationId?: unknown;
}

interface ApiError {
  message: string;
  extensions?: ApiErrorExtensions;
}

/** Faults of the api that are no rule of the product, by the rule whose words they use. */
const wordedAs: Readonly<Record<string, string>> = {
  INTERNAL: 'TRY_AGAIN_LATER',
  UNAVAILABLE: 'TRY_AGAIN_LATER',
};

// Both clients' errors are told by their shape, so that the login page does not load Apollo for it.
function firstApiError(error: unknown): ApiError | undefined {
  if (!(error instanceof Error)) return undefined;
  if (error.name === 'CombinedGraphQLErrors' && 'errors' in error) return (error.errors as ApiError[])[0];
  if (error.name === 'GraphqlError' && 'extensions' in error) {
    return { message: error.message, extensions: error.extensions as ApiErrorExtensions };
  }
  return undefined;
}

// The rule comes over the wire, so no type knows which one it is.
const translate = i18n.t as unknown as (key: string, values: object) => string;

/** The rule by which an api refuses what it does not know: this page is of another version. */
export const OTHER_VERSION = 'DOCUMENT_NOT_REGISTERED';

/** The api's message in the language of the screen; as the api wrote it in English, or where there is no translation. */
export function ruleText(message: string, { code, rule, params }: ApiErrorExtensions): string {
  const name = typeof rule === 'string' ? rule : wordedAs[String(code)];
  const values = typeof params === 'object' && params !== null ? params : {};
  const key = `errors:${name ?? ''}`;
  return name !== undefined && i18n.exists(key) ? translate(key, values) : message;
}

/** Short enough to be read out, long enough to be found. */
const referenceOf = (correlationId: string): string => correlationId.slice(0, 8);

/** The sentence to show for a failed call: the api's own, or that it was not reached. */
export function errorText(error: unknown): string {
  if (error instanceof Error && error.name === 'UploadError') return error.message;
  const found = firstApiError(error);
  if (!found) return i18n.t('shell:error.unreachable');
  if (found.extensions?.rule === OTHER_VERSION)
    return i18n.t(i18n.exists('connection:newVersion') ? 'connection:newVersion' : 'shell:error.unreachable');
  const text = ruleText(found.message, found.extensions ?? {});
  const id = found.extensions?.correlationId;
  return typeof id === 'string' ? i18n.t('shell:error.referred', { text, reference: referenceOf(id) }) : text;
}

/** It was not refused: the api was not reached, or could not look at it. */
const isUndecided = (error: unknown): boolean =>
  firstApiError(error) === undefined || errorCode(error) === 'UNAVAILABLE';

const textOf =
  (name: 'code' | 'rule' | 'field') =>
  (error: unknown): string | undefined => {
    const value = firstApiError(error)?.extensions?.[name];
    return typeof value === 'string' ? value : undefined;
  };

/** `extensions.code` of the api's error. */
export const errorCode = textOf('code');

/** `extensions.rule` of the api's error. */
export const errorRule = textOf('rule');

/** The input field that the api's error is about. */
export const errorField = textOf('field');

/** Runs one call at a time and keeps what went wrong, for forms that do without the GraphQL client. */
export function usePending() {
  const [isPending, setPending] = useState(false);
  const [error, setError] = useState<string>();
  /** The last call was not decided, so that the same may be tried again. */
  const [isLost, setLost] = useState(false);
  const run = useCallback(async (call: () => Promise<unknown>) => {
    setPending(true);
    setError(undefined);
    setLost(false);
    try {
      await call();
    } catch (cause) {
      setError(errorText(cause));
      setLost(isUndecided(cause));
    } finally {
      setPending(false);
    }
  }, []);
  return { isPending, error, isLost, setError, run };
}
