import { v4 as uuid } from 'uuid';
import { accessToken, authorization, signOut } from './auth-storage';
import type { ApiErrorExtensions } from './errors';

/** An error that the api answered with. */
export class GraphqlError extends Error {
  override readonly name = 'GraphqlError';
  constructor(
    message: string,
    readonly extensions: ApiErrorExtensions = {},
  ) {
    super(message);
  }
}

interface GraphqlResponse<TData> {
  data?: TData | null;
  errors?: Array<{ message: string; extensions?: ApiErrorExtensions }>;
}

const mutation = /^\s*mutation\b/;

/** One GraphQL call without a client: what the login page needs before the rest of the product is loaded. */
// eslint-disable-next-line @typescript-eslint/no-unnecessary-type-parameters -- the query is text here, so the caller names both of its types
export async function postGraphql<TData, TVariables extends object>(
  query: string,
  variables: TVariables,
  token?: string,
): Promise<TData> {
  const response = await fetch('/graphql', {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'x-correlation-id': uuid(),
      ...(mutation.test(query) ? { 'idempotency-key': uuid() } : {}),
      ...(token === undefined ? authorization() : { authorization: `Bearer ${token}` }),
    },
    body: JSON.stringify({ query, variables }),
  });
  const { data, errors } = (await response.json()) as GraphqlResponse<TData>;
  const [first] = errors ?? [];
  if (first?.extensions?.code === 'UNAUTHENTICATED' && accessToken() !== null) signOut();
  if (first) throw new GraphqlError(first.message, first.extensions);
  if (!data) throw new GraphqlError(response.statusText);
  return data;
}
