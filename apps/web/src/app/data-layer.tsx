import { ApolloProvider } from '@apollo/client/react';
import { useState } from 'react';
import { Outlet } from 'react-router-dom';
import { createApolloClient } from '../lib/apollo';

/** Gives the screens below it the GraphQL client; a new session gets a new cache, because this is mounted anew. */
export default function DataLayer() {
  const [client] = useState(createApolloClient);
  return (
    <ApolloProvider client={client}>
      <Outlet />
    </ApolloProvider>
  );
}
