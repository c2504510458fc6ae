import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { loadRegisteredDocuments } from './registered-documents.js';

const A = 'query A { getAvatars { category } }\n';
const B = '{ getTerms { version } }';
const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex');
const known = (...texts: readonly string[]) => Object.fromEntries(texts.map((text) => [hashOf(text), text]));
const manifest = (operations: readonly object[]) => ({
  format: 'apollo-persisted-query-manifest',
  version: 1,
  operations,
});

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'nimo-documents-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const put = (name: string, content: string | object): void =>
  writeFileSync(join(folder, name), typeof content === 'string' ? content : JSON.stringify(content));

describe('registered documents', () => {
  it('are empty without a folder and with an empty one', () => {
    expect(loadRegisteredDocuments(undefined)).toEqual({});
    expect(loadRegisteredDocuments(folder)).toEqual({});
  });

  it('are files known by their sha256sum', () => {
    put('a.graphql', A);
    mkdirSync(join(folder, 'more'));
    put('more/b.graphql', B);
    put('README.md', 'not read');
    expect(loadRegisteredDocuments(folder)).toEqual(known(A, B));
  });

  it('are read from an Apollo manifest or a plain one', () => {
    put('apollo.json', manifest([{ id: hashOf(A), name: 'A', type: 'query', body: A }]));
    put('plain.json', { [hashOf(B)]: B });
    expect(loadRegisteredDocuments(folder)).toEqual(known(A, B));
  });

  it.each([
    ['an altered text', 'a.json', { [hashOf(A)]: B }, 'is not the SHA-256 of its document'],
    ['an altered hash', 'a.json', manifest([{ id: hashOf(B), body: A }]), 'is not the SHA-256'],
    ['a hash of another kind', 'a.json', { sha1: A }, 'sha1 is not the SHA-256 of its document'],
    ['another format', 'a.json', [A], 'a.json, which is not a manifest'],
    ['an Apollo manifest without texts', 'a.json', manifest([{ id: hashOf(A) }]), 'which is not a manifest'],
    ['invalid JSON', 'a.json', '{', 'a.json, which is not JSON'],
    ['invalid GraphQL', 'a.graphql', 'query {', 'a.graphql, whose document'],
    ['two operations', 'a.graphql', 'query A { a } query B { b }', '2 operations instead of one'],
    ['only a fragment', 'a.graphql', 'fragment F on Query { a }', '0 operations instead of one'],
    ['too many tokens', 'a.graphql', `{ ${'a '.repeat(2_000)} }`, '1000 tokens'],
  ])('with %s prevent the start', (_, name, content, says) => {
    put(name, content);
    expect(() => loadRegisteredDocuments(folder)).toThrow(/^GRAPHQL_DOCUMENTS_DIR has a\./);
    expect(() => loadRegisteredDocuments(folder)).toThrow(says);
  });

  it('prevent the start when the folder is missing', () => {
    expect(() => loadRegisteredDocuments(join(folder, 'nowhere'))).toThrow(
      /^GRAPHQL_DOCUMENTS_DIR cannot be read: .*nowhere/,
    );
  });
});
