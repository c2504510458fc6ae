/**
 * jsdom, because its parser follows the standard for hostile HTML: happy-dom's knows no rules for foreign elements.
 *
 * @jest-environment jsdom
 */
import { describe, expect, it } from '@jest/globals';
import { prosemirrorNodeToHtml } from '@remirror/core';
import { createReactManager } from '@remirror/react';
import { linkAddress } from './allowed-html';
import { palette, paletteClass } from './extensions/palette-marks';
import { documentOf, richTextExtensions } from './rich-text-extensions';

function roundTrip(html: string): string {
  const manager = createReactManager(richTextExtensions, { stringHandler: documentOf });
  return prosemirrorNodeToHtml(manager.createState({ content: html }).doc);
}

describe('the document of the rich text editor', () => {
  it.each([
    ['inline marks', '<p><strong>a</strong><em>b</em><u>c</u><s>d</s></p>'],
    ['headings', '<h1>a</h1><h2>b</h2><h3>c</h3>'],
    ['lists', '<ul><li><p>a</p></li></ul><ol start="3"><li><p>b</p></li></ol>'],
    ['a quote', '<blockquote><p>a</p></blockquote>'],
    ['code with its language', '<pre><code class="language-ts">x &lt; 1\n  y</code></pre>'],
    ...palette.font.map(
      (font) => [font, `<p><span class="${paletteClass('font', font)}">a</span></p>`] as const,
    ),
    ...palette.size.map(
      (size) => [size, `<p><span class="${paletteClass('size', size)}">a</span></p>`] as const,
    ),
    ...palette.color.map(
      (color) => [color, `<p><span class="${paletteClass('color', color)}">a</span></p>`] as const,
    ),
    ...palette.align.map((align) => [align, `<p class="${paletteClass('align', align)}">a</p>`] as const),
    ['a formula', '<p>a <code class="nimo-math">x^2 &lt; 3</code> b</p>'],
    ['a formula on its own line', '<p>a</p><pre class="nimo-math">\\int_0^1 x</pre><p>b</p>'],
    [
      'a formula next to code',
      '<pre class="nimo-math">x</pre><pre><code class="language-python">y</code></pre>',
    ],
    [
      'a picture',
      '<p>a <img src="/media/12345678-1234-1234-1234-123456789abc.webp" alt="b" width="9" height="8"> c</p>',
    ],
    [
      'a table',
      '<table><tbody><tr><th colspan="2"><p>a</p></th></tr><tr><td><p>b</p></td><td><ul><li><p>c</p></li></ul></td></tr></tbody></table>',
    ],
    ['an aligned heading', '<h2 class="nimo-align-center">a</h2>'],
  ])('keeps %s', (_name, html) => {
    expect(roundTrip(html)).toContain(html);
  });

  it('keeps font, size and colour of one span', () => {
    const html = roundTrip('<p><span class="nimo-font-mono nimo-size-large nimo-color-teal">a</span></p>');
    for (const name of ['nimo-font-mono', 'nimo-size-large', 'nimo-color-teal']) expect(html).toContain(name);
    expect(roundTrip(html)).toBe(html);
  });

  it('writes no style and no foreign class', () => {
    const html = roundTrip(
      '<p style="color:red"><span class="evil nimo-color-mauve" style="font-size:90px">a</span></p>',
    );
    expect(html).not.toMatch(/style=|evil|mauve/);
  });

  it.each([
    '<script>alert(1)</script>',
    '<img src=x onerror=alert(1)>',
    '<iframe src="https://e.org"></iframe>',
  ])('drops %s', (html) => {
    expect(roundTrip(`<p>a</p>${html}`)).not.toMatch(/<script|<img|<iframe|onerror/);
  });

  it.each([
    'javascript:alert(1)',
    'JAVASCRIPT:alert(1)',
    'java\nscript:alert(1)',
    'data:text/html,x',
    '//evil.example',
  ])('keeps the text of a link to %j, not the link', (address) => {
    const html = roundTrip(`<p>a <a href="${address}">b</a></p>`);
    expect(html).not.toMatch(/<a|script|evil/i);
    expect(html).toContain('a b');
  });

  it('starts as an empty paragraph', () => {
    expect(roundTrip('')).toBe('<p></p>');
  });

  it('is idempotent', () => {
    const once = roundTrip(
      '<h2>T</h2><p class="nimo-align-right">a <a href="https://example.org/x">b</a> <code>c</code></p><hr><ul><li>d</li></ul>',
    );
    expect(roundTrip(once)).toBe(once);
  });
});

describe('linkAddress', () => {
  it.each([
    ['example.org', 'https://example.org'],
    ['http://example.org', 'http://example.org'],
    ['mailto:a@example.org', 'mailto:a@example.org'],
    ['  ', ''],
  ])('turns %j into %j', (text, address) => {
    expect(linkAddress(text)).toBe(address);
  });

  it.each(['javascript:alert(1)', 'JavaScript:alert(1)', 'data:text/html,x'])('never keeps %s', (text) => {
    expect(linkAddress(text)).toMatch(/^https:\/\//);
  });
});
