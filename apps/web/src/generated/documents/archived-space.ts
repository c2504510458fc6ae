import type { TypedDocumentNode as DocumentNode } from '@graphql-typed-document-node/core';
import type { ArchivedSpacesQuery, ArchivedSpacesQueryVariables } from '../graphql';

export const ArchivedSpacesDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"ArchivedSpaces"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"getStudentSpaces"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"_id"}},{"kind":"Field","name":{"kind":"Name","value":"isArchived"}}]}}]}}]} as unknown as DocumentNode<ArchivedSpacesQuery, ArchivedSpacesQueryVariables>;
