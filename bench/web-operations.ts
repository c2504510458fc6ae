import { documentIds } from '../apps/web/src/generated/document-ids.js';

/** What a request says of its document. */
export type Said =
  | { readonly query: string }
  | { readonly operationName: string; readonly extensions: { readonly persistedQuery: object } };

/** An operation exactly as the web app asks for it, by its id. */
export function webOperation(name: string): Said {
  const id = documentIds[name];
  if (id === undefined) throw new Error(`the web app has no operation ${name}`);
  return { operationName: name, extensions: { persistedQuery: { version: 1, sha256Hash: id } } };
}
