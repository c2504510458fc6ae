import { useApolloClient } from '@apollo/client/react';
import { useEffect } from 'react';
import { OwnReportsDocument, SpaceStartDocument } from '../../generated/graphql';
import { useAuthUser, useCurrentSpace } from '../../lib/auth-storage';
import { hidePosts } from './hidden-posts';
import { reportTypes } from './report-type';

/** Hides posts that the student reported on other devices. If that fails, only locally stored ones are hidden. */
export function useOwnReports(): void {
  const client = useApolloClient();
  const studentId = useAuthUser()?._id;
  const space = useCurrentSpace()?._id;
  useEffect(() => {
    if (studentId === undefined) return;
    const request =
      space === undefined
        ? client.query({ query: OwnReportsDocument })
        : client.query({ query: SpaceStartDocument, variables: { space } });
    request
      .then(({ data }) => {
        for (const type of reportTypes)
          hidePosts(studentId, type, data?.[type].docs.map(({ post }) => post) ?? []);
      })
      .catch(() => undefined);
  }, [client, studentId, space]);
}
