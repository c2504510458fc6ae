import type { StringHandler } from '@remirror/core';
import { DOMParser as DocumentParser } from '@remirror/pm/model';

/**
 * Reads HTML into the document as it is. The library's own reading takes several spaces for one and drops those at the ends of a
 * line: to open what one wrote would change it.
 */
// The type of the library has a second signature, for fragments, which whole documents never ask for.
export const documentOf = (({ content, schema }) => {
  const { body } = new DOMParser().parseFromString(content, 'text/html');
  return DocumentParser.fromSchema(schema).parse(body, { preserveWhitespace: true });
}) as StringHandler;
