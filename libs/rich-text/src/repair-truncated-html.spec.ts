import { describe, expect, it } from '@jest/globals';
import { repairTruncatedHtml } from './clean-html.js';
import { sanitiseRichText } from './sanitise.js';

const body = sanitiseRichText(
  '<p>One &amp; two <b>bold</b></p><ul><li><a href="https://example.org/a">three</a></li></ul><pre><code class="language-js">4 &lt; 5</code></pre>',
);

describe('a truncated body', () => {
  it.each(Array.from({ length: body.length }, (_, end) => end))(
    'is well-formed when cut after %i characters',
    (end) => {
      const repaired = repairTruncatedHtml(body.slice(0, end));
      expect(sanitiseRichText(repaired)).toBe(repaired);
      expect(repaired).toContain('…');
      expect(repaired).not.toMatch(/&(?!amp;|lt;|gt;|quot;)/);
    },
  );

  it.each([
    ['<p>a 👨\u200d👩\u200d👧', '<p>a …</p>'],
    ['<p>a 🇮', '<p>a …</p>'],
    ['<p>ab कि', '<p>ab …</p>'],
    ['<p>a 😀<b', '<p>a 😀…</p>'],
  ])('ends between characters: %s', (cut, repaired) => expect(repairTruncatedHtml(cut)).toBe(repaired));

  it('closes open elements', () => {
    expect(repairTruncatedHtml('<p>a <b>b &am')).toBe('<p>a <b>b …</b></p>');
    expect(repairTruncatedHtml('<p>a</p><a href="htt')).toBe('<p>a</p>…');
  });
});
