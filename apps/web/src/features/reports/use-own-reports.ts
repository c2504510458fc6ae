import { useApolloClient } from '@apollo/client/react';
import { useEffect } from 'react';
import { OwnReportsDocument } from '../../generated/graphql';
import { useAuthUser } from '../../lib/auth-storage';
import { hidePosts } from './hidden-posts';
import { reportTypes, wireTypeOf } from './report-type';

const REPORTS_PER_PAGE = 100;

/** Hides what the student reported on another device. Without an answer, what is remembered here has to do. */
export function useOwnReports(): void {
  const client = useApolloClient();
  const studentId = useAuthUser()?._id;
  useEffect(() => {
    if (studentId === undefined) return;
    for (const type of reportTypes) {
      const variables = { postType: wireTypeOf(type), page: 1, limit: REPORTS_PER_PAGE };
      void client
        .query({ query: OwnReportsDocument, variables, errorPolicy: 'all' })
        .then(({ data }) => {
          const posts = data?.getPaginatedPostReports.docs.map(({ post }) => post) ?? [];
          hidePosts(studentId, type, posts);
        })
        .catch(() => undefined);
    }
  }, [client, studentId]);
}
