import { useApolloClient } from '@apollo/client/react';
import { useTranslation } from 'react-i18next';
import { PersonByNameDocument } from '../../generated/graphql';
import { errorText } from '../../lib/errors';
import { useModeratedSpaces } from '../areas/use-moderated-spaces';
import { idIn } from './narrowing';

export type SubjectKind = 'person' | 'post';

/** Nobody waits for more spaces to be asked one after the other. */
const SPACES_ASKED = 20;

type Found = { readonly id: string } | { readonly wrong: string };

/**
 * Finds what somebody typed: a post or a person by a link or an id, a person also by the user name, among the members of a space.
 * @param space where to look for the name; null: in the spaces that the caller moderates
 */
export function useFindSubject(space: string | null): (kind: SubjectKind, text: string) => Promise<Found> {
  const { t } = useTranslation('areas');
  const client = useApolloClient();
  const { spaces = [] } = useModeratedSpaces();
  const asked = space === null ? spaces.slice(0, SPACES_ASKED).map(({ _id }) => _id) : [space];

  async function personNamed(userName: string): Promise<string | undefined> {
    for (const one of asked) {
      const { data } = await client.query({
        query: PersonByNameDocument,
        variables: { space: one, userName },
        fetchPolicy: 'network-only',
      });
      const found = data?.searchUsers.hits.find(
        (hit) => hit.userName.toLowerCase() === userName.toLowerCase(),
      );
      if (found) return found._id;
    }
    return undefined;
  }

  return async (kind, text) => {
    const id = idIn(text);
    if (id !== null) return { id };
    const name = text.trim().replace(/^@/, '');
    if (kind === 'post' || name === '') return { wrong: t(`narrow.${kind}Unknown`) };
    try {
      const found = await personNamed(name);
      return found === undefined ? { wrong: t('narrow.nobodyNamed') } : { id: found };
    } catch (failure) {
      return { wrong: errorText(failure) };
    }
  };
}
