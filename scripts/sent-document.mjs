// How the web app sends an operation. Shared by codegen, Vite and the tests of the web app, so that ids match.
import { createHash } from 'node:crypto';
import { addTypenameToDocument } from '@apollo/client/utilities';
import { Kind, OperationTypeNode, parse, print } from 'graphql';

const ID_LENGTH = 16;

/** The text with __typename added, as Apollo sends it, and the id under which the API knows it. */
export function sentDocument(document) {
  const text = print(addTypenameToDocument(document));
  return { text, id: createHash('sha256').update(text).digest('base64url').slice(0, ID_LENGTH) };
}

/** The module behind `import call from './name.graphql?call'`: one operation without fragments from other files. */
export function callModule(source) {
  const document = parse(source);
  const [operation, ...others] = document.definitions;
  if (operation?.kind !== Kind.OPERATION_DEFINITION || others.length > 0)
    throw new Error(`a call is one operation: ${source}`);
  const { id } = sentDocument(document);
  const isMutation = operation.operation === OperationTypeNode.MUTATION;
  return `export default ${JSON.stringify({ id, isMutation })};`;
}
