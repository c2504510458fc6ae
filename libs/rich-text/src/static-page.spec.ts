import { describe, expect, it } from '@jest/globals';
import { HOSTILE_HTML } from './testing/hostile-html.js';
import { withDirections, withSpaces } from './static-page.js';
import { sanitiseRichText } from './sanitise.js';

describe('withDirections', () => {
  it.each([
    ['<p>one</p><p>ما هو HTML؟</p>', '<p dir="auto">one</p><p dir="auto">ما هو HTML؟</p>'],
    [
      '<h2 class="nimo-align-center">a</h2><ol start="2"><li><p>b</p></li></ol><blockquote><p>c</p></blockquote>',
      '<h2 dir="auto" class="nimo-align-center">a</h2><ol dir="auto" start="2"><li><p>b</p></li></ol><blockquote dir="auto"><p>c</p></blockquote>',
    ],
    [
      '<table><tbody><tr><td>a</td></tr></tbody></table><hr /><p>b</p>',
      '<table dir="auto"><tbody><tr><td>a</td></tr></tbody></table><hr /><p dir="auto">b</p>',
    ],
    [
      '<p><code>printf</code> دالة</p><pre><code class="language-c">x</code></pre>',
      '<p dir="auto"><code dir="ltr">printf</code> دالة</p><pre dir="ltr"><code dir="ltr" class="language-c">x</code></pre>',
    ],
    ['words &lt;p> <b>and</b> more', 'words &lt;p> <b>and</b> more'],
  ])('adds directions to %s', (html, expected) => expect(withDirections(html)).toBe(expected));

  it.each(HOSTILE_HTML)('adds nothing else to a body of %s', (_shape, make) => {
    const html = sanitiseRichText(make(64_000));
    expect(withDirections(html).replace(/ dir="(?:auto|ltr)"/g, '')).toBe(html);
  });
});

const kept = (spaces: string): string => `<span class="nimo-spaces">${spaces}</span>`;

describe('withSpaces', () => {
  it.each([
    ['<p>x  = 1</p><p>yy = 2</p>', `<p>x${kept('  ')}= 1</p><p>yy = 2</p>`],
    ['<p>   indented</p>', `<p>${kept('   ')}indented</p>`],
    ['<p>a <b>  b  </b> c</p>', `<p>a <b>${kept('  ')}b${kept('  ')}</b> c</p>`],
    ['<p><code>a  b</code></p>', `<p><code>a${kept('  ')}b</code></p>`],
    ['<p>if x:<br>\tprint(1)</p>', `<p>if x:<br>${kept('\t')}print(1)</p>`],
    ['<p>\ta\tb \t c</p>', `<p>${kept('\t')}a${kept('\t')}b${kept(' \t ')}c</p>`],
    ['<p> /\\<br> b <b>c</b> d</p>', `<p>${kept(' ')}/\\<br>${kept(' ')}b <b>c</b> d</p>`],
    [
      '<p>a<br>\t<code>b</code>  <b>c</b> <i>d</i></p>',
      `<p>a<br>${kept('\t')}<code>b</code>${kept('  ')}<b>c</b> <i>d</i></p>`,
    ],
    ['<ul>  <li>  <p> </p></li></ul>  <p>b</p>', '<ul>  <li>  <p> </p></li></ul>  <p>b</p>'],
    ['<pre><code>a  b</code></pre>', '<pre><code>a  b</code></pre>'],
    ['<p>\n\tone\n\ttwo</p>', '<p>\n\tone\n\ttwo</p>'],
    ['<ul>\n    <li>one\n    two</li>\n    </ul>', '<ul>\n    <li>one\n    two</li>\n    </ul>'],
  ])('preserves the spaces in %j', (html, expected) => expect(withSpaces(html)).toBe(expected));

  it.each(HOSTILE_HTML)('adds nothing else to a body of %s', (_shape, make) => {
    const html = sanitiseRichText(make(64_000));
    expect(withSpaces(html).replace(/<span class="nimo-spaces">([ \t]+)<\/span>/g, '$1')).toBe(html);
  });
});
