import { ApolloProvider } from '@apollo/client/react';
import { useState } from 'react';
import { Outlet } from 'react-router-dom';
import { Toasts } from '../components/toasts';
import { createApolloClient } from '../lib/apollo';
import { useAuthUser } from '../lib/auth-storage';

/** Gives the screens below it the GraphQL client: a new one for every person, so that nobody sees another's cache. */
export default function DataLayer() {
  const user = useAuthUser();
  return <PersonalDataLayer key={user?._id ?? 'visitor'} />;
}

function PersonalDataLayer() {
  const [client] = useState(createApolloClient);
  return (
    <ApolloProvider client={client}>
      <Toasts />
      <Outlet />
    </ApolloProvider>
  );
}
