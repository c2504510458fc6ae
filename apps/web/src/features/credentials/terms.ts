import type { GetTermsQuery } from '../../generated/graphql';
import { postGraphql } from '../../lib/api/graphql-fetch';
import getTerms from './get-terms.graphql?call';

export type Terms = GetTermsQuery['getTerms'];

export const readTerms = async (): Promise<Terms> =>
  (await postGraphql<GetTermsQuery, object>(getTerms, {})).getTerms;

/** Whether they changed since whoever is signed in accepted them. Nobody is kept out where that cannot be asked: the api refuses by itself. */
export const mustAcceptTerms = (): Promise<boolean> =>
  readTerms().then(
    ({ mustAccept }) => mustAccept,
    () => false,
  );
