import type { ApolloClient } from '@apollo/client';
import { ApolloProvider } from '@apollo/client/react';
import { useEffect, useState } from 'react';
import { Outlet } from 'react-router-dom';
import { Announcer } from '../components/announcer';
import { ConnectionBar } from '../components/connection-bar';
import { LoadingStatus } from '../components/loading-status';
import { Toasts } from '../components/toasts';
import { createApolloClient } from '../lib/apollo';
import { onRecovery } from '../lib/connection';
import { useAuthUser } from '../lib/auth-storage';
import { onStale } from '../lib/own-acts';
import { preloadParts } from '../lib/lazy-part';
import { reloadLostPictures } from '../lib/lost-pictures';
import { startOfflineWorker } from '../lib/offline-worker';

/** Gives the screens below it the GraphQL client: a new one for every person, so that nobody sees another's cache. */
export default function DataLayer() {
  const user = useAuthUser();
  return <PersonalDataLayer key={user?._id ?? 'visitor'} isPerson={user !== null} />;
}

/** What could not be read while the server was away; the live updates see to the rest when their socket is back. */
function rereadFailed(client: ApolloClient, hasKept: boolean) {
  const failed = [...client.getObservableQueries('active')].filter(
    (query) => hasKept || query.getCurrentResult().error !== undefined,
  );
  return Promise.allSettled(failed.map((query) => query.refetch()));
}

/** The client, and whether it has shown answers of earlier since that was last asked. */
function withKeptAnswers(): [ApolloClient, () => boolean] {
  let hasKept = false;
  const client = createApolloClient(() => (hasKept = true));
  const takeKept = () => {
    const had = hasKept;
    hasKept = false;
    return had;
  };
  return [client, takeKept];
}

function PersonalDataLayer({ isPerson }: { isPerson: boolean }) {
  const [[client, hasKept]] = useState(withKeptAnswers);
  useEffect(() => onRecovery(() => void rereadFailed(client, hasKept())), [client, hasKept]);
  useEffect(() => onRecovery(reloadLostPictures), []);
  useEffect(
    () => onStale(() => Promise.allSettled(client.refetchQueries({ include: 'active' }).results)),
    [client],
  );
  useEffect(() => (isPerson ? preloadParts([startOfflineWorker]) : undefined), [isPerson]);
  return (
    <ApolloProvider client={client}>
      <Toasts />
      <Announcer />
      <ConnectionBar />
      <LoadingStatus />
      <Outlet />
    </ApolloProvider>
  );
}
