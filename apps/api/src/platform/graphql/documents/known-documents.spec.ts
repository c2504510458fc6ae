import { createHash } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { parse } from 'graphql';
import { KnownDocuments } from './known-documents.js';

const A = '{ aaaaaa }';
const B = '{ bbbbbb }';
const C = '{ cccccc }';

function knowing(...sources: readonly string[]): KnownDocuments {
  const known = new KnownDocuments({}, {}, { length: 20, longest: 10 });
  for (const source of sources) known.keep(source, parse(source));
  return known;
}

describe('documents that were read', () => {
  it('are known, as long as they fit beside each other', () => {
    const known = knowing(A, B);
    expect([known.find(A)?.loc?.source.body, known.find(B)?.loc?.source.body]).toEqual([A, B]);
    known.keep(C, parse(C));
    expect([known.find(A), known.find(C)?.loc?.source.body]).toEqual([undefined, C]);
  });

  it('are forgotten in the order in which they were asked for last', () => {
    const known = knowing(A, B);
    known.find(A);
    known.keep(C, parse(C));
    expect([known.find(A) !== undefined, known.find(B) !== undefined]).toEqual([true, false]);
  });

  it('count once, however often they are kept', () => {
    const known = knowing(A, B, B, B);
    expect(known.find(A)).toBeDefined();
  });

  it('are not known where they are long', () => {
    const long = '{ aaaaaaa }';
    expect(knowing(long).find(long)).toBeUndefined();
  });

  it('are those of Apollo, too', async () => {
    const known = knowing();
    const hash = createHash('sha256').update(A).digest('hex');
    await known.asStore().set(`schema:${hash}`, parse(A));
    expect(known.find(A)).toBeDefined();
    await expect(known.asStore().get(`schema:${hash}`)).resolves.toBe(known.find(A));
    await known.asStore().delete(`schema:${hash}`);
    expect(known.find(A)).toBeUndefined();
  });
});

describe('documents of the web app', () => {
  const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex');
  const LONG = '{ aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa }';
  const own = () => new KnownDocuments({}, { a: A, long: LONG }, { length: 20, longest: 10 });

  it('have ids, to which nobody adds', async () => {
    const known = own();
    expect([known.textOf('a'), known.textOf('b'), known.textOf(hashOf(A))]).toEqual([
      A,
      undefined,
      undefined,
    ]);
    await known.asTexts().set('apq:b', B);
    expect(await known.asTexts().get('apq:b')).toBeUndefined();
    expect(await known.asTexts().get('apq:a')).toBe(A);
  });

  it('may be compiled, are kept under the id or their text, and no others are', async () => {
    const known = own();
    const [byId, byText, other] = [parse(A), parse(LONG), parse(B)];
    await known.asStore().set('schema:a', byId);
    await known.asStore().set(`schema:${hashOf(LONG)}`, byText);
    known.keep(B, other);
    expect([byId, byText, other].map((document) => known.mayCompile(document))).toEqual([true, true, false]);
    expect(known.find(A)).toBe(byId);
    await expect(known.asStore().get('schema:long')).resolves.toBe(byText);
  });

  it('are ours, letter for letter', () => {
    const known = own();
    expect([A, LONG, B, `${A} `, `${LONG} `].map((text) => known.isOurs(text))).toEqual([
      true,
      true,
      false,
      false,
      false,
    ]);
  });

  it('stay, however many others come', async () => {
    const known = own();
    const document = parse(A);
    await known.asStore().set('schema:a', document);
    for (const text of ['{ b }', '{ c }', '{ d }', '{ e }', '{ f }']) known.keep(text, parse(text));
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
      { length: 20, longest: 10 },
    );

  it('are known by their hash, beside those of the web app', () => {
    const known = registering(B);
    expect([known.textOf(hashOf(B)), known.textOf('a'), known.textOf(hashOf(C))]).toEqual([B, A, undefined]);
    expect([B, C].map((text) => known.isOurs(text))).toEqual([true, false]);
  });

  it('are known by their hash where the web app has the same', () => {
    expect(registering(A).textOf(hashOf(A))).toBe(A);
  });

  it('stay, and are not compiled', () => {
    const known = registering(B);
    const document = parse(B);
    known.keep(B, document);
    for (const text of ['{ b }', '{ c }', '{ d }', '{ e }', '{ f }']) known.keep(text, parse(text));
    expect(known.find(B)).toBe(document);
    expect(known.mayCompile(document)).toBe(false);
  });
});
