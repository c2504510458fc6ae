import { describe, expect, it } from '@jest/globals';
import { fc } from '../../../../test/fast-check.js';
import { excerptAround, highlighted } from './highlight.js';
import type { TextPart } from './search-engine.js';
import { wordsOf } from './words.js';

const shown = (parts: readonly TextPart[]) =>
  parts.map(({ text, isMatch }) => (isMatch ? `[${text}]` : text)).join('');
const plain = (parts: readonly TextPart[]) => parts.map(({ text }) => text).join('');
const is =
  (...words: string[]) =>
  (word: string) =>
    words.includes(word);

describe('highlighting', () => {
  it.each([
    ['Été à Paris', is('ete'), '[Été] à Paris'],
    ['rule, rule', is('rule'), '[rule], [rule]'],
    ['<b>rule</b>', is('rule'), '<b>[rule]</b>'],
    ['rule', is('law'), 'rule'],
    ['', is('rule'), ''],
  ])('of %s', (text, isMatch, expected) => {
    expect(shown(highlighted(text, isMatch))).toBe(expected);
  });

  it('leaves the text as it is', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        const [first] = wordsOf(text);
        expect(plain(highlighted(text, (word) => word === first))).toBe(text);
      }),
    );
  });
});

describe('an excerpt', () => {
  const long = `${'before '.repeat(50)}match ${'after '.repeat(50)}`;

  it('of a short text is the text', () => {
    expect(shown(excerptAround('A short match', is('match')))).toBe('A short [match]');
  });

  it('is cut around the first match, between words', () => {
    const excerpt = shown(excerptAround(long, is('match')));
    expect(excerpt).toMatch(/^…(before )+\[match\]( after)+…$/);
    expect(excerpt.length).toBeLessThan(190);
  });

  it('without a match is the beginning', () => {
    expect(shown(excerptAround(long, is('nothing')))).toMatch(/^before .*…$/);
  });

  it('to the end of the text has no sign of more', () => {
    expect(shown(excerptAround(`${'before '.repeat(50)}match`, is('match')))).toMatch(/^….*\[match\]$/);
  });

  it('cuts a word that is longer than it, but no letter in two', () => {
    for (const start of ['', 'a']) {
      const excerpt = plain(excerptAround(start + '𝕬'.repeat(500), is('nothing')));
      expect(excerpt).toMatch(/^a?(𝕬)+…$/u);
    }
  });
});
