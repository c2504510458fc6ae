import { describe, expect, it } from '@jest/globals';
import { fc } from '@nimo/testing';
import { excerptAround, highlighted, type Marks } from './highlight.js';
import type { TextPart } from './search-engine.js';
import { wordsInOrder } from '@nimo/projections';

const shown = (parts: readonly TextPart[]) =>
  parts.map(({ text, isMatch }) => (isMatch ? `[${text}]` : text)).join('');
const plain = (parts: readonly TextPart[]) => parts.map(({ text }) => text).join('');
const is = (...words: string[]): Marks => ({ isMatch: (word) => words.includes(word), runs: [] });
const runs = (...words: string[]): Marks => ({ isMatch: () => false, runs: words.map((word) => [...word]) });

describe('highlighting', () => {
  it.each([
    ['Été à Paris', is('ete'), '[Été] à Paris'],
    ['rule, rule', is('rule'), '[rule], [rule]'],
    ['<b>rule</b>', is('rule'), '<b>[rule]</b>'],
    ['rule', is('law'), 'rule'],
    ['', is('rule'), ''],
    ['soft\u00adware', is('software'), '[soft\u00adware]'],
    ['C, C++ and C#', is('c++'), 'C, [C++] and C#'],
    ['光合作用的过程', runs('过程'), '光合作用的[过程]'],
    ['光合作用的过程', runs('作用', '的'), '光合[作用的]过程'],
    ['광합성의 광합성', runs('광합성의', '광합성'), '[광합성의] [광합성]'],
    ['過程、過\u200b程', runs('過程'), '[過程]、[過\u200b程]'],
  ])('marks matches in %s', (text, marks, expected) => {
    expect(shown(highlighted(text, marks))).toBe(expected);
  });

  it('preserves the text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        const [first = ''] = wordsInOrder(text);
        expect(plain(highlighted(text, { ...is(first), runs: [[first]] }))).toBe(text);
      }),
    );
  });
});

describe('an excerpt', () => {
  const long = `${'before '.repeat(50)}match ${'after '.repeat(50)}`;

  it('of a short text is the whole text', () => {
    expect(shown(excerptAround('A short match', is('match')))).toBe('A short [match]');
  });

  it('is cut around the first match, at word boundaries', () => {
    const excerpt = shown(excerptAround(long, is('match')));
    expect(excerpt).toMatch(/^…(before )+\[match\]( after)+…$/);
    expect(excerpt.length).toBeLessThan(190);
  });

  it('starts at the beginning without a match', () => {
    expect(shown(excerptAround(long, is('nothing')))).toMatch(/^before .*…$/);
  });

  it('is cut around the first match in text without spaces', () => {
    const excerpt = shown(
      excerptAround(`${'光合作用'.repeat(50)}过程${'光合作用'.repeat(50)}`, runs('过程')),
    );
    expect(excerpt).toMatch(/^…[光合作用]{50}\[过程\][光合作用]{128}…$/);
  });

  it('has no trailing ellipsis at the end of the text', () => {
    expect(shown(excerptAround(`${'before '.repeat(50)}match`, is('match')))).toMatch(/^….*\[match\]$/);
  });

  it('cuts an overlong word, but never splits a character', () => {
    for (const start of ['', 'a']) {
      const excerpt = plain(excerptAround(start + '𝕬'.repeat(500), is('nothing')));
      expect(excerpt).toMatch(/^a?(𝕬)+…$/u);
    }
  });

  it.each([
    ['its end', `match ${'after '.repeat(26)}`, /^\[match\] (after )+F…$/],
    ['its beginning', `${'before '.repeat(50)}F match`, /^…F \[match\]$/],
  ])('does not cut through a formula at %s', (_, written, expected) => {
    const formula = `\u2063$\\frac{${'x + '.repeat(20)}y}{2}$\u2063`;
    const text = `${written.replace('F', formula)}${written.includes('F') ? '' : `${formula} and on`}`;
    expect(shown(excerptAround(text, is('match'))).replace(formula, 'F')).toMatch(expected);
  });
});
