import { describe, expect, it } from '@jest/globals';
import { topicSlug } from '@nimo/domain';
import { fc } from '@nimo/testing';
import { foldedWord } from './folding.js';
import { editsAllowed, editsBetween, isRun, wordsAndRuns, wordsInOrder, wordsOf } from './words.js';

const folded = (word: string): string => foldedWord(word).word;

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
    ['Ἀθῆναι', 'αθηναι'],
    ['مَدْرَسَة', 'مدرسة'],
    ['שָׁלוֹם', 'שלום'],
    ['soft\u00adware', 'software'],
    ['\ufeffzero\u200bwidth\u2060', 'zerowidth'],
    ['می\u200cخواهم', 'میخواهم'],
    ['葛\u{e0100}', '葛'],
    ['ｶﾞｽ', 'ガス'],
  ])('folds %s to %s', (text, expected) => {
    expect(folded(text)).toBe(expected);
  });

  it.each([
    ['दान', 'दीन'],
    ['ก่อน', 'กอน'],
    ['が', 'か'],
    ['과정', '과저'],
  ])('keeps %s distinct from %s', (one, other) => {
    expect(folded(one)).not.toBe(folded(other));
    expect(folded(one)).toBe(one);
  });

  it('is idempotent', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        const words = wordsInOrder(text);
        expect(words.flatMap(wordsInOrder).join('')).toBe(words.join(''));
      }),
      { numRuns: 2_000 },
    );
  });

  it.each([
    ['été', '', '_e_ldte_ld'],
    ['Straße', '', '_stra_67e'],
    ['NET', '.', '__1anet'],
    ['plain', '', undefined],
    ['दान', '', undefined],
  ])('encodes the spelling of %s', (word, dot, expected) => {
    expect(foldedWord(word, dot).spelling).toBe(expected);
  });
});

describe('words', () => {
  it('are sequences of letters and digits', () => {
    const words = ['l', 'equation', 'x2', 'y2', 'z2', 'no'];
    expect(wordsInOrder("L'équation: x2+y2 = z2 (¿no?)")).toEqual(words);
    expect(wordsInOrder('½ cup')).toEqual(['12', 'cup']);
    expect(wordsInOrder(' …!? ')).toEqual([]);
  });

  it('are truncated to the maximum length', () => {
    expect(wordsOf('x'.repeat(1_000))).toEqual(['x'.repeat(40)]);
  });

  it('are the same on the fast path for ASCII', () => {
    const text = fc.oneof(
      fc.string({ unit: 'binary-ascii', maxLength: 200 }),
      fc.stringMatching(/^[ -~\n]{0,200}$/),
      fc.stringMatching(/^[a-d1+#. ]{0,30}$/),
    );
    fc.assert(
      fc.property(text, (plain) => {
        const places = [...wordsAndRuns(plain)].flatMap((piece) => (isRun(piece) ? [] : [piece]));
        expect(wordsInOrder(plain)).toEqual(places.map(({ word }) => word));
        expect(wordsOf(plain)).toEqual(
          places.flatMap(({ word, spelling }) => (spelling === undefined ? [word] : [word, spelling])),
        );
      }),
      { numRuns: 1_000 },
    );
  });

  it('carry their range in the text', () => {
    const text = '«Été» – hi\u00adver, 水\u200bの, C++/.NET';
    const places = Array.from(wordsAndRuns(text)).flatMap((piece) => (isRun(piece) ? piece : [piece]));
    expect(places.map(({ start, end }) => text.slice(start, end))).toEqual([
      'Été',
      'hi\u00adver',
      '水\u200b',
      'の',
      'C++',
      '.NET',
    ]);
  });

  it.each([
    ['C++, C#; F#: C/C++ (C++17)', ['c++', 'c#', 'f#', 'c', 'c++', 'c++', '17']],
    ['a+b, 2+2, x + y, i++ # ## page#top A*', ['a', 'b', '2', '2', 'x', 'y', 'i++', 'page', 'top', 'a']],
    ['Ｃ＋＋ Ｃ＃', ['c++', 'c#']],
    ['.NET and ASP.NET', ['net', '__1anet', 'and', 'asp', 'net']],
    ['...and e.g. 1947. .5', ['and', 'e', 'g', '1947', '5']],
  ])('keep meaningful symbols: %s', (text, expected) => {
    expect(wordsOf(text)).toEqual(expected);
    expect(wordsOf(`${text} é`)).toEqual([...expected, 'e', '_e_ld']);
  });

  it('are distinct for topics with distinct slugs', () => {
    const names = ['C', 'C#', 'C++', 'F', 'F#'];
    expect(new Set(names.map(topicSlug)).size).toBe(names.length);
    expect(new Set(names.map((name) => wordsOf(name).join(' '))).size).toBe(names.length);
  });
});

describe('a run of a script without spaces', () => {
  it('is indexed by bigrams, or by trigrams for alphabets', () => {
    expect(wordsOf('DNA复制了')).toEqual(['dna', '复', '复制', '制', '制了', '了']);
    expect(wordsOf('น้ำตา')).toEqual(['น้', 'น้ํา', 'น้ําต', 'ํา', 'ําต', 'ําตา', 'ต', 'ตา', 'า']);
  });
});

describe('typos', () => {
  it.each([
    ['pi', 0],
    ['cat', 1],
    ['chain', 1],
    ['newton', 2],
    ['दान', 0],
    ['विज्ञान', 1],
    ['c++', 0],
  ])('in %s are limited to %i', (word, max) => {
    expect(editsAllowed(word)).toBe(max);
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
  ])('between %s and %s cost %p edits', (one, other, expected) => {
    expect(editsBetween(one, other, 2)).toBe(expected);
    expect(editsBetween(other, one, 2)).toBe(expected);
  });

  const word = fc.stringMatching(/^[abc]{0,8}$/);

  it('match the reference implementation', () => {
    fc.assert(
      fc.property(word, word, fc.integer({ min: 0, max: 2 }), (one, other, max) => {
        const edits = distance(one, other);
        expect(editsBetween(one, other, max)).toBe(edits <= max ? edits : undefined);
      }),
      { numRuns: 2_000 },
    );
  });
});

/** Optimal string alignment distance, by definition. */
function distance(one: string, other: string): number {
  if (one === '' || other === '') return one.length + other.length;
  const isSame = one.at(-1) === other.at(-1);
  const shorter = (text: string, count = 1) => text.slice(0, -count);
  const distances = [
    distance(shorter(one), shorter(other)) + (isSame ? 0 : 1),
    ...(isSame ? [] : [distance(shorter(one), other) + 1, distance(one, shorter(other)) + 1]),
  ];
  if (one.length > 1 && other.length > 1 && one.at(-1) === other.at(-2) && one.at(-2) === other.at(-1))
    distances.push(distance(shorter(one, 2), shorter(other, 2)) + 1);
  return Math.min(...distances);
}
