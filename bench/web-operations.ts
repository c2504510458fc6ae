import { WEB_DOCUMENTS, WEB_SUBSCRIPTIONS } from '../apps/api/src/generated/web-documents.js';

/** What a request says of its document. */
export type Said =
  | { readonly query: string }
  | { readonly operationName: string; readonly extensions: { readonly persistedQuery: object } };

const IDS = new Map(
  Object.entries({ ...WEB_DOCUMENTS, ...WEB_SUBSCRIPTIONS }).map(([id, text]) => [
    /^\w+ (\w+)/.exec(text)?.[1],
    id,
  ]),
);

/** An operation exactly as the web app asks for it, by its id. */
export function webOperation(name: string): Said {
  const id = IDS.get(name);
  if (id === undefined) throw new Error(`the web app has no operation ${name}`);
  return { operationName: name, extensions: { persistedQuery: { version: 1, sha256Hash: id } } };
}
