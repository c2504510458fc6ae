import { describe, expect, it } from '@jest/globals';
import { excerptOf } from './excerpt.js';

describe('an excerpt', () => {
  it('is the words of a body on one line', () => {
    expect(excerptOf('<p>Let a &lt; b.</p><ul><li>one</li><li>two</li></ul>')).toBe('Let a < b. one two');
  });

  it.each([
    ['<p>Why is <code class="nimo-math">x^2 &gt; 0</code>?</p>', 'Why is $x^2 > 0$?'],
    ['<p>See</p><pre class="nimo-math">\\frac{1}{2}</pre><p>here</p>', 'See $\\frac{1}{2}$ here'],
    ['<p>Run <code>x^2</code></p>', 'Run x^2'],
  ])('tells the formulas of %s from words', (html, excerpt) => {
    expect(excerptOf(html)).toBe(excerpt);
  });

  it('is cut between characters', () => {
    expect(excerptOf(`<p>${'😀'.repeat(200)}</p>`)).toBe('😀'.repeat(160));
  });
});
