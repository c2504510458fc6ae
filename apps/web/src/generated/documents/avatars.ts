import type { TypedDocumentNode as DocumentNode } from '@graphql-typed-document-node/core';
import type { AvatarsQuery, AvatarsQueryVariables } from '../graphql';

export const AvatarsDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"Avatars"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"getAvatars"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"category"}},{"kind":"Field","name":{"kind":"Name","value":"urls"}}]}}]}}]} as unknown as DocumentNode<AvatarsQuery, AvatarsQueryVariables>;
