import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { registeredDocuments } from './registered-documents.js';

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
  it('are none without a folder, and none in an empty one', () => {
    expect(registeredDocuments(undefined)).toEqual({});
    expect(registeredDocuments(folder)).toEqual({});
  });

  it('are files, each known by what sha256sum says of it', () => {
    put('a.graphql', A);
    mkdirSync(join(folder, 'more'));
    put('more/b.graphql', B);
    put('README.md', 'not read');
    expect(registeredDocuments(folder)).toEqual(known(A, B));
  });

  it("are listed in a manifest of Apollo's, or by their hashes", () => {
    put('apollo.json', manifest([{ id: hashOf(A), name: 'A', type: 'query', body: A }]));
    put('plain.json', { [hashOf(B)]: B });
    expect(registeredDocuments(folder)).toEqual(known(A, B));
  });

  it.each([
    ['an altered text', 'a.json', { [hashOf(A)]: B }, 'is not the SHA-256 of its document'],
    ['an altered hash', 'a.json', manifest([{ id: hashOf(B), body: A }]), 'is not the SHA-256'],
    ['a hash of another kind', 'a.json', { sha1: A }, 'sha1 is not the SHA-256 of its document'],
    ['another format', 'a.json', [A], 'a.json, which is no manifest'],
    ['a format of Apollo without texts', 'a.json', manifest([{ id: hashOf(A) }]), 'which is no manifest'],
    ['no JSON', 'a.json', '{', 'a.json, which is no JSON'],
    ['no GraphQL', 'a.graphql', 'query {', 'a.graphql, whose document'],
    ['two operations', 'a.graphql', 'query A { a } query B { b }', '2 operations instead of one'],
    ['a fragment alone', 'a.graphql', 'fragment F on Query { a }', '0 operations instead of one'],
    ['endless words', 'a.graphql', `{ ${'a '.repeat(2_000)} }`, '1000 tokens'],
  ])('that have %s stop the start', (_, name, content, says) => {
    put(name, content);
    expect(() => registeredDocuments(folder)).toThrow(/^GRAPHQL_DOCUMENTS_DIR has a\./);
    expect(() => registeredDocuments(folder)).toThrow(says);
  });

  it('stop the start where their folder is not there', () => {
    expect(() => registeredDocuments(join(folder, 'nowhere'))).toThrow(
      /^GRAPHQL_DOCUMENTS_DIR cannot be read: .*nowhere/,
    );
  });
});
