import type { ApolloClient } from '@apollo/client';
import { ApolloProvider } from '@apollo/client/react';
import { VisuallyHidden } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Outlet } from 'react-router-dom';
import { ConnectionBar } from './connection-bar';
import { Toasts } from '../components/toast';
import { clearAnnouncements, useAnnouncements } from '../lib/browser/announce';
import { createApolloClient } from '../lib/api/apollo';
import { useAuthUser } from '../lib/auth-storage';
import { onRecovery } from '../lib/api/connection';
import { preloadParts, useIsLoading } from '../lib/browser/loading';
import { onStale } from '../lib/api/stale-answers';
import { timings } from '../lib/timings';

/** Provides the GraphQL client: a new one per user, so that caches are never shared. */
export default function DataLayer() {
  const user = useAuthUser();
  return <PersonalDataLayer key={user?._id ?? 'visitor'} isSignedIn={user !== null} />;
}

/** Refetches queries that failed while the server was unreachable; live updates cover the rest. */
function refetchFailed(client: ApolloClient, hasUsedCache: boolean) {
  const failed = [...client.getObservableQueries('active')].filter(
    (query) => hasUsedCache || query.getCurrentResult().error !== undefined,
  );
  return Promise.allSettled(failed.map((query) => query.refetch()));
}

/** The client, and a function that returns and resets whether it has used cached answers. */
function createOfflineClient(): [ApolloClient, () => boolean] {
  let hasUsedCache = false;
  const client = createApolloClient(() => (hasUsedCache = true));
  const resetUsedCache = () => {
    const had = hasUsedCache;
    hasUsedCache = false;
    return had;
  };
  return [client, resetUsedCache];
}

function PersonalDataLayer({ isSignedIn }: { isSignedIn: boolean }) {
  const [[client, hasUsedCache]] = useState(createOfflineClient);
  useEffect(() => onRecovery(() => void refetchFailed(client, hasUsedCache())), [client, hasUsedCache]);
  useEffect(() => onRecovery(reloadFailedImages), []);
  useEffect(
    () => onStale(() => Promise.allSettled(client.refetchQueries({ include: 'active' }).results)),
    [client],
  );
  useEffect(() => (isSignedIn ? preloadParts([startOfflineWorker]) : undefined), [isSignedIn]);
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

/** Reloads failed pictures; browsers do not retry them. */
function reloadFailedImages(): void {
  for (const picture of document.querySelectorAll('img')) {
    const address = picture.getAttribute('src');
    if (address !== null && picture.complete && picture.naturalWidth === 0)
      picture.setAttribute('src', address);
  }
}

/** False in development, which has no build to keep offline. */
const isProductionBuild = (): boolean =>
  document.querySelector<HTMLMetaElement>('meta[name="nimo-build"]')?.content.startsWith('__') === false;

const usedParts = (): string[] =>
  performance
    .getEntriesByType('resource')
    .map(({ name }) => new URL(name))
    .filter(({ origin, pathname }) => origin === location.origin && pathname.startsWith('/assets/'))
    .map(({ pathname }) => pathname);

/** Registers the service worker, which caches the app for offline use. */
async function startOfflineWorker(): Promise<void> {
  if (!('serviceWorker' in navigator) || !isProductionBuild()) return;
  try {
    await navigator.serviceWorker.register('/sw.js', { updateViaCache: 'none' });
    const { active } = await navigator.serviceWorker.ready;
    active?.postMessage({ parts: usedParts() });
  } catch {
    // Service workers are blocked: Nimo works without, but not offline.
  }
}

/** Live region for screen readers. It must exist before the first announcement to be read. */
function Announcer() {
  const { t } = useTranslation('frame');
  const announcements = useAnnouncements();
  useEffect(() => clearAnnouncements, []);
  return (
    <VisuallyHidden role="log" aria-label={t('announcements')}>
      {announcements.map(({ id, text }) => (
        <p key={id}>{text}</p>
      ))}
    </VisuallyHidden>
  );
}

/** Announces loading once for all skeletons, and not at all for short loads. */
export function LoadingStatus() {
  const { t } = useTranslation('shell');
  const [isLoading] = useDebouncedValue(useIsLoading(), timings.loadingAnnouncement);
  return <VisuallyHidden aria-live="polite">{isLoading && t('loading')}</VisuallyHidden>;
}
