import { describe, expect, it } from '@jest/globals';
import { splitMarkup } from '../../components/rich-text/split-markup';
import { bodyToText } from './body-to-text';

describe('bodyToText', () => {
  it.each([
    ['<p>one</p><ul><li>two</li><li>three</li></ul>', 'one\n- two\n- three'],
    [
      '<ol start="3"><li><p>one</p><p>more</p><ul><li><p>two</p></li></ul></li><li><p>three</p></li></ol>',
      '3. one\n   more\n   - two\n4. three',
    ],
    [
      '<table><tbody><tr><th><p>a</p></th><th><p>b<br>c</p></th></tr><tr><td><p>1</p><p>2</p></td><td><p><code class="nimo-math">x</code></p></td></tr></tbody></table><p>more</p>',
      'a | b c\n1 2 | $x$\nmore',
    ],
    ['<p>one<br><br>  two</p>\n<p></p><p>three\n  four</p>', 'one\n\n  two\n\nthree four'],
    [
      '<ul><li><p>one</p><pre><code>a\n\n  b</code></pre><p>two</p></li></ul>',
      '- one\n```\na\n\n  b\n```\n  two',
    ],
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
  ])('keeps the lines of %j, and marks code and formulas', (html, text) => {
    expect(bodyToText(html)).toBe(text);
  });

  const math = (source: string) => `<code class="nimo-math">${source}</code>`;
  it.each([
    [math('Na^+'), ['Na^+{}']],
    [math('5 m'), ['5 m{}']],
    [math('ab_cd'), ['ab_cd{}']],
    [math('a='), ['a={}']],
    [`2${math('x')} and ${math('x')}${math('y')} of ${math('n')}th`, ['x', 'x', 'y', 'n']],
    [`${math('x')}, 2${math('x')} and x${math('x')}`, ['x', 'x', 'x']],
    ['<code>x</code>, a<code>x</code>', ['x', 'x']],
    ['so <code>`${x}`</code>, <code>a`b</code>', ['`${x}`', 'a`b']],
    ['<code>int</code>s in x=<code>5</code>', ['int', '5']],
    ['<pre><code>```\nx\n```</code></pre>', ['```\nx\n```']],
    ['<table><tr><td><pre><code>x\ny</code></pre></td><td>b</td></tr></table>', ['x y']],
  ])('writes %j so that code and formulas can be parsed again', (html, found) => {
    const pieces = splitMarkup(bodyToText(html)).filter(({ kind }) => kind !== 'text');
    expect(
      pieces.map((piece) => (piece.kind === 'formula' ? piece.source : piece.kind === 'code' && piece.text)),
    ).toEqual(found);
  });
});
