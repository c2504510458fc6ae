import { describe, expect, it } from '@jest/globals';
import { writtenLines } from './written-lines';

describe('writtenLines', () => {
  it.each([
    ['<p>one</p><ul><li>two</li><li>three</li></ul>', 'one\ntwo\nthree'],
    [
      '<p>so <code spellcheck="false">a*b</code> &lt; <code class="nimo-math">x^2</code></p>',
      'so `a*b` < $x^2$',
    ],
    ['<pre class="nimo-math">\\frac12</pre><p>more</p>', '$$\\frac12$$\nmore'],
    [
      '<pre><code class="language-python">if x:\n  print(1)</code></pre><p>more</p>',
      '```python\nif x:\n  print(1)\n```\nmore',
    ],
    ['<pre><code>a\n\nb</code></pre>', '```\na\n\nb\n```'],
  ])('keeps the lines of %j, and the signs of code and formulas', (html, text) => {
    expect(writtenLines(html)).toBe(text);
  });
});
