import { createHash } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { parse } from 'graphql';
import { KnownDocuments } from './known-documents.js';

const A = '{ aaaaaa }';
const B = '{ bbbbbb }';
const C = '{ cccccc }';

function knownDocuments(...sources: readonly string[]): KnownDocuments {
  const known = new KnownDocuments({}, {}, { totalLength: 20, documentLength: 10 });
  for (const source of sources) known.add(source, parse(source));
  return known;
}

describe('the document cache', () => {
  it('holds documents up to its total size', () => {
    const known = knownDocuments(A, B);
    expect([known.find(A)?.loc?.source.body, known.find(B)?.loc?.source.body]).toEqual([A, B]);
    known.add(C, parse(C));
    expect([known.find(A), known.find(C)?.loc?.source.body]).toEqual([undefined, C]);
  });

  it('evicts the least recently used document', () => {
    const known = knownDocuments(A, B);
    known.find(A);
    known.add(C, parse(C));
    expect([known.find(A) !== undefined, known.find(B) !== undefined]).toEqual([true, false]);
  });

  it('counts a document once, however often it is kept', () => {
    const known = knownDocuments(A, B, B, B);
    expect(known.find(A)).toBeDefined();
  });

  it('skips documents that are too long', () => {
    const long = '{ aaaaaaa }';
    expect(knownDocuments(long).find(long)).toBeUndefined();
  });

  it('is shared with Apollo', async () => {
    const known = knownDocuments();
    const hash = createHash('sha256').update(A).digest('hex');
    await known.documentStore().set(`schema:${hash}`, parse(A));
    expect(known.find(A)).toBeDefined();
    await expect(known.documentStore().get(`schema:${hash}`)).resolves.toBe(known.find(A));
    await known.documentStore().delete(`schema:${hash}`);
    expect(known.find(A)).toBeUndefined();
  });
});

describe('documents of the web app', () => {
  const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex');
  const LONG = '{ aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa }';
  const own = () => new KnownDocuments({}, { a: A, long: LONG }, { totalLength: 20, documentLength: 10 });

  it('have ids that clients cannot add to', async () => {
    const known = own();
    expect([known.textOf('a'), known.textOf('b'), known.textOf(hashOf(A))]).toEqual([
      A,
      undefined,
      undefined,
    ]);
    await known.persistedQueryCache().set('apq:b', B);
    expect(await known.persistedQueryCache().get('apq:b')).toBeUndefined();
    expect(await known.persistedQueryCache().get('apq:a')).toBe(A);
  });

  it('are the only documents that may be compiled, by id or by text', async () => {
    const known = own();
    const [byId, byText, other] = [parse(A), parse(LONG), parse(B)];
    await known.documentStore().set('schema:a', byId);
    await known.documentStore().set(`schema:${hashOf(LONG)}`, byText);
    known.add(B, other);
    expect([byId, byText, other].map((document) => known.mayCompile(document))).toEqual([true, true, false]);
    expect(known.find(A)).toBe(byId);
    await expect(known.documentStore().get('schema:long')).resolves.toBe(byText);
  });

  it('are trusted only verbatim', () => {
    const known = own();
    expect([A, LONG, B, `${A} `, `${LONG} `].map((text) => known.isTrusted(text))).toEqual([
      true,
      true,
      false,
      false,
      false,
    ]);
  });

  it('are never evicted', async () => {
    const known = own();
    const document = parse(A);
    await known.documentStore().set('schema:a', document);
    for (const text of ['{ b }', '{ c }', '{ d }', '{ e }', '{ f }']) known.add(text, parse(text));
    expect(known.find(A)).toBe(document);
    expect(known.find('{ b }')).toBeUndefined();
  });
});

describe('registered documents', () => {
  const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex');
  const registering = (...texts: readonly string[]) =>
    new KnownDocuments(
      Object.fromEntries(texts.map((text) => [hashOf(text), text])),
      { a: A },
      { totalLength: 20, documentLength: 10 },
    );

  it('are found by hash, like those of the web app by id', () => {
    const known = registering(B);
    expect([known.textOf(hashOf(B)), known.textOf('a'), known.textOf(hashOf(C))]).toEqual([B, A, undefined]);
    expect([B, C].map((text) => known.isTrusted(text))).toEqual([true, false]);
  });

  it('are found by hash even if the web app has the same document', () => {
    expect(registering(A).textOf(hashOf(A))).toBe(A);
  });

  it('are never evicted and never compiled', () => {
    const known = registering(B);
    const document = parse(B);
    known.add(B, document);
    for (const text of ['{ b }', '{ c }', '{ d }', '{ e }', '{ f }']) known.add(text, parse(text));
    expect(known.find(B)).toBe(document);
    expect(known.mayCompile(document)).toBe(false);
  });
});
