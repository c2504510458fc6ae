import { describe, expect, it } from '@jest/globals';
import { fc } from '@nimo/testing';
import { plainTextOf } from './plain-text.js';
import { cleanHtml, sanitiseRichText } from './sanitise.js';

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
  ])('removes the URL of a link to %s', (href) => {
    expect(sanitiseRichText(`<a href="${href}">a</a>`)).not.toContain('href');
  });

  it('keeps HTML from the editor', () => {
    const html =
      '<h2 class="nimo-align-center">T</h2><p class="nimo-align-justify"><strong>a</strong> <span class="nimo-font-mono nimo-size-large nimo-color-teal">b</span></p>' +
      '<pre><code class="language-ts">x &lt; 1</code></pre><ol start="3"><li>c</li></ol><blockquote>d</blockquote>';
    expect(sanitiseRichText(html)).toBe(html);
  });

  it.each([
    [
      'replaces a picture in a link with its description',
      '<a href="https://example.org/large"><img src="https://example.org/a.png" alt="a map"></a>',
      '<span>a map</span>',
    ],
    [
      'replaces a nested link with its text',
      '<a href="https://example.org/large">see <a href="https://example.org/b">b</a></a>',
      'see <span>b</span>',
    ],
  ])('%s', (_name, html, inside) => {
    expect(sanitiseRichText(html)).toBe(
      `<a href="https://example.org/large" rel="nofollow ugc noopener noreferrer" target="_blank">${inside}</a>`,
    );
  });

  it('turns an external picture into a link with its description', () => {
    expect(sanitiseRichText('<img src="https://example.org/a.png" alt="a &lt;b&gt; map">')).toBe(
      '<a href="https://example.org/a.png" rel="nofollow ugc noopener noreferrer" target="_blank">a &lt;b&gt; map</a>',
    );
  });

  it.each([
    [
      'without its signature and other attributes',
      `<img title="x" src="${PICTURE}?until=1&amp;signature=a" alt=" a\n<map> " onerror="x()" class="y">`,
      `<img src="${PICTURE}" alt="a &lt;map&gt;" />`,
    ],
    [
      'with its width and height',
      `<a href="/x"><img src="${PICTURE}" width="640" height="480"></a>`,
      `<a href="/x" rel="nofollow ugc noopener noreferrer" target="_blank"><img src="${PICTURE}" alt="" width="640" height="480" /></a>`,
    ],
    [
      'without an invalid width and height',
      `<img src="${PICTURE}" width="640%" height="-1">`,
      `<img src="${PICTURE}" alt="" />`,
    ],
  ])('keeps one of our pictures %s', (_name, html, expected) => {
    expect(sanitiseRichText(html)).toBe(expected);
  });

  it('keeps a table with colspan and rowspan', () => {
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

  it.each([
    ['lines of another editor', '<div>one</div><div>two</div>', '<p>one</p><p>two</p>'],
    ['a wrapper', '<div class="x"><div><p>one</p>\n<p>two</p></div></div>', '<p>one</p>\n<p>two</p>'],
    [
      'text around blocks',
      'one<div>two<ul><li>three</li></ul>four</div>five',
      'one<p>two</p><ul><li>three</li></ul>four<p></p>five',
    ],
    ['empty blocks between words', 'one<div></div><div></div>two', 'one<p></p>two'],
    [
      'blocks in cells',
      '<table><tr><td><div>a</div><div>b</div></td></tr></table>',
      '<table><tr><td><p>a</p><p>b</p></td></tr></table>',
    ],
    ['blocks in a list', '<ul><li><div>a</div><div>b</div></li></ul>', '<ul><li><p>a</p><p>b</p></li></ul>'],
    ['a list of terms', '<dl><dt>term</dt><dd>what it means</dd></dl>', '<p>term</p><p>what it means</p>'],
    ['sections', '<section><h2>a</h2><article>b</article></section>c', '<h2>a</h2><p>b</p>c'],
  ])('separates %s', (_name, html, expected) => {
    expect(sanitiseRichText(html)).toBe(expected);
    expect(sanitiseRichText(expected)).toBe(expected);
  });

  it('keeps empty lines from the editor', () => {
    expect(sanitiseRichText('<p>a</p><p></p><p></p><p>b</p>')).toBe('<p>a</p><p></p><p></p><p>b</p>');
  });

  it.each([
    ['in the text', '<p>\u202egnp\u0007.exe&#x202e;&#7;</p>', '<p>gnp.exe</p>'],
    ['in code', '<pre><code>a\tb\r\nc\u001b[31m</code></pre>', '<pre><code>a\tb\nc[31m</code></pre>'],
    [
      'in a description',
      `<img src="${PICTURE}" alt="a\u2066 map\u0007">`,
      `<img src="${PICTURE}" alt="a map" />`,
    ],
    [
      'in a URL, percent-encoded',
      '<a href="https://e.org/\u202ea">a</a>',
      '<a href="https://e.org/%E2%80%AEa" rel="nofollow ugc noopener noreferrer" target="_blank">a</a>',
    ],
  ])('drops control characters %s', (_name, html, expected) => {
    expect(sanitiseRichText(html)).toBe(expected);
    expect(cleanHtml(html)).toBe(expected);
  });

  it('keeps joiners, variation selectors and soft hyphens', () => {
    const html = '<p>क्\u200dष می\u200cخواهم 👩\u200d🔬 ❤\ufe0f soft\u00adhyphen zero\u200bwidth</p>';
    expect(sanitiseRichText(html)).toBe(html);
  });

  it('cuts a long description between characters', () => {
    const alt = `${'a'.repeat(298)}👩\u200d🔬👩\u200d🔬`;
    expect(sanitiseRichText(`<img src="${PICTURE}" alt="${alt}">`)).toBe(
      `<img src="${PICTURE}" alt="${'a'.repeat(298)}" />`,
    );
  });

  it('flattens 10,000 levels of nesting', () => {
    const html = sanitiseRichText('<blockquote>'.repeat(10_000) + 'deep' + '</blockquote>'.repeat(10_000));
    expect(html).toContain('deep');
    expect(html.split('<blockquote>').length - 1).toBeLessThanOrEqual(30);
  });

  it('is idempotent', () => {
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
      '<div>',
      '</div>',
      '<dd>',
      '<table><tr><td>',
      '\u0000',
      '\u202e',
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
  it('keeps the text and drops the markup', () => {
    expect(plainTextOf(`<p>a<img src="${PICTURE}" alt="b &quot;c&quot; &lt; d" />e</p>`)).toBe(
      'a b "c" < d e',
    );
    expect(plainTextOf('<table><tr><td>a</td><td>b</td></tr></table>')).toBe('a b');
    expect(plainTextOf('<p>x &lt; y &amp;amp; <b>z</b></p><p>next</p>')).toBe('x < y &amp; z next');
  });
});
