import type { TypedDocumentNode as DocumentNode } from '@graphql-typed-document-node/core';
import type { LogoutMutation, LogoutMutationVariables } from '../graphql';

export const LogoutDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"Logout"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"logout"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"flag"}}]}}]}}]} as unknown as DocumentNode<LogoutMutation, LogoutMutationVariables>;
