import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { addTypenameToDocument } from '@apollo/client/utilities';
import { Kind, OperationTypeNode, parse, print, type DocumentNode } from 'graphql';
import { WEB_DOCUMENTS, WEB_SUBSCRIPTIONS } from '../../../../api/src/generated/web-documents';
import { documentIds } from '../../generated/document-ids';
import * as generated from '../../generated/graphql';

const source = join(import.meta.dirname, '../..');
const files = readdirSync(source, { recursive: true, encoding: 'utf8' });
const textOf = (name: string): string => readFileSync(join(source, name), 'utf8');

interface Sent {
  readonly name: string;
  readonly kind: OperationTypeNode;
  readonly text: string;
}

/** Documents as the client itself sends them. */
const sent: Sent[] = Object.values(generated as Record<string, unknown>).flatMap((value) => {
  const document = value as DocumentNode;
  const operation = document.definitions.find((definition) => definition.kind === Kind.OPERATION_DEFINITION);
  if (operation?.name === undefined) return [];
  return [
    { name: operation.name.value, kind: operation.operation, text: print(addTypenameToDocument(document)) },
  ];
});

const known = (texts: Readonly<Record<string, string>>): ReadonlyMap<string, string> =>
  new Map(Object.entries(texts).map(([id, text]) => [text, id]));

describe('the documents known to the API', () => {
  it('cover all operations of the web app, under the ids it sends', () => {
    const ids = known(WEB_DOCUMENTS);
    const asked = sent.filter(({ kind }) => kind !== OperationTypeNode.SUBSCRIPTION);
    expect(asked.map(({ name, text }) => [name, ids.get(text)])).toEqual(
      asked.map(({ name }) => [name, documentIds[name]]),
    );
    expect(asked.length).toBe(Object.keys(WEB_DOCUMENTS).length);
  });

  it('include all subscriptions', () => {
    const listened = sent.filter(({ kind }) => kind === OperationTypeNode.SUBSCRIPTION);
    expect(listened.map(({ text }) => text).sort()).toEqual(Object.values(WEB_SUBSCRIPTIONS).sort());
  });

  it('include everything in the .graphql files', () => {
    const names = files
      .filter((name) => name.endsWith('.graphql'))
      .flatMap((name) => parse(textOf(name)).definitions)
      .flatMap((definition) =>
        definition.kind === Kind.OPERATION_DEFINITION ? [definition.name?.value] : [],
      );
    expect(names.sort()).toEqual(sent.map(({ name }) => name).sort());
  });

  it('are defined nowhere else', () => {
    const code = files.filter((name) => /\.tsx?$/.test(name) && !/\.spec\.|^generated|^testing/.test(name));
    const withText = code.filter((name) =>
      /\bgql\b|['"`]\s*(?:query|mutation|subscription)\b[^'"`]*\{/.test(textOf(name)),
    );
    expect(withText).toEqual([]);
  });
});
