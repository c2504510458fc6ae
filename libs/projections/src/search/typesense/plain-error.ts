import { Errors } from 'typesense';

/** Errors of the client carry the request along, with the key in its headers and documents in its body: neither belongs into a log. */
export function plainError(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const isOfClient = 'isAxiosError' in error || error instanceof Errors.TypesenseError;
  if (!isOfClient) return error;
  const code = 'code' in error ? String(error.code) : '';
  const status = 'httpStatus' in error ? String(error.httpStatus) : '';
  return new Error(['Typesense failed:', error.name, status, code, error.message].filter(Boolean).join(' '));
}
