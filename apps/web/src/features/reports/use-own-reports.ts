import { useApolloClient } from '@apollo/client/react';
import { useEffect } from 'react';
import { OwnReportsDocument, type PostType } from '../../generated/graphql';
import { useAuthUser } from '../../lib/auth-storage';
import { hidePosts } from './hidden-posts';

const postTypes: readonly PostType[] = ['QUESTION', 'ANSWER', 'COMMENT', 'QUESTION_COMMENT'];
const REPORTS_PER_PAGE = 100;

/** Hides what the student reported on another device. Without an answer, what is remembered here has to do. */
export function useOwnReports(): void {
  const client = useApolloClient();
  const studentId = useAuthUser()?._id;
  useEffect(() => {
    if (studentId === undefined) return;
    for (const postType of postTypes) {
      const variables = { postType, page: 1, limit: REPORTS_PER_PAGE };
      void client
        .query({ query: OwnReportsDocument, variables, errorPolicy: 'all' })
        .then(({ data }) => {
          const posts = data?.getPaginatedPostReports.docs.map(({ post }) => post) ?? [];
          hidePosts(studentId, postType, posts);
        })
        .catch(() => undefined);
    }
  }, [client, studentId]);
}
