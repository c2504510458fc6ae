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

describe('a word as it was typed', () => {
  const lexicon = lexiconOf('rule', 'ruler', 'kettenregel', 'regel', 'regelkettenregel', 'r', 'п', 'пифагор');

  it.each([
    ['rule', true, ['rule: same', 'ruler: beginning']],
    ['rule', false, ['rule: same']],
    [
      'r',
      true,
      ['r: same', 'regel: beginning', 'regelkettenregel: beginning', 'rule: beginning', 'ruler: beginning'],
    ],
    ['regel', false, ['kettenregel: part', 'regel: same', 'regelkettenregel: part']],
    ['regel', true, ['kettenregel: part', 'regel: same', 'regelkettenregel: beginning']],
    ['gel', false, []],
    ['пиф', true, ['пифагор: beginning']],
    ['unknown', true, []],
  ])('%s, beginnings: %p', (word, mayBeBeginning, expected) => {
    expect(shown(lexicon, lexicon.asTyped(word, mayBeBeginning))).toEqual(expected);
  });

  it('is found as by a look at every word', () => {
    const word = fc.stringMatching(/^[abпф]{1,8}$/);
    fc.assert(
      fc.property(
        fc.uniqueArray(word, { maxLength: 50 }),
        word,
        fc.boolean(),
        (words, typed, mayBeBeginning) => {
          const kindOf = (other: string) => {
            if (other === typed) return ['same'];
            if (mayBeBeginning && other.startsWith(typed)) return ['beginning'];
            return typed.length > 3 && other.endsWith(typed) ? ['part'] : [];
          };
          const expected = words.flatMap((other) => kindOf(other).map((kind) => `${other}: ${kind}`)).sort();
          const lexicon = lexiconOf(...words);
          expect(shown(lexicon, lexicon.asTyped(typed, mayBeBeginning))).toEqual(expected);
        },
      ),
    );
  });
});

describe('a mistyped word', () => {
  const lexicon = lexiconOf('chain', 'chains', 'train', 'china', 'cat');

  it.each([
    ['chian', 1, ['chain: typo 1', 'china: typo 1']],
    ['chain', 0, []],
    ['chain', 1, ['chains: typo 1']],
    ['chain', 2, ['chains: typo 1', 'china: typo 2', 'train: typo 2']],
  ])('%s, %i mistakes at most', (word, most, expected) => {
    expect(shown(lexicon, lexicon.mistyped(word, most))).toEqual(expected);
  });

  it('is found as by a comparison with every word', () => {
    const word = fc.stringMatching(/^[abcп]{1,8}$/);
    fc.assert(
      fc.property(
        fc.uniqueArray(word, { maxLength: 50 }),
        word,
        fc.constantFrom(1, 2),
        (words, typed, most) => {
          const expected = words
            .flatMap((other) => {
              const edits = editsBetween(typed, other, most);
              return edits ? [`${other}: typo ${edits}`] : [];
            })
            .sort();
          const lexicon = lexiconOf(...words);
          expect(shown(lexicon, lexicon.mistyped(typed, most))).toEqual(expected);
        },
      ),
    );
  });
});

it('numbers a word once', () => {
  const lexicon = lexiconOf('rule', 'law', 'rule');
  expect(lexicon.size).toBe(2);
  expect(lexicon.numberOf('law')).toBe(1);
  expect(lexicon.numberOf('chain')).toBeUndefined();
});

it('finds a word of whatever length, and in spite of a mistake', () => {
  const long = 'llanfairpwllgwyngyllgogerychwyrndrobwll';
  const lexicon = lexiconOf(long, 'chain');
  expect(shown(lexicon, lexicon.mistyped(long.replace('gw', 'wg'), 2))).toEqual([`${long}: typo 1`]);
  expect(shown(lexicon, lexicon.mistyped('chian', 1))).toEqual(['chain: typo 1']);
});

it('finds among thousands as by a look at every word, also those that came later', () => {
  const words = Array.from({ length: 2_600 }, (_, place) => (place * 7_919).toString(3).padStart(5, 'x'));
  const lexicon = new Lexicon();
  const known: string[] = [];
  for (const some of [words.slice(0, 1_200), words.slice(1_200, 1_300), words.slice(1_300)]) {
    for (const word of some) lexicon.add(word);
    known.push(...new Set(some));
    for (const typed of ['10', '2101', '0212', 'x', '1201']) {
      const expected = [...new Set(known)].filter(
        (word) => word.startsWith(typed) || (typed.length > 3 && word.endsWith(typed)),
      );
      const found = lexicon.asTyped(typed, true).map(({ word }) => lexicon.wordAt(word));
      expect(found.sort()).toEqual(expected.sort());
    }
  }
});
