import { describe, expect, it } from '@jest/globals';
import { HOSTILE_HTML } from '../../../../test/hostile-html.js';
import { withDirections } from './directions.js';
import { sanitiseRichText } from './sanitise.js';

describe('directions of a body', () => {
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
  ])('of %s', (html, expected) => expect(withDirections(html)).toBe(expected));

  it.each(HOSTILE_HTML)('are all that is added to a body of %s', (_shape, make) => {
    const html = sanitiseRichText(make(64_000));
    expect(withDirections(html).replace(/ dir="(?:auto|ltr)"/g, '')).toBe(html);
  });
});
