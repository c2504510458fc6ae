import type { ApolloClient } from '@apollo/client';
import { skipToken, useApolloClient, useQuery } from '@apollo/client/react';
import { useEffect, useRef } from 'react';
import { useLocation } from 'react-router-dom';
import { SpaceStandingDocument, type SpaceStandingQuery } from '../../generated/graphql';
import { useCurrentSpace } from '../auth-storage';
import { useSpaceStart } from './use-space-start';

interface SpaceStanding {
  isArchived: boolean;
  /** Null if the student is not suspended. */
  suspension: SpaceStandingQuery['getOwnSuspension'];
  onlyReads: boolean;
}

/** Why the student can only read in the current space, if so. Until it is loaded, nothing says so. */
export function useSpaceStanding(): SpaceStanding {
  const current = useCurrentSpace()?._id;
  const fetchPolicy = useSpaceStart(current);
  const { data } = useQuery(
    SpaceStandingDocument,
    current === undefined ? skipToken : { variables: { space: current }, fetchPolicy },
  );
  const isArchived = data?.getStudentSpaces.find(({ _id }) => _id === current)?.isArchived ?? false;
  const suspension = data?.getOwnSuspension ?? null;
  return { isArchived, suspension, onlyReads: isArchived || suspension !== null };
}

const refetchOf = (client: ApolloClient, name: string): void =>
  void client.refetchQueries({ include: 'active', onQueryUpdated: ({ queryName }) => queryName === name });

/** For signs that it may have changed: a notification, or a refusal. */
export const refetchSpaceStanding = (client: ApolloClient): void => refetchOf(client, 'SpaceStanding');

const MAX_TIMEOUT_MS = 2 ** 31 - 1;
/** Clocks differ. */
const GRACE_MS = 1_000;

/** Keeps the standing and an open question current: once the suspension ends, and on each screen of a student who only reads. */
export function useCurrentSpaceStanding(): SpaceStanding {
  const client = useApolloClient();
  const { pathname } = useLocation();
  const standing = useSpaceStanding();
  const { onlyReads, suspension } = standing;
  const until = suspension?.until;
  const seen = useRef({ pathname, onlyReads });
  useEffect(() => {
    const before = seen.current;
    seen.current = { pathname, onlyReads };
    if (onlyReads && before.pathname !== pathname) refetchSpaceStanding(client);
    if (before.onlyReads !== onlyReads) refetchOf(client, 'OwnQuestion');
  }, [client, onlyReads, pathname]);
  useEffect(() => {
    if (until == null) return undefined;
    const wait = Math.min(Date.parse(until) - Date.now() + GRACE_MS, MAX_TIMEOUT_MS);
    const timer = setTimeout(() => refetchSpaceStanding(client), Math.max(wait, GRACE_MS));
    return () => clearTimeout(timer);
  }, [client, until]);
  return standing;
}
