const repeated =
  (piece: string) =>
  (length: number): string =>
    piece.repeat(Math.ceil(length / piece.length)).slice(0, length);

/** Bodies of any length that take quadratic time in naive parsers and patterns. */
export const HOSTILE_HTML: readonly (readonly [shape: string, make: (length: number) => string])[] = [
  ['words', repeated('word ')],
  ['nested elements', repeated('<blockquote>')],
  [
    'nested elements, closed in the wrong order',
    (n) => repeated('<b><i>')(n / 2) + repeated('</b></i>')(n / 2),
  ],
  ['unclosed links', repeated('<a href="https://example.org">')],
  ['links in links', (n) => repeated('<a href=x>a')(n / 2) + repeated('</a>')(n / 2)],
  ['attributes', (n) => `<p ${repeated('a=1 ')(n)}>`],
  ['classes', (n) => `<span class="${repeated('nimo-color-red x ')(n)}">a</span>`],
  ['comments in a URL', (n) => `<a href="${repeated('<!---->')(n)}">a</a>`],
  ['half comments in a URL', (n) => `<a href="${repeated('<!--')(n)}">a</a>`],
  ['spaces in a URL', (n) => `<a href="https://e.org/${repeated(' ')(n)}x">a</a>`],
  ['ampersands in a URL', (n) => `<a href="https://e.org/?${repeated('&a=')(n)}">a</a>`],
  ['entities', repeated('&amp;')],
  ['half entities', repeated('&am')],
  ['numeric entities', repeated('&#x26;')],
  ['angle brackets', repeated('<')],
  ['half comments', repeated('<!-')],
  ['comments', repeated('<!-- a -->')],
  ['scripts', repeated('<script>')],
  ['text areas', repeated('<textarea>')],
  ['formulas', repeated('<code class="nimo-math">x^2</code>')],
  ['code', (n) => `<pre><code class="language-html">${repeated('&lt;a&gt; ')(n)}</code></pre>`],
  ['empty elements', repeated('<b></b>')],
  ['cells', repeated('<tr><td>a</td>')],
  ['tables in tables', repeated('<table><tr><td>')],
  ['pictures', repeated('<img src="/media/12345678-1234-1234-1234-123456789abc.webp" alt="a">')],
  ['the description of a picture', (n) => `<img src="/media/x" alt="${repeated('&quot; ')(n)}">`],
  ['half a picture', repeated('<img src="/media/12345678-1234-1234-1234-123456789abc.webp" alt="a&amp;')],
  ['lists', repeated('<ul><li>a</li></ul>')],
  ['spaces', repeated(' \t\n')],
  ['quotes', (n) => `<p title="${repeated("'")(n)}`],
];
