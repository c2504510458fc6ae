import { describe, expect, it } from '@jest/globals';
import { fc } from '@nimo/testing';
import { editsBetween } from '@nimo/projections';
import { type Alternative, Lexicon } from './lexicon.js';

function lexiconOf(...words: string[]): Lexicon {
  const lexicon = new Lexicon();
  for (const word of words) lexicon.add(word);
  return lexicon;
}

const shown = (lexicon: Lexicon, found: readonly Alternative[]) =>
  found
    .map(({ word, match }) => {
      const how = match.kind === 'typo' ? `typo ${match.edits}` : match.kind;
      return `${lexicon.wordAt(word)}: ${how}`;
    })
    .sort();

describe('a word without typos', () => {
  const lexicon = lexiconOf('rule', 'ruler', 'kettenregel', 'regel', 'regelkettenregel', 'r', 'п', 'пифагор');

  it.each([
    ['rule', true, ['rule: exact', 'ruler: prefix']],
    ['rule', false, ['rule: exact']],
    ['r', true, ['r: exact', 'regel: prefix', 'regelkettenregel: prefix', 'rule: prefix', 'ruler: prefix']],
    ['regel', false, ['kettenregel: compound', 'regel: exact', 'regelkettenregel: compound']],
    ['regel', true, ['kettenregel: compound', 'regel: exact', 'regelkettenregel: prefix']],
    ['gel', false, []],
    ['пиф', true, ['пифагор: prefix']],
    ['unknown', true, []],
  ])('%s, prefixes allowed: %p', (word, allowPrefix, expected) => {
    expect(shown(lexicon, lexicon.asTyped(word, allowPrefix))).toEqual(expected);
  });

  it('matches the same words as a full scan', () => {
    const word = fc.stringMatching(/^[abпф]{1,8}$/);
    fc.assert(
      fc.property(
        fc.uniqueArray(word, { maxLength: 50 }),
        word,
        fc.boolean(),
        (words, typed, allowPrefix) => {
          const kindOf = (other: string) => {
            if (other === typed) return ['exact'];
            if (allowPrefix && other.startsWith(typed)) return ['prefix'];
            return typed.length > 3 && other.endsWith(typed) ? ['compound'] : [];
          };
          const expected = words.flatMap((other) => kindOf(other).map((kind) => `${other}: ${kind}`)).sort();
          const lexicon = lexiconOf(...words);
          expect(shown(lexicon, lexicon.asTyped(typed, allowPrefix))).toEqual(expected);
        },
      ),
    );
  });
});

describe('a word with typos', () => {
  const lexicon = lexiconOf('chain', 'chains', 'train', 'china', 'cat');

  it.each([
    ['chian', 1, ['chain: typo 1', 'china: typo 1']],
    ['chain', 0, []],
    ['chain', 1, ['chains: typo 1']],
    ['chain', 2, ['chains: typo 1', 'china: typo 2', 'train: typo 2']],
  ])('%s, up to %i edits', (word, maxEdits, expected) => {
    expect(shown(lexicon, lexicon.withTypos(word, maxEdits))).toEqual(expected);
  });

  it('matches the same words as a full scan', () => {
    const word = fc.stringMatching(/^[abcп]{1,8}$/);
    fc.assert(
      fc.property(
        fc.uniqueArray(word, { maxLength: 50 }),
        word,
        fc.constantFrom(1, 2),
        (words, typed, maxEdits) => {
          const expected = words
            .flatMap((other) => {
              const edits = editsBetween(typed, other, maxEdits);
              return edits ? [`${other}: typo ${edits}`] : [];
            })
            .sort();
          const lexicon = lexiconOf(...words);
          expect(shown(lexicon, lexicon.withTypos(typed, maxEdits))).toEqual(expected);
        },
      ),
    );
  });
});

it('numbers each word once', () => {
  const lexicon = lexiconOf('rule', 'law', 'rule');
  expect(lexicon.size).toBe(2);
  expect(lexicon.numberOf('law')).toBe(1);
  expect(lexicon.numberOf('chain')).toBeUndefined();
});

it('finds long words, also with a typo', () => {
  const long = 'llanfairpwllgwyngyllgogerychwyrndrobwll';
  const lexicon = lexiconOf(long, 'chain');
  expect(shown(lexicon, lexicon.withTypos(long.replace('gw', 'wg'), 2))).toEqual([`${long}: typo 1`]);
  expect(shown(lexicon, lexicon.withTypos('chian', 1))).toEqual(['chain: typo 1']);
});

it('finds words added after the first lookup', () => {
  const words = Array.from({ length: 2_600 }, (_, position) =>
    (position * 7_919).toString(3).padStart(5, 'x'),
  );
  const lexicon = new Lexicon();
  const known: string[] = [];
  for (const batch of [words.slice(0, 1_200), words.slice(1_200, 1_300), words.slice(1_300)]) {
    for (const word of batch) lexicon.add(word);
    known.push(...new Set(batch));
    for (const typed of ['10', '2101', '0212', 'x', '1201']) {
      const expected = [...new Set(known)].filter(
        (word) => word.startsWith(typed) || (typed.length > 3 && word.endsWith(typed)),
      );
      const found = lexicon.asTyped(typed, true).map(({ word }) => lexicon.wordAt(word));
      expect(found.sort()).toEqual(expected.sort());
    }
  }
});
