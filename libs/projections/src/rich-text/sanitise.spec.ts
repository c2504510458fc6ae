import { describe, expect, it } from '@jest/globals';
import { fc } from '../../../../test/fast-check.js';
import { plainTextOf } from '../excerpt.js';
import { sanitiseRichText } from './sanitise.js';

const PICTURE = '/media/12345678-1234-1234-1234-123456789abc.webp';

describe('sanitiseRichText', () => {
  it.each([
    ['a script', '<p>a<script>alert(1)</script></p>', '<p>a</p>'],
    ['a handler', '<p onclick="alert(1)">a</p>', '<p>a</p>'],
    ['a style', '<p style="position:fixed">a</p>', '<p>a</p>'],
    ['a style element', '<style>*{display:none}</style>a', 'a'],
    ['an svg', '<svg onload="alert(1)"><p>a</p></svg>', '<p>a</p>'],
    [
      'a foreign class',
      '<span class="mantine-Modal-root nimo-color-red">a</span>',
      '<span class="nimo-color-red">a</span>',
    ],
    ['a frame', '<iframe src="https://example.org"></iframe>', ''],
    ['a form', '<form action="/x"><input name="password">a</form>', 'a'],
    ['a comment', '<!--[if IE]><script>1</script><![endif]-->a', 'a'],
  ])('removes %s', (_name, html, expected) => {
    expect(sanitiseRichText(html)).toBe(expected);
  });

  it.each([
    'javascript:alert(1)',
    'JaVaScRiPt:alert(1)',
    ' javascript:alert(1)',
    'java\tscript:alert(1)',
    '&#106;avascript:alert(1)',
    'data:text/html,<script>alert(1)</script>',
    'vbscript:x',
    '//evil.example',
  ])('leaves no address in a link to %s', (href) => {
    expect(sanitiseRichText(`<a href="${href}">a</a>`)).not.toContain('href');
  });

  it('keeps what the editor writes', () => {
    const html =
      '<h2 class="nimo-align-center">T</h2><p class="nimo-align-justify"><strong>a</strong> <span class="nimo-font-mono nimo-size-large nimo-color-teal">b</span></p>' +
      '<pre><code class="language-ts">x &lt; 1</code></pre><ol start="3"><li>c</li></ol><blockquote>d</blockquote>';
    expect(sanitiseRichText(html)).toBe(html);
  });

  it.each([
    [
      'a picture in a link is its description there',
      '<a href="https://example.org/large"><img src="https://example.org/a.png" alt="a map"></a>',
      '<span>a map</span>',
    ],
    [
      'a link in a link is its text there',
      '<a href="https://example.org/large">see <a href="https://example.org/b">b</a></a>',
      'see <span>b</span>',
    ],
  ])('%s', (_name, html, inside) => {
    expect(sanitiseRichText(html)).toBe(
      `<a href="https://example.org/large" rel="nofollow ugc noopener noreferrer" target="_blank">${inside}</a>`,
    );
  });

  it('turns a picture elsewhere into a link with its description', () => {
    expect(sanitiseRichText('<img src="https://example.org/a.png" alt="a &lt;b&gt; map">')).toBe(
      '<a href="https://example.org/a.png" rel="nofollow ugc noopener noreferrer" target="_blank">a &lt;b&gt; map</a>',
    );
  });

  it.each([
    [
      'without the right that was given with it, or what else it has',
      `<img title="x" src="${PICTURE}?until=1&amp;signature=a" alt=" a\n<map> " onerror="x()" class="y">`,
      `<img src="${PICTURE}" alt="a &lt;map&gt;" />`,
    ],
    [
      'with the room that it takes',
      `<a href="/x"><img src="${PICTURE}" width="640" height="480"></a>`,
      `<a href="/x" rel="nofollow ugc noopener noreferrer" target="_blank"><img src="${PICTURE}" alt="" width="640" height="480" /></a>`,
    ],
    [
      'without room of nonsense',
      `<img src="${PICTURE}" width="640%" height="-1">`,
      `<img src="${PICTURE}" alt="" />`,
    ],
  ])('keeps a picture of ours %s', (_name, html, expected) => {
    expect(sanitiseRichText(html)).toBe(expected);
  });

  it('keeps a table, and of its cells how far they reach', () => {
    expect(
      sanitiseRichText(
        '<table border="1" onclick="x()"><caption>c</caption><colgroup><col></colgroup><tr><th colspan="2" rowspan="1" style="x">a</th></tr><tr><td colspan="1000">b</td><td rowspan="3">c</td></tr></table>',
      ),
    ).toBe(
      'c<table><tr><th colspan="2">a</th></tr><tr><td>b</td><td rowspan="3">c</td></tr></table>'.replace(
        'c<table>',
        '<table>c',
      ),
    );
  });

  it('survives 10,000 levels and does not keep them', () => {
    const html = sanitiseRichText('<blockquote>'.repeat(10_000) + 'deep' + '</blockquote>'.repeat(10_000));
    expect(html).toContain('deep');
    expect(html.split('<blockquote>').length - 1).toBeLessThanOrEqual(30);
  });

  it('is stable', () => {
    const piece = fc.constantFrom(
      '<p>',
      '</p>',
      '<b>',
      '</i>',
      '<a href="x:y">',
      '<a href="https://e.org?a=1&b=2">',
      '</a>',
      '<',
      '>',
      '&',
      '&amp;',
      '&lt;script&gt;',
      '<img src=x onerror=alert(1)>',
      '"',
      "'",
      'text',
      '<!--',
      '-->',
      '<svg>',
      '<math>',
      '<textarea>',
      '</textarea>',
      '<ol start=9>',
      '\u0000',
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
        const once = sanitiseRichText(pieces.join(''));
        expect(sanitiseRichText(once)).toBe(once);
        expect(once).not.toMatch(/<(?:script|svg|math|img|textarea)|\son\w+=/i);
      }),
    );
  });
});

describe('plainTextOf', () => {
  it('keeps the words and drops the markup', () => {
    expect(plainTextOf(`<p>a<img src="${PICTURE}" alt="b &quot;c&quot; &lt; d" />e</p>`)).toBe(
      'a b "c" < d e',
    );
    expect(plainTextOf('<table><tr><td>a</td><td>b</td></tr></table>')).toBe('a b');
    expect(plainTextOf('<p>x &lt; y &amp;amp; <b>z</b></p><p>next</p>')).toBe('x < y &amp; z next');
  });
});
