import { createHash } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { CONTROL_CHARACTERS } from '@nimo/domain';
import { fc } from '@nimo/testing';
import { ATTACKS, isInert, shortLabel } from './testing/attacks.js';
import { closingTagsOf, isCleanHtml } from './clean-html.js';
import {
  addressOf,
  addressPattern,
  CELL_SPAN,
  CLASSES,
  FOREIGN_BLOCKS,
  LINK_ATTRIBUTES,
  MAX_DEPTH,
  PICTURE_ADDRESS,
  PICTURE_SIDE,
  RICH_TEXT_VERSION,
  TAGS,
} from './rules.js';
import { cleanHtml, sanitiseRichText } from './sanitise.js';

const KEY = '/media/12345678-1234-1234-1234-123456789abc.webp';
const REL = 'rel="nofollow ugc noopener noreferrer" target="_blank"';

describe('isCleanHtml', () => {
  it.each([
    '',
    'text',
    'a &lt; b &amp; c " \'',
    '<p class="nimo-align-center nimo-align-left">a<br />b</p><hr />',
    '<pre class="nimo-math">x^2</pre><pre><code class="language-c++">x</code></pre>',
    `<a href="https://example.org/a?b=1&amp;c=%20#d" ${REL}>a</a><a ${REL}>b</a><a href="/x" ${REL}>c</a>`,
    '<ol start="3"><li>a</li></ol>',
    `<p>a<img src="${KEY}" alt="a &quot;b&quot; &lt; c &amp; d" />b<img src="${KEY}" alt="" width="640" height="480" /></p>`,
    '<table><tbody><tr><th>a</th><th colspan="2">b</th></tr><tr><td rowspan="2"><p>c</p></td><td colspan="12" rowspan="3"></td></tr></tbody></table>',
  ])('accepts %s', (html) => {
    expect(isCleanHtml(html)).toBe(true);
    expect(sanitiseRichText(html)).toBe(html);
  });

  it.each([
    '<script>',
    '<p onclick="x">a</p>',
    '<p>a',
    'a</p>',
    '<b><i>a</b></i>',
    '<P>a</P>',
    '<p >a</p>',
    'a < b',
    'a > b',
    'a & b',
    '&nbsp;',
    '<!-- a -->',
    'a\u202eb',
    'a\u0007b',
    'a\r\nb',
    `<a href="a\u202eb" ${REL}>a</a>`,
    `<img src="${KEY}" alt="a\u202eb" />`,
    '<div>a</div>',
    '<br>',
    '<img src="/x">',
    '<img src="/x" alt="" />',
    `<img src="https://evil.example${KEY}" alt="" />`,
    `<img src="//evil.example${KEY}" alt="" />`,
    `<img src="/media/../${KEY}" alt="" />`,
    `<img src="${KEY}?until=1" alt="" />`,
    `<img src="${KEY}" />`,
    `<img src="${KEY}" alt="" onerror="x" />`,
    `<img src="${KEY}" alt="a"b" />`,
    `<img src="${KEY}" alt="a & b" />`,
    `<img src="${KEY}" alt="" width="1" />`,
    `<img src="${KEY}" alt="" width="0" height="0" />`,
    '<table style="x"></table>',
    '<td colspan="0">a</td>',
    '<td colspan="100">a</td>',
    '<table><tr><td>a</table>',
    '<span class="evil">a</span>',
    '<b class="nimo-math">a</b>',
    '<a href="/x">a</a>',
    `<a href="//evil.example" ${REL}>a</a>`,
    `<a href="/\\evil.example" ${REL}>a</a>`,
    `<a href="javascript:x" ${REL}>a</a>`,
    `<a href="/a\tb" ${REL}>a</a>`,
    `<a href="/a" href="/b" ${REL}>a</a>`,
    `<a ${REL}><b><a ${REL}>a</a></b></a>`,
    '<b>'.repeat(MAX_DEPTH + 1) + '</b>'.repeat(MAX_DEPTH + 1),
  ])('rejects %s', (html) => {
    expect(isCleanHtml(html)).toBe(false);
    expect(isCleanHtml(cleanHtml(html))).toBe(true);
  });

  it.each(ATTACKS.map(({ text }) => [shortLabel(text), text] as const))(
    'accepts the sanitised form of %s',
    (_name, text) => {
      const html = cleanHtml(text);
      expect([isCleanHtml(html), isInert(html)]).toEqual([true, true]);
      // The sanitiser and the grammar agree: no markup ends up escaped.
      expect(html).not.toMatch(/&lt;\/?(?:p|a|b|li|code|pre|blockquote)(?: \w+="[^"]*")*&gt;$/);
      expect(cleanHtml(html)).toBe(html);
    },
  );

  it('accepts everything that the sanitiser returns', () => {
    const piece = fc.constantFrom(
      ...TAGS.flatMap((tag) => [`<${tag}>`, `</${tag}>`]),
      ...TAGS.map((tag) => `<${tag} class="${(CLASSES[tag] ?? ['x']).slice(0, 2).join(' ')}" id=1>`),
      '<a target=x class="y" href="https://e.org?a=1&b=2">',
      '<a href="a b">',
      '<a href="?x">',
      '<a href="a:b/c">',
      '<img src="HTTP://e.org/<!-- -->" alt="&quot;">',
      '<ol start=9>',
      `<img src="${KEY}?until=1&signature=x" alt='a "b" <3>' width=9 height=8 onerror=x>`,
      `<img alt="" src=${KEY} width=9>`,
      '<td colspan=3 rowspan=0 style=x>',
      '&',
      '"',
      ' ',
      'text',
      '<script>',
      '<svg>',
      ...FOREIGN_BLOCKS.flatMap((tag) => [`<${tag}>`, `</${tag}>`]),
      '\u0000',
      '\u202e',
      '\r',
      '\ud800',
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
        const html = sanitiseRichText(pieces.join(''));
        expect([isCleanHtml(html), isInert(html)]).toEqual([true, true]);
        // Escaped markup would mean that the sanitiser and the grammar disagree.
        expect(html).not.toMatch(/&lt;\/?[a-z]/);
        expect(cleanHtml(html)).toBe(html);
      }),
      { numRuns: 400 },
    );
  });

  it('closes truncated HTML', () => {
    expect(closingTagsOf('<ul><li><b>a</b>')).toBe('</li></ul>');
  });
});

describe('addressOf', () => {
  it.each([
    ['https://example.org/a b', 'https://example.org/a%20b'],
    ['  HTTPS://example.org/"<x>"  ', 'https://example.org/%22%3Cx%3E%22'],
    ['https://exam\nple.org', 'https://example.org'],
    ['mailto:ada@example.org', 'mailto:ada@example.org'],
    ['/question/1#a', '/question/1#a'],
    ['page?x=1&y=2', 'page?x=1&y=2'],
  ])('normalises %j to %s', (given, address) => expect(addressOf(given)).toBe(address));

  it.each([
    '',
    undefined,
    '//evil.example',
    '/\\evil.example',
    '/\t/evil.example',
    '\\\\evil',
    'data:,x',
    'java\nscript:x',
  ])('rejects %j', (given) => expect(addressOf(given)).toBeUndefined());
});

describe('RICH_TEXT_VERSION', () => {
  /** Hash of the rules by version. Only add entries: a new version triggers the rebuild of stored bodies. */
  const KNOWN: Readonly<Record<number, string>> = {
    1: '91e45730ea1e17c2',
    2: 'e8476930130e09aa',
    3: 'bdf01bf96eec1730',
  };

  it('is raised when the rules change', () => {
    const rules = JSON.stringify([
      ...[TAGS, CLASSES, LINK_ATTRIBUTES, MAX_DEPTH, addressPattern('.')],
      ...[PICTURE_ADDRESS, PICTURE_SIDE, CELL_SPAN, FOREIGN_BLOCKS, CONTROL_CHARACTERS],
    ]);
    expect(KNOWN[RICH_TEXT_VERSION]).toBe(createHash('sha256').update(rules).digest('hex').slice(0, 16));
  });
});
