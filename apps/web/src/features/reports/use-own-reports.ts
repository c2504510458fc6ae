import { useApolloClient } from '@apollo/client/react';
import { useEffect } from 'react';
import { OwnReportsDocument } from '../../generated/graphql';
import { useAuthUser } from '../../lib/auth-storage';
import { hidePosts } from './hidden-posts';
import { reportTypes } from './report-type';

const REPORTS_OF_A_TYPE = 100;

/** Hides what the student reported on another device. Without an answer, what is remembered here has to do. */
export function useOwnReports(): void {
  const client = useApolloClient();
  const studentId = useAuthUser()?._id;
  useEffect(() => {
    if (studentId === undefined) return;
    client
      .query({ query: OwnReportsDocument, variables: { limit: REPORTS_OF_A_TYPE }, errorPolicy: 'all' })
      .then(({ data }) => {
        for (const type of reportTypes)
          hidePosts(studentId, type, data?.[type].docs.map(({ post }) => post) ?? []);
      })
      .catch(() => undefined);
  }, [client, studentId]);
}
