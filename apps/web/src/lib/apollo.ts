import { ApolloClient, ApolloLink, CombinedGraphQLErrors, HttpLink, InMemoryCache } from '@apollo/client';
import { SetContextLink } from '@apollo/client/link/context';
import { ErrorLink } from '@apollo/client/link/error';
import { PersistedQueryLink } from '@apollo/client/link/persisted-queries';
import { RetryLink } from '@apollo/client/link/retry';
import { GraphQLWsLink } from '@apollo/client/link/subscriptions';
import { getOperationAST, OperationTypeNode } from 'graphql';
import { createClient } from 'graphql-ws';
import { v4 as uuid } from 'uuid';
import { documentIds } from '../generated/document-ids';
import { accessToken, authorization, signOut } from './auth-storage';

const endLostSessions = new ErrorLink(({ error }) => {
  const isLost =
    CombinedGraphQLErrors.is(error) &&
    error.errors.some(({ extensions }) => extensions?.['code'] === 'UNAUTHENTICATED');
  if (isLost && accessToken() !== null) signOut();
});

// The key is chosen before the retries, so that a mutation whose answer got lost is not done twice. By the correlation id the api's log
// tells what became of it.
const identify = new SetContextLink(({ headers }, { operationType }) => ({
  headers: {
    ...(headers as Record<string, string> | undefined),
    ...authorization(),
    'x-correlation-id': uuid(),
    ...(operationType === OperationTypeNode.MUTATION ? { 'idempotency-key': uuid() } : {}),
  },
}));

// The api knows every operation of this build by its id, and an older or newer one may not: from then on they go by their text.
const byId = new PersistedQueryLink({
  generateHash: (document) => documentIds[getOperationAST(document)?.name?.value ?? ''] ?? '',
  disable: ({ meta }) => meta.persistedQueryNotFound || meta.persistedQueryNotSupported,
});

const retryUnreached = new RetryLink({
  attempts: { max: 3, retryIf: (error) => error instanceof TypeError },
});

/** How the api closes a socket whose session has ended; the client does not try again. */
const sessionEnded = 4401;

/** How often a silent socket is asked whether anybody is there, and how long it may take to answer. */
const asksEvery = 15_000;
const answersWithin = 5_000;

/** The socket of the live updates. What it missed while it was down is read again by `reread`. */
function subscriptions(reread: () => void): ApolloLink {
  let usedToken: string | null = null;
  let waiting: ReturnType<typeof setTimeout> | undefined;
  const client = createClient({
    url: `${location.origin.replace(/^http/, 'ws')}/graphql`,
    lazy: true,
    keepAlive: asksEvery,
    connectionAckWaitTimeout: answersWithin,
    connectionParams() {
      usedToken = accessToken();
      return authorization();
    },
    retryAttempts: Infinity,
    // By itself it gives up where nobody answers, as while an api starts again; what is final has codes of its own.
    shouldRetry: () => true,
    retryWait,
    on: {
      // A machine that lost its power says nothing, and a network that was left neither.
      ping(received) {
        if (!received) waiting = setTimeout(() => client.terminate(), answersWithin);
      },
      pong: (received) => received && clearTimeout(waiting),
      connected: (_socket, _payload, wasRetry) => wasRetry && reread(),
      closed(event) {
        clearTimeout(waiting);
        const { code } = event as CloseEvent;
        // The news may be late: whoever signed in again meanwhile stays.
        if (code === sessionEnded && usedToken !== null && usedToken === accessToken()) signOut();
      },
    },
  });
  return new GraphQLWsLink(client);
}

/** Longer from try to try, never more than half a minute, and not the same for everybody after an outage. */
function retryWait(retries: number): Promise<void> {
  const delay = Math.min(1000 * 2 ** retries, 30_000) * (0.5 + Math.random() / 2);
  return new Promise((resolve) => setTimeout(resolve, delay));
}

// The same question is another hit for another text: its marks are not its own.
const typePolicies = {
  QuestionHit: { keyFields: false },
  AnswerHit: { keyFields: false },
  Projection: { keyFields: ['name'] },
} as const;

const FACTOR_QUERY = 'OwnSecondFactor';

/** An open staff area hears from the first refusal that its hours are over, and asks for the second factor again. */
const askForFactorAgain = (client: () => ApolloClient): ApolloLink =>
  new ErrorLink(({ error, operation }) => {
    const isWithheld =
      CombinedGraphQLErrors.is(error) &&
      error.errors.some(({ extensions }) => extensions?.['rule'] === 'SECOND_FACTOR_REQUIRED');
    if (!isWithheld || operation.operationName === FACTOR_QUERY) return;
    for (const query of client().getObservableQueries('active'))
      if (query.queryName === FACTOR_QUERY) void query.refetch();
  });

/** The client of everything behind the login and of the public question page. */
export function createApolloClient(): ApolloClient {
  const requests = ApolloLink.from([
    endLostSessions,
    askForFactorAgain(() => client),
    identify,
    retryUnreached,
    byId,
    new HttpLink({ uri: '/graphql' }),
  ]);
  const client: ApolloClient = new ApolloClient({
    cache: new InMemoryCache({ typePolicies }),
    link: ApolloLink.split(
      ({ operationType }) => operationType === OperationTypeNode.SUBSCRIPTION,
      subscriptions(() => void client.refetchQueries({ include: 'active' })),
      requests,
    ),
  });
  return client;
}
