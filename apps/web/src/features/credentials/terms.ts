import type { GetTermsQuery } from '../../generated/graphql';
import { postGraphql } from '../../lib/api/graphql-fetch';
import getTerms from './get-terms.graphql?call';

export type Terms = GetTermsQuery['getTerms'];

export const readTerms = async (): Promise<Terms> =>
  (await postGraphql<GetTermsQuery, object>(getTerms, {})).getTerms;

/** Whether the signed-in student must accept changed terms. False if that is unknown: the API enforces it. */
export const mustAcceptTerms = (): Promise<boolean> =>
  readTerms().then(
    ({ mustAccept }) => mustAccept,
    () => false,
  );
