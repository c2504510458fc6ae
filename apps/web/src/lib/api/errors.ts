import { useCallback, useState } from 'react';
import { i18n } from '../../i18n/i18n';

/** Extensions of an API error. */
export interface ApiErrorExtensions {
  code?: unknown;
  field?: unknown;
  /** Code of the broken rule. */
  rule?: unknown;
  /** Values of the message's variables. */
  params?: unknown;
  /** Correlation id of an internal error, as in the API's log. */
  correlationId?: unknown;
}

interface ApiError {
  message: string;
  extensions?: ApiErrorExtensions;
}

/** Errors that break no rule of the product, by the rule whose message they share. */
const ruleByCode: Readonly<Record<string, string>> = {
  INTERNAL: 'TRY_AGAIN_LATER',
  UNAVAILABLE: 'TRY_AGAIN_LATER',
};

// Checked by shape, so that the login page does not load Apollo.
function firstApiError(error: unknown): ApiError | undefined {
  if (!(error instanceof Error)) return undefined;
  if (error.name === 'CombinedGraphQLErrors' && 'errors' in error) return (error.errors as ApiError[])[0];
  if (error.name === 'GraphqlError' && 'extensions' in error) {
    return { message: error.message, extensions: error.extensions as ApiErrorExtensions };
  }
  return undefined;
}

// The rule comes over the wire, so it has no type.
const translate = i18n.t as unknown as (key: string, values: object) => string;

/** The API refused a request it does not know: this page is of another version. */
export const OTHER_VERSION = 'DOCUMENT_NOT_REGISTERED';

/** The API's message in the language of the screen, or in English where there is no translation. */
export function ruleText(message: string, { code, rule, params }: ApiErrorExtensions): string {
  const name = typeof rule === 'string' ? rule : ruleByCode[String(code)];
  const values = typeof params === 'object' && params !== null ? params : {};
  const key = `errors:${name ?? ''}`;
  return name !== undefined && i18n.exists(key) ? translate(key, values) : message;
}

/** Short enough to read aloud, long enough to find. */
const referenceOf = (correlationId: string): string => correlationId.slice(0, 8);

/** The message to show for a failed call: the API's own, or that the API could not be reached. */
export function errorText(error: unknown): string {
  if (error instanceof Error && error.name === 'UploadError') return error.message;
  const found = firstApiError(error);
  if (!found) return i18n.t('shell:error.unreachable');
  if (found.extensions?.rule === OTHER_VERSION)
    return i18n.t(i18n.exists('connection:newVersion') ? 'connection:newVersion' : 'shell:error.unreachable');
  const text = ruleText(found.message, found.extensions ?? {});
  const id = found.extensions?.correlationId;
  return typeof id === 'string'
    ? i18n.t('shell:error.withReference', { text, reference: referenceOf(id) })
    : text;
}

/** The API did not refuse: it could not be reached, or could not handle the call. */
const hasUnknownOutcome = (error: unknown): boolean =>
  firstApiError(error) === undefined || errorCode(error) === 'UNAVAILABLE';

const textOf =
  (name: 'code' | 'rule' | 'field') =>
  (error: unknown): string | undefined => {
    const value = firstApiError(error)?.extensions?.[name];
    return typeof value === 'string' ? value : undefined;
  };

/** `extensions.code` of an API error. */
export const errorCode = textOf('code');

/** `extensions.rule` of an API error. */
export const errorRule = textOf('rule');

/** The input field an API error is about. */
export const errorField = textOf('field');

/** Runs one call at a time and keeps its error, for forms without the GraphQL client. */
export function usePending() {
  const [isPending, setPending] = useState(false);
  const [error, setError] = useState<string>();
  /** The outcome of the last call is unknown, so it may be retried. */
  const [isUnknown, setUnknown] = useState(false);
  const run = useCallback(async (call: () => Promise<unknown>) => {
    setPending(true);
    setError(undefined);
    setUnknown(false);
    try {
      await call();
    } catch (cause) {
      setError(errorText(cause));
      setUnknown(hasUnknownOutcome(cause));
    } finally {
      setPending(false);
    }
  }, []);
  return { isPending, error, isUnknown, setError, run };
}
