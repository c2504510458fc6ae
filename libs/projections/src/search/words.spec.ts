import { describe, expect, it } from '@jest/globals';
import { fc } from '../../../../test/fast-check.js';
import { editsAllowed, editsBetween, folded, wordPlaces, wordsOf } from './words.js';

describe('folding', () => {
  it.each([
    ['Éléments', 'elements'],
    ['FORÊT', 'foret'],
    ['Straße', 'strasse'],
    ['GROẞ', 'gross'],
    ['cœur', 'coeur'],
    ['Łódź', 'lodz'],
    ['ёлка', 'елка'],
    ['niño', 'nino'],
    ['ﬁnal', 'final'],
    ['x²', 'x2'],
    ['𝕬', 'a'],
    ['İzmir', 'izmir'],
  ])('%s is %s', (text, expected) => {
    expect(folded(text)).toBe(expected);
  });

  it('folded once is folded', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        const words = wordsOf(text);
        expect(wordsOf(words.join(' '))).toEqual(words);
      }),
      { numRuns: 2_000 },
    );
  });
});

describe('words', () => {
  it('are runs of letters and digits', () => {
    expect(wordsOf("L'équation: x2+y2 = z2 (¿no?)")).toEqual(['l', 'equation', 'x2', 'y2', 'z2', 'no']);
    expect(wordsOf('½ cup')).toEqual(['12', 'cup']);
    expect(wordsOf(' …!? ')).toEqual([]);
  });

  it('are cut where they are longer than words are', () => {
    expect(wordsOf('x'.repeat(1_000))).toEqual(['x'.repeat(40)]);
  });

  it('are the same in plain texts, which are read in another way', () => {
    const text = fc.oneof(
      fc.string({ unit: 'binary-ascii', maxLength: 200 }),
      fc.stringMatching(/^[ -~\n]{0,200}$/),
    );
    fc.assert(
      fc.property(text, (plain) => {
        expect(wordsOf(plain)).toEqual(Array.from(wordPlaces(plain), ({ word }) => word));
      }),
      { numRuns: 1_000 },
    );
  });

  it('are where they stand in the text', () => {
    const text = '«Été» – hiver';
    expect(Array.from(wordPlaces(text), ({ start, end }) => text.slice(start, end))).toEqual([
      'Été',
      'hiver',
    ]);
  });
});

describe('typing mistakes', () => {
  it.each([
    ['pi', 0],
    ['cat', 1],
    ['chain', 1],
    ['newton', 2],
  ])('of %s: %i at most', (word, most) => {
    expect(editsAllowed(word)).toBe(most);
  });

  it.each([
    ['chain', 'chain', 0],
    ['chain', 'chan', 1],
    ['chain', 'chainn', 1],
    ['chain', 'chian', 1],
    ['chain', 'choin', 1],
    ['chain', 'hcian', 2],
    ['chain', 'train', 2],
    ['ab', 'ba', 1],
    ['', 'ab', 2],
    ['chain', 'plane', undefined],
    ['chain', 'chainsaw', undefined],
  ])('between %s and %s: %p', (one, other, expected) => {
    expect(editsBetween(one, other, 2)).toBe(expected);
    expect(editsBetween(other, one, 2)).toBe(expected);
  });

  const word = fc.stringMatching(/^[abc]{0,8}$/);

  it('are counted as by the whole table of distances', () => {
    fc.assert(
      fc.property(word, word, fc.integer({ min: 0, max: 2 }), (one, other, most) => {
        const edits = distance(one, other);
        expect(editsBetween(one, other, most)).toBe(edits <= most ? edits : undefined);
      }),
      { numRuns: 2_000 },
    );
  });
});

/** By the definition; no letter is edited twice. */
function distance(one: string, other: string): number {
  if (one === '' || other === '') return one.length + other.length;
  const isSame = one.at(-1) === other.at(-1);
  const shorter = (text: string, count = 1) => text.slice(0, -count);
  const ways = [
    distance(shorter(one), shorter(other)) + (isSame ? 0 : 1),
    ...(isSame ? [] : [distance(shorter(one), other) + 1, distance(one, shorter(other)) + 1]),
  ];
  if (one.length > 1 && other.length > 1 && one.at(-1) === other.at(-2) && one.at(-2) === other.at(-1))
    ways.push(distance(shorter(one, 2), shorter(other, 2)) + 1);
  return Math.min(...ways);
}
