import { describe, expect, it } from '@jest/globals';
import { fc } from '@nimo/testing';
import { ExhaustiveSearch } from '../testing/exhaustive-search.js';
import { wordsOf } from '@nimo/projections';
import { searchDocumentsOf } from './space-indexes.js';
import type { DocumentAttributes } from './word-store.js';
import { type DocumentWords, InvertedIndex } from './inverted-index.js';

const ATTRIBUTES = { questionId: 'q', subjectId: null, topicId: null, authorId: 'a', isSolved: false };
const attributesOf = (id: number, more: Partial<DocumentAttributes> = {}): DocumentAttributes => ({
  ...ATTRIBUTES,
  id: String(id),
  createdAt: id,
  answerCount: 0,
  textVersion: 1,
  ...more,
});

function indexOf(documents: readonly DocumentWords[]): InvertedIndex {
  const index = new InvertedIndex();
  documents.forEach((words, id) => {
    index.put(attributesOf(id), () => words);
  });
  return index;
}

const titled = (...titles: string[]) => titles.map((title) => ({ title, body: '', tags: '' }));

const search = (index: InvertedIndex, text: string, more = {}) =>
  searchDocumentsOf(index, { text, sort: 'BEST', count: 10, accepts: () => true, ...more }).ids.map(Number);

// A small alphabet, so that words share prefixes and suffixes, form compounds and resemble each other.
const word = fc.stringMatching(/^[abn]{1,9}$/);
const words = (maxLength: number) => fc.array(word, { maxLength });
const joined = (parts: Iterable<string>): string => [...parts].join(' ');
const text = fc.record({
  title: words(6).map(joined),
  body: words(12).map((body) => joined(new Set(body))),
  tags: words(2).map((tags) => joined(new Set(tags))),
});
const documents = fc.array(text, { maxLength: 60 });
const queries = fc.array(word, { minLength: 1, maxLength: 5 }).map((query) => query.join(' '));

describe('the best documents', () => {
  it('equal those of an exhaustive search', () => {
    fc.assert(
      fc.property(documents, queries, fc.integer({ min: 1, max: 12 }), (library, text, count) => {
        const index = indexOf(library);
        const expected = new ExhaustiveSearch(index, library).find(text).slice(0, count);
        expect(search(index, text, { count })).toEqual(expected.map(({ document }) => document));
      }),
      { numRuns: 500 },
    );
  });

  it('equal those of an exhaustive search, also in scripts without spaces and with accents', () => {
    const written = fc.stringMatching(/^[一二三éeè과정 ]{1,8}$/u);
    const tokens = written.map((input) => wordsOf(input).join(' '));
    const unique = written.map((input) => joined(new Set(wordsOf(input))));
    const shelves = fc.array(fc.record({ title: tokens, body: unique, tags: fc.constant('') }), {
      maxLength: 40,
    });
    fc.assert(
      fc.property(shelves, written, (library, text) => {
        const index = indexOf(library);
        const expected = new ExhaustiveSearch(index, library).find(text).slice(0, 10);
        expect(search(index, text)).toEqual(expected.map(({ document }) => document));
      }),
      { numRuns: 200 },
    );
  });

  it('pass the filter', () => {
    fc.assert(
      fc.property(documents, queries, (library, text) => {
        const index = indexOf(library);
        const even = (document: number) => document % 2 === 0;
        const expected = new ExhaustiveSearch(index, library)
          .find(text)
          .filter(({ document }) => document % 2 === 0);
        expect(search(index, text, { accepts: even })).toEqual(
          expected.slice(0, 10).map(({ document }) => document),
        );
      }),
      { numRuns: 200 },
    );
  });

  it('do not depend on earlier queries', () => {
    fc.assert(
      fc.property(documents, queries, documents, queries, (library, text, other, before) => {
        const index = indexOf(library);
        const fresh = search(index, text);
        search(indexOf(other), before);
        expect(search(index, text)).toEqual(fresh);
      }),
      { numRuns: 200 },
    );
  });
});

describe('results by date', () => {
  it('contain only the documents that match most of the query, newest first', () => {
    const index = indexOf(titled('chain rule proof', 'chain rule', 'the rule', 'chain of thought'));
    expect(search(index, 'chain rule', { sort: 'NEWEST' })).toEqual([1, 0]);
  });

  it('compare matches among accepted documents only', () => {
    const index = indexOf(titled('zebra chain rule', 'zebra chain', 'zebra chain'));
    const accepts = (document: number) => index.idAt(document) !== '0';
    expect(search(index, 'zebra chain rule', { sort: 'NEWEST', accepts })).toEqual([2, 1]);
  });
});

describe('results by answer count', () => {
  it('sort ties by date', () => {
    const index = new InvertedIndex();
    [1, 3, 3].forEach((answerCount, id) => {
      index.put(attributesOf(id, { answerCount }), () => ({ title: 'rule', body: '', tags: '' }));
    });
    expect(search(index, 'rule', { sort: 'MOST_ANSWERED' })).toEqual([2, 1, 0]);
  });
});

describe('inverted index', () => {
  it('drops removed documents and the old words of changed ones', () => {
    const index = indexOf(titled('zebra', 'zebra', 'zebra'));
    index.remove('0');
    index.remove('unknown');
    index.put(attributesOf(1, { textVersion: 2 }), () => ({ title: 'giraffe', body: '', tags: '' }));
    expect(search(index, 'zebra')).toEqual([2]);
    expect(search(index, 'giraffe')).toEqual([1]);
    expect(index.size).toBe(2);
  });

  it('updates attributes without reading the words', () => {
    const index = indexOf(titled('zebra'));
    index.put(attributesOf(0, { isSolved: true }), () => {
      throw new Error('unexpected read of the words');
    });
    expect(index.attributes.solved.at(index.documentOf('0') ?? -1)).toBe(1);
    expect(search(index, 'zebra')).toEqual([0]);
  });

  it('renumbers documents once a quarter is removed', () => {
    const index = indexOf(
      titled(...Array.from({ length: 1_200 }, (_, id) => `zebra ${id % 2 ? 'odd' : 'even'}`)),
    );
    for (let id = 0; id < 300; id += 1) index.remove(String(id));
    expect(index.slotCount).toBe(1_200);
    index.remove('300');
    expect([index.slotCount, index.size]).toEqual([899, 899]);
    expect(search(index, 'even zebra', { sort: 'NEWEST', count: 2 })).toEqual([1_198, 1_196]);
    expect(search(index, 'odd zebra', { sort: 'NEWEST', count: 900 }).at(-1)).toBe(301);
  });

  it('finds the same after changes, removals and compactions as a fresh index', () => {
    const changes = fc.array(
      fc.oneof(
        fc.record({ id: fc.nat(30), words: text }),
        fc.record({ id: fc.nat(30), words: fc.constant(undefined) }),
        fc.constant('compact' as const),
      ),
      { maxLength: 80 },
    );
    fc.assert(
      fc.property(changes, queries, (steps, query) => {
        const changed = new InvertedIndex();
        const expected = new Map<number, { readonly words: DocumentWords; readonly version: number }>();
        steps.forEach((step, version) => {
          if (step === 'compact') return changed.compact();
          const { id, words } = step;
          expected.delete(id);
          if (!words) return changed.remove(String(id));
          expected.set(id, { words, version });
          return changed.put(attributesOf(id, { textVersion: version }), () => words);
        });
        changed.compact();
        const fresh = new InvertedIndex();
        for (const [id, { words, version }] of expected)
          fresh.put(attributesOf(id, { textVersion: version }), () => words);
        const ids = (index: InvertedIndex) =>
          searchDocumentsOf(index, { text: query, sort: 'BEST', count: 40, accepts: () => true }).ids;
        expect(ids(changed)).toEqual(ids(fresh));
      }),
      { numRuns: 300 },
    );
  });
});
