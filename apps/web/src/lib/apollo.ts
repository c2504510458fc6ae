import { ApolloClient, ApolloLink, CombinedGraphQLErrors, HttpLink, InMemoryCache } from '@apollo/client';
import { SetContextLink } from '@apollo/client/link/context';
import { ErrorLink } from '@apollo/client/link/error';
import { RetryLink } from '@apollo/client/link/retry';
import { GraphQLWsLink } from '@apollo/client/link/subscriptions';
import { OperationTypeNode } from 'graphql';
import { createClient } from 'graphql-ws';
import { v4 as uuid } from 'uuid';
import { accessToken, authorization, signOut } from './auth-storage';

const endLostSessions = new ErrorLink(({ error }) => {
  const isLost =
    CombinedGraphQLErrors.is(error) &&
    error.errors.some(({ extensions }) => extensions?.['code'] === 'UNAUTHENTICATED');
  if (isLost && accessToken() !== null) signOut();
});

// The key is chosen before the retries, so that a mutation whose answer got lost is not done twice.
const identify = new SetContextLink(({ headers }, { operationType }) => ({
  headers: {
    ...(headers as Record<string, string> | undefined),
    ...authorization(),
    ...(operationType === OperationTypeNode.MUTATION ? { 'idempotency-key': uuid() } : {}),
  },
}));

const retryUnreached = new RetryLink({
  attempts: { max: 3, retryIf: (error) => error instanceof TypeError },
});

function subscriptions(): ApolloLink {
  const url = `${location.origin.replace(/^http/, 'ws')}/graphql`;
  return new GraphQLWsLink(createClient({ url, lazy: true, connectionParams: () => authorization() }));
}

/** The client of everything behind the login and of the public question page. */
export function createApolloClient(): ApolloClient {
  const requests = ApolloLink.from([
    endLostSessions,
    identify,
    retryUnreached,
    new HttpLink({ uri: '/graphql' }),
  ]);
  return new ApolloClient({
    cache: new InMemoryCache(),
    link: ApolloLink.split(
      ({ operationType }) => operationType === OperationTypeNode.SUBSCRIPTION,
      subscriptions(),
      requests,
    ),
  });
}
