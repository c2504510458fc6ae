import { v4 as uuid } from 'uuid';
import { accessToken, authorization, signOut } from '../auth-storage';
import { suspectOutage } from './connection';
import type { ApiErrorExtensions } from './errors';
import { queryRetryDelays, untilAnswered, type RetryDelays } from './until-answered';
import type { SendOtpMutation } from '../../generated/graphql';

/** An error returned by the API. */
export class GraphqlError extends Error {
  override readonly name = 'GraphqlError';
  constructor(
    message: string,
    readonly extensions: ApiErrorExtensions = {},
  ) {
    super(message);
  }
}

interface GraphqlResponse {
  data?: unknown;
  errors?: Array<{ message: string; extensions?: ApiErrorExtensions }>;
}

/** An operation, imported as `name.graphql?call`. */
interface DocumentCall {
  /** The id the API knows it by. */
  readonly id: string;
  readonly isMutation: boolean;
}

/** Someone is waiting at an empty screen: fail soon. */
const doingWaits: RetryDelays = [300, 700, 1_500];

/** No answer, or only a proxy's: check whether the server is away. */
async function answerTo(request: RequestInit, isMutation: boolean) {
  try {
    const response = await untilAnswered(() => fetch('/graphql', request), {
      waits: isMutation ? doingWaits : queryRetryDelays,
      isMutation,
    });
    return { ...((await response.json()) as GraphqlResponse), statusText: response.statusText };
  } catch (error) {
    suspectOutage();
    throw error;
  }
}

/** One GraphQL call without a client, for what the login page needs before the rest is loaded. */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- the operation is an id here, so the caller names both of its types
export async function postGraphql<TData, TVariables extends object>(
  { id, isMutation }: DocumentCall,
  variables: TVariables,
  token?: string,
): Promise<TData> {
  const request = {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      // Mails and SMS are written in the language of the screen.
      'accept-language': document.documentElement.lang,
      'x-correlation-id': uuid(),
      ...(isMutation ? { 'idempotency-key': uuid() } : {}),
      ...(token === undefined ? authorization() : { authorization: `Bearer ${token}` }),
    },
    body: JSON.stringify({ variables, extensions: { persistedQuery: { version: 1, sha256Hash: id } } }),
  };
  const { data, errors, statusText } = await answerTo(request, isMutation);
  const [first] = errors ?? [];
  if (first?.extensions?.code === 'UNAUTHENTICATED' && accessToken() !== null) signOut('ended');
  if (first) throw new GraphqlError(first.message, first.extensions);
  if (!data) throw new GraphqlError(statusText);
  return data as TData;
}

type Refusal = NonNullable<SendOtpMutation['sendOTP']['refusal']>;

/** Turns a refusal that came as data, with a flag of 0, into the error it would be elsewhere. */
export function errorOf({ message, code, rule, field, params }: Refusal): GraphqlError {
  const values = Object.fromEntries(params.map(({ name, value }) => [name, value]));
  return new GraphqlError(message, { code, rule, field, params: values });
}
