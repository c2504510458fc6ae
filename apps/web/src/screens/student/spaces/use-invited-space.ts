import { skipToken, useQuery } from '@apollo/client/react';
import { InvitedSpaceDocument } from '../../../generated/graphql';
import { errorCode } from '../../../lib/api/errors';

/** The space of an invitation. Nothing is requested for an empty secret. */
export function useInvitedSpace(secret: string) {
  const options = {
    variables: { secret },
    fetchPolicy: 'network-only',
    nextFetchPolicy: 'cache-first',
  } as const;
  const { data, error, refetch } = useQuery(InvitedSpaceDocument, secret === '' ? skipToken : options);
  return { space: data?.getInvitedSpace, error, refetch: () => void refetch() };
}

/** Whether the API refused the invitation, rather than could not be reached or failed. */
export function isRefusal(error: unknown): boolean {
  const code = errorCode(error);
  return code !== undefined && code !== 'UNAVAILABLE' && code !== 'INTERNAL';
}
