import { i18n } from '../i18n/i18n';

interface ApiError {
  message: string;
  extensions?: { code?: unknown; field?: unknown };
}

// Both clients' errors are told by their shape, so that the login page does not load Apollo for it.
function firstApiError(error: unknown): ApiError | undefined {
  if (!(error instanceof Error)) return undefined;
  if (error.name === 'CombinedGraphQLErrors' && 'errors' in error) return (error.errors as ApiError[])[0];
  if (error.name === 'GraphqlError' && 'code' in error && 'field' in error) {
    return { message: error.message, extensions: { code: error.code, field: error.field } };
  }
  return undefined;
}

/** The sentence to show for a failed call: the api's own, or that it was not reached. */
export function errorText(error: unknown): string {
  if (error instanceof Error && error.name === 'UploadError') return error.message;
  return firstApiError(error)?.message ?? i18n.t('shell:error.unreachable');
}

/** `extensions.code` of the api's error. */
export function errorCode(error: unknown): string | undefined {
  const code = firstApiError(error)?.extensions?.code;
  return typeof code === 'string' ? code : undefined;
}

/** The input field that the api's error is about. */
export function errorField(error: unknown): string | undefined {
  const field = firstApiError(error)?.extensions?.field;
  return typeof field === 'string' ? field : undefined;
}
