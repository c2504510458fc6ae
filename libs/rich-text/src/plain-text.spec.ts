import { describe, expect, it } from '@jest/globals';
import { excerptOf, plainTextOf } from './plain-text.js';
import { cleanHtml } from './sanitise.js';

describe('excerptOf', () => {
  it('returns the text of a body on one line', () => {
    expect(excerptOf('<p>Let a &lt; b.</p><ul><li>one</li><li>two</li></ul>')).toBe('Let a < b. one two');
  });

  it.each([
    ['<p>Why is <code class="nimo-math">x^2 &gt; 0</code>?</p>', 'Why is \u2063$x^2 > 0$\u2063?'],
    ['<p>See</p><pre class="nimo-math">\\frac{1}{2}</pre><p>here</p>', 'See \u2063$\\frac{1}{2}$\u2063 here'],
    ['<p>Run <code>x^2</code></p>', 'Run x^2'],
  ])('marks the formulas of %s', (html, excerpt) => {
    expect(excerptOf(html)).toBe(excerpt);
  });

  it.each([
    [
      '<p>Type <span>$</span>x^2<span>$</span>, <code class="nimo-math">y</code></p>',
      'Type $\u2060x^2$\u2060, \u2063$y$\u2063',
    ],
    [
      '<p>Run <code>a $x$</code></p><pre><code>$y$</code></pre>$z$',
      'Run a $\u2060x$\u2060 $\u2060y$\u2060 $z$',
    ],
    ['<pre><code>$x', '$\u2060x'],
    ['<p>$<b>x</b>$, <em>$a</em> or <em>b$</em></p>', '$\u2060x$\u2060, $\u2060a or b$\u2060'],
    ['<p>a $x</p><p>y$ b<span>$$</span>c</p>', 'a $\u2060x y$\u2060 b$\u2060$\u2060c'],
  ])('marks the literal dollar signs of %s', (html, excerpt) => {
    expect(excerptOf(html)).toBe(excerpt);
  });

  it('cuts between characters', () => {
    expect(excerptOf(`<p>${'😀'.repeat(200)}</p>`)).toBe('😀'.repeat(160));
    expect(excerptOf(`<p>${'a'.repeat(157)}👨‍👩‍👧‍👦 on</p>`)).toBe('a'.repeat(157));
    expect(excerptOf(`<p>${'a'.repeat(159)}🇮🇳 on</p>`)).toBe('a'.repeat(159));
    expect(excerptOf(`<p>${'क'.repeat(159)}कि on</p>`)).toBe('क'.repeat(159));
  });

  it('separates cells, blocks and lines of any editor', () => {
    expect(
      excerptOf(
        cleanHtml(
          '<table><tr><td>x</td><td>1</td></tr><tr><td>y</td><td>2</td></tr></table><div>one</div><div>two</div>',
        ),
      ),
    ).toBe('x 1 y 2 one two');
  });

  it.each(['😀', '&amp;'])('ends with whole characters if %s is cut by the scan limit', (last) => {
    for (let length = 3_990; length <= 4_000; length += 1) {
      const markup = '<b></b>'.repeat(length / 7).padEnd(length - 3, 'a');
      const excerpt = excerptOf(`<p>${markup}${last}</p>`);
      expect(excerpt.isWellFormed()).toBe(true);
      expect(excerpt).toMatch(/^a*(?:😀|&)?$/u);
    }
    expect(plainTextOf(`${last}${last}`, last.length + 1)).toBe(last === '😀' ? '😀' : '&');
  });
});
