import { describe, expect, it } from '@jest/globals';
import { plainText, previewForCard, titleForCard } from './truncate';

describe('titleForCard', () => {
  it.each([
    [78, 78],
    [79, 76],
    [200, 76],
  ])('shows a title of %i characters with %i', (length, shown) => {
    expect(titleForCard('x'.repeat(length))).toHaveLength(shown);
  });

  it('cuts to 75 characters and an ellipsis', () => {
    expect(titleForCard('x'.repeat(79))).toBe(`${'x'.repeat(75)}…`);
  });

  it('never cuts a character in two', () => {
    expect(titleForCard('😀'.repeat(79))).toBe(`${'😀'.repeat(75)}…`);
  });
});

describe('previewForCard', () => {
  it.each([
    [100, 'x'.repeat(100)],
    [101, `${'x'.repeat(70)}…`],
  ])('of %i characters', (length, shown) => {
    expect(previewForCard('x'.repeat(length))).toBe(shown);
  });
});

describe('plainText', () => {
  it('keeps the words of two blocks apart', () => {
    expect(plainText('<p>x &lt; <b>y</b></p><ul><li>one</li><li>two</li></ul>')).toBe('x < y one two');
  });

  it.each(['', '<p></p>', '<p> &nbsp; </p><p><br></p>', '<ul><li></li></ul>'])('of %j is nothing', (html) => {
    expect(plainText(html)).toBe('');
  });
});
