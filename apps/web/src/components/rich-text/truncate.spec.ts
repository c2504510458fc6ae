import { describe, expect, it } from '@jest/globals';
import { plainText, previewForCard, titleForCard, titlePartsForCard } from './truncate';

const shownOf = (pieces: ReturnType<typeof titleForCard>) =>
  pieces.map((piece) => (piece.kind === 'text' ? piece.text : `[${piece.source}]`)).join('');

describe('titleForCard', () => {
  it.each([
    [78, 78],
    [79, 76],
    [200, 76],
  ])('shortens a title of %i characters to %i', (length, shown) => {
    expect(shownOf(titleForCard('x'.repeat(length)))).toHaveLength(shown);
  });

  it('cuts to 75 characters and an ellipsis', () => {
    expect(shownOf(titleForCard('x'.repeat(79)))).toBe(`${'x'.repeat(75)}…`);
  });

  it('never splits a surrogate pair', () => {
    expect(shownOf(titleForCard('😀'.repeat(79)))).toBe(`${'😀'.repeat(75)}…`);
  });
});

describe('truncation between graphemes', () => {
  const family = '👨‍👩‍👧‍👦';

  it.each([
    ['a family after 73 letters', `${'x'.repeat(73)}${family}`, `${'x'.repeat(73)}${family}`],
    ['families', family.repeat(79), `${family.repeat(75)}…`],
    ['flags', '🇮🇳'.repeat(79), `${'🇮🇳'.repeat(75)}…`],
    ['letters with vowel signs', 'कि'.repeat(79), `${'कि'.repeat(75)}…`],
    ['letters with accents of their own', 'e\u0301'.repeat(79), `${'e\u0301'.repeat(75)}…`],
  ])('keep %s whole', (_name, title, shown) => {
    expect(shownOf(titleForCard(title))).toBe(shown);
    const parts = titlePartsForCard([{ text: title.slice(0, 44) }, { text: title.slice(44) }]);
    expect(parts.map(({ text }) => text).join('')).toBe(shown);
  });

  it('also applies to previews', () => {
    expect(shownOf(previewForCard(`${'x'.repeat(69)}${family}${'y'.repeat(31)}`))).toBe(
      `${'x'.repeat(69)}${family}…`,
    );
  });
});

describe('previewForCard', () => {
  it.each([
    [100, 'x'.repeat(100)],
    [101, `${'x'.repeat(70)}…`],
  ])('shortens %i characters', (length, shown) => {
    expect(shownOf(previewForCard('x'.repeat(length)))).toBe(shown);
  });

  it('leaves formulas out of the words', () => {
    expect(shownOf(previewForCard('Why is $e^{i\\pi}=-1$ true for $5?'))).toBe(
      'Why is [e^{i\\pi}=-1] true for $5?',
    );
  });

  it('shows a formula whole or not at all', () => {
    const long = `${'x'.repeat(60)} $\\frac{1}{2}+\\frac{1}{3}$ ${'y'.repeat(50)}`;
    expect(shownOf(previewForCard(long))).toBe(`${'x'.repeat(60)} …`);
  });

  it('leaves out a formula cut by the API', () => {
    const excerpt = `See ${'x'.repeat(40)} $\\frac{${'1'.repeat(108)}`;
    expect(excerpt.length).toBeGreaterThanOrEqual(159);
    expect(shownOf(previewForCard(excerpt.slice(0, 160)))).toBe(`See ${'x'.repeat(40)} `);
  });
});

describe('plainText', () => {
  it('separates the words of two blocks', () => {
    expect(plainText('<p>x &lt; <b>y</b></p><ul><li>one</li><li>two</li></ul>')).toBe('x < y one two');
  });

  it.each(['', '<p></p>', '<p> &nbsp; </p><p><br></p>', '<ul><li></li></ul>'])(
    'returns nothing for %j',
    (html) => {
      expect(plainText(html)).toBe('');
    },
  );
});
