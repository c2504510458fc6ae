import type { TypedDocumentNode as DocumentNode } from '@graphql-typed-document-node/core';
import type { GetTermsQuery, GetTermsQueryVariables } from '../graphql';

export const GetTermsDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"GetTerms"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"getTerms"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"version"}},{"kind":"Field","name":{"kind":"Name","value":"text"}},{"kind":"Field","name":{"kind":"Name","value":"mustAccept"}}]}}]}}]} as unknown as DocumentNode<GetTermsQuery, GetTermsQueryVariables>;
