import { WEB_DOCUMENTS, WEB_SUBSCRIPTIONS } from '../apps/api/src/generated/web-documents.js';

/** How a request names its document. */
export type DocumentReference =
  | { readonly query: string }
  | { readonly operationName: string; readonly extensions: { readonly persistedQuery: object } };

const IDS = new Map(
  Object.entries({ ...WEB_DOCUMENTS, ...WEB_SUBSCRIPTIONS }).map(([id, text]) => [
    /^\w+ (\w+)/.exec(text)?.[1],
    id,
  ]),
);

/** An operation as the web app sends it: by id. */
export function webOperation(name: string): DocumentReference {
  const id = IDS.get(name);
  if (id === undefined) throw new Error(`the web app has no operation ${name}`);
  return { operationName: name, extensions: { persistedQuery: { version: 1, sha256Hash: id } } };
}
