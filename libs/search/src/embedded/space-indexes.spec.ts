import { describe, expect, it } from '@jest/globals';
import { fc } from '@nimo/testing';
import { ExhaustiveSearch } from '../testing/exhaustive-search.js';
import { wordsOf } from '@nimo/projections';
import { searchDocumentsOf } from './space-indexes.js';
import type { DocumentFacts } from './word-store.js';
import { type DocumentWords, InvertedIndex } from './inverted-index.js';

const FACTS = { questionId: 'q', subjectId: null, topicId: null, authorId: 'a', isSolved: false };
const factsOf = (id: number, more: Partial<DocumentFacts> = {}): DocumentFacts => ({
  ...FACTS,
  id: String(id),
  createdAt: id,
  answerCount: 0,
  textVersion: 1,
  ...more,
});

function indexOf(documents: readonly DocumentWords[]): InvertedIndex {
  const index = new InvertedIndex();
  documents.forEach((words, id) => {
    index.put(factsOf(id), () => words);
  });
  return index;
}

const titled = (...titles: string[]) => titles.map((title) => ({ title, body: '', tags: '' }));

const search = (index: InvertedIndex, text: string, more = {}) =>
  searchDocumentsOf(index, { text, sort: 'BEST', count: 10, accepts: () => true, ...more }).ids.map(Number);

// Few letters, so that words begin with, end with, consist of and resemble each other.
const word = fc.stringMatching(/^[abn]{1,9}$/);
const words = (maxLength: number) => fc.array(word, { maxLength });
const joined = (some: Iterable<string>): string => [...some].join(' ');
const text = fc.record({
  title: words(6).map(joined),
  body: words(12).map((body) => joined(new Set(body))),
  tags: words(2).map((tags) => joined(new Set(tags))),
});
const documents = fc.array(text, { maxLength: 60 });
const queries = fc.array(word, { minLength: 1, maxLength: 5 }).map((query) => query.join(' '));

describe('the best documents', () => {
  it('are those of a look at every document, whatever was passed over', () => {
    fc.assert(
      fc.property(documents, queries, fc.integer({ min: 1, max: 12 }), (library, text, count) => {
        const index = indexOf(library);
        const expected = new ExhaustiveSearch(index, library).find(text).slice(0, count);
        expect(search(index, text, { count })).toEqual(expected.map(({ document }) => document));
      }),
      { numRuns: 500 },
    );
  });

  it('are those of a look at every document, also without spaces and with accents', () => {
    const written = fc.stringMatching(/^[一二三éeè과정 ]{1,8}$/u);
    const tokens = written.map((some) => wordsOf(some).join(' '));
    const unique = written.map((some) => joined(new Set(wordsOf(some))));
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

  it('are those of the accepted ones', () => {
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

  it('do not depend on the queries before', () => {
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

describe('sorted by time', () => {
  it('holds those with the most of the query only, the newest first', () => {
    const index = indexOf(titled('chain rule proof', 'chain rule', 'the rule', 'chain of thought'));
    expect(search(index, 'chain rule', { sort: 'NEWEST' })).toEqual([1, 0]);
  });

  it('holds what an accepted document has at most, however much others have', () => {
    const index = indexOf(titled('zebra chain rule', 'zebra chain', 'zebra chain'));
    const accepts = (document: number) => index.idAt(document) !== '0';
    expect(search(index, 'zebra chain rule', { sort: 'NEWEST', accepts })).toEqual([2, 1]);
  });
});

describe('sorted by answers', () => {
  it('has those alike by time', () => {
    const index = new InvertedIndex();
    [1, 3, 3].forEach((answerCount, id) => {
      index.put(factsOf(id, { answerCount }), () => ({ title: 'rule', body: '', tags: '' }));
    });
    expect(search(index, 'rule', { sort: 'MOST_ANSWERED' })).toEqual([2, 1, 0]);
  });
});

describe('an index', () => {
  it('forgets what is gone and the words that a document had', () => {
    const index = indexOf(titled('zebra', 'zebra', 'zebra'));
    index.remove('0');
    index.remove('unknown');
    index.put(factsOf(1, { textVersion: 2 }), () => ({ title: 'giraffe', body: '', tags: '' }));
    expect(search(index, 'zebra')).toEqual([2]);
    expect(search(index, 'giraffe')).toEqual([1]);
    expect(index.size).toBe(2);
  });

  it('takes new facts without its words', () => {
    const index = indexOf(titled('zebra'));
    index.put(factsOf(0, { isSolved: true }), () => {
      throw new Error('the words are known');
    });
    expect(index.facts.solved.at(index.documentOf('0') ?? -1)).toBe(1);
    expect(search(index, 'zebra')).toEqual([0]);
  });

  it('gives numbers anew once a quarter of its documents is gone', () => {
    const index = indexOf(
      titled(...Array.from({ length: 1_200 }, (_, id) => `zebra ${id % 2 ? 'odd' : 'even'}`)),
    );
    for (let id = 0; id < 300; id += 1) index.remove(String(id));
    expect(index.room).toBe(1_200);
    index.remove('300');
    expect([index.room, index.size]).toEqual([899, 899]);
    expect(search(index, 'even zebra', { sort: 'NEWEST', count: 2 })).toEqual([1_198, 1_196]);
    expect(search(index, 'odd zebra', { sort: 'NEWEST', count: 900 }).at(-1)).toBe(301);
  });

  it('that was changed, thinned out and folded finds as one that was made at once', () => {
    const changes = fc.array(
      fc.oneof(
        fc.record({ id: fc.nat(30), words: text }),
        fc.record({ id: fc.nat(30), words: fc.constant(undefined) }),
        fc.constant('fold' as const),
      ),
      { maxLength: 80 },
    );
    fc.assert(
      fc.property(changes, queries, (steps, query) => {
        const changed = new InvertedIndex();
        const there = new Map<number, { readonly words: DocumentWords; readonly version: number }>();
        steps.forEach((step, version) => {
          if (step === 'fold') return changed.fold();
          const { id, words } = step;
          there.delete(id);
          if (!words) return changed.remove(String(id));
          there.set(id, { words, version });
          return changed.put(factsOf(id, { textVersion: version }), () => words);
        });
        changed.fold();
        const atOnce = new InvertedIndex();
        for (const [id, { words, version }] of there)
          atOnce.put(factsOf(id, { textVersion: version }), () => words);
        const ids = (index: InvertedIndex) =>
          searchDocumentsOf(index, { text: query, sort: 'BEST', count: 40, accepts: () => true }).ids;
        expect(ids(changed)).toEqual(ids(atOnce));
      }),
      { numRuns: 300 },
    );
  });
});
