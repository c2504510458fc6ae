import { expect, it } from '@jest/globals';
import { MAX_BODY_BYTES } from '@nimo/domain';
import { isInert } from './testing/attacks.js';
import { fc } from '@nimo/testing';
import { excerptOf, plainTextOf } from './plain-text.js';
import { isCleanHtml, repairTruncatedHtml } from './clean-html.js';
import { withDirections } from './static-page.js';
import { cleanHtml, sanitiseRichText } from './sanitise.js';

const PAIRS: readonly (readonly [string, string])[] = [
  ['<blockquote>', '</blockquote>'],
  ['<ul><li>', '</li></ul>'],
  ['<ol><li><p>', '</p></li></ol>'],
  ['<div>', '</div>'],
  ['<div>a<div>', '</div>b</div>'],
  ['<section><div class="x">', '</div></section>'],
  ['<b>', '</b>'],
  ['<p><i>', '</i></p>'],
  ['<table><tr><td>', '</td></tr></table>'],
  ['<a href="/x">', '</a>'],
  ['<dl><dt>', '</dt></dl>'],
  ['<pre><code>', '</code></pre>'],
];

const nest = (pairs: readonly (readonly [string, string])[], isClosed: boolean): string => {
  let [opened, closed] = ['', ''];
  for (let level = 0; ; level += 1) {
    const [open = '', close = ''] = pairs[level % pairs.length] ?? [];
    const length = opened.length + open.length + 4 + (isClosed ? closed.length + close.length : 0);
    if (length > MAX_BODY_BYTES) return `${opened}deep${isClosed ? closed : ''}`;
    opened += open;
    closed = `${close}${closed}`;
  }
};

it('deeply nested elements become clean HTML and keep their text', () => {
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom(...PAIRS), { minLength: 1, maxLength: 4 }),
      fc.boolean(),
      (pairs, isClosed) => {
        const html = sanitiseRichText(nest(pairs, isClosed));
        expect([isCleanHtml(html), isInert(html)]).toEqual([true, true]);
        expect(cleanHtml(html)).toBe(html);
        expect(plainTextOf(html)).toContain('deep');
        expect(excerptOf(html).length).toBeLessThanOrEqual(160);
        expect(withDirections(html).length).toBeGreaterThanOrEqual(html.length);
        expect(isCleanHtml(repairTruncatedHtml(html.slice(0, html.length / 2)))).toBe(true);
      },
    ),
    { numRuns: 30 },
  );
});
