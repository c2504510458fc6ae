import { describe, expect, it } from '@jest/globals';
import { coveringGrams, isRun, wordsAndRuns, wordsOf } from '@nimo/projections';
import { fc } from '@nimo/testing';
import { queryTextWords } from './query-text.js';

describe('query text in a script without spaces', () => {
  const wordsIn = (text: string) => queryTextWords(text).map(({ word }) => word);

  it.each([
    ['光合作用的过程', ['光合作用', '的', '过程']],
    ['王小明', ['王', '小明']],
    ['ひらがな', ['ひらがな']],
    ['光合成の過程', ['光合成', '過程']],
    ['の', ['の']],
    ['การสังเคราะห์ด้วยแสง', ['การ', 'สังเคราะห์', 'ด้วย', 'แสง']],
    ['광합성의 과정', ['광합성의', '과정']],
    ['HTML是什么', ['html', '是', '什么']],
  ])('is split into dictionary words: %s', (text, expected) => {
    expect(wordsIn(text)).toEqual(expected);
  });

  it('finds every substring, even if the dictionary splits it differently', () => {
    const letters = Array.from('光合作用的过程のはカガ과정은สังเกตນໍ້ារស្');
    const text = fc.array(fc.constantFrom(...letters, 'a', ' '), { minLength: 1, maxLength: 30 });
    fc.assert(
      fc.property(text, fc.nat(), fc.nat(8), (all, from, length) => {
        const whole = all.join('');
        const units = Array.from(wordsAndRuns(whole)).flatMap((piece) => (isRun(piece) ? piece : []));
        const start = units[from % Math.max(units.length, 1)]?.start ?? 0;
        const end = units.find((unit) => unit.start >= start + length)?.start ?? whole.length;
        const tokens = new Set(wordsOf(whole));
        for (const { forms } of queryTextWords(whole.slice(start, end)))
          for (const form of forms)
            expect(coveringGrams(form).filter((gram) => !tokens.has(gram))).toEqual([]);
      }),
      { numRuns: 1_000 },
    );
  });
});
