import { useApolloClient } from '@apollo/client/react';
import { useEffect } from 'react';
import {
  QuestionDetailFragmentDoc,
  WholeQuestionsDocument,
  type WholeQuestionsQueryVariables,
} from '../../generated/graphql';
import { preloadParts } from '../../lib/lazy-part';

const whole = { fragment: QuestionDetailFragmentDoc, fragmentName: 'QuestionDetail' };

/**
 * Fetches the questions of a page of a list whole while nobody waits, so that a chosen one shows its text at once. The list stays as it is:
 * what has come since does not move it.
 *
 * @param variables of the last page that is shown; undefined until there is one
 */
export function useWholeQuestions(variables: WholeQuestionsQueryVariables | undefined): void {
  const client = useApolloClient();
  const asked = variables && JSON.stringify(variables);
  useEffect(() => {
    if (asked === undefined) return undefined;
    const load = async () => {
      const { data } = await client.query({
        query: WholeQuestionsDocument,
        variables: JSON.parse(asked) as WholeQuestionsQueryVariables,
        fetchPolicy: 'no-cache',
      });
      client.cache.batch({
        update: (cache) => {
          for (const question of data?.getPaginatedQuestions.docs ?? []) {
            const id = cache.identify(question);
            // One that was opened is newer: its reader may have voted on it meanwhile.
            if (cache.readFragment({ ...whole, id }) === null)
              cache.writeFragment({ ...whole, id, data: question });
          }
        },
      });
    };
    return preloadParts([load]);
  }, [asked, client]);
}
