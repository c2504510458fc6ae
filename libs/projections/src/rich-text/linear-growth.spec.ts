import { describe, expect, it } from '@jest/globals';
import { plainTextOf } from '../excerpt.js';
import { isCleanHtml } from './clean-html.js';
import { mendCutHtml } from './mend-cut-html.js';
import { cleanHtml, sanitiseRichText } from './sanitise.js';

/** A quarter of the longest body, half of it and all of it. */
const QUARTER = 16_000;
const RUNS = 5;
/** Four times as much takes four times as long, and sixteen times where time grows as the square. */
const MAX_GROWTH = 9;
/** Less than this is told by chance, and harms nobody. */
const NOTHING_MICROSECONDS = 3_000;

const repeated =
  (piece: string) =>
  (length: number): string =>
    piece.repeat(Math.ceil(length / piece.length)).slice(0, length);

const SHAPES: readonly [string, (length: number) => string][] = [
  ['words', repeated('word ')],
  ['nested elements', repeated('<blockquote>')],
  [
    'nested elements, closed the wrong way round',
    (n) => repeated('<b><i>')(n / 2) + repeated('</b></i>')(n / 2),
  ],
  ['unclosed links', repeated('<a href="https://example.org">')],
  ['links in links', (n) => repeated('<a href=x>a')(n / 2) + repeated('</a>')(n / 2)],
  ['attributes', (n) => `<p ${repeated('a=1 ')(n)}>`],
  ['classes', (n) => `<span class="${repeated('nimo-color-red x ')(n)}">a</span>`],
  ['comments in an address', (n) => `<a href="${repeated('<!---->')(n)}">a</a>`],
  ['half comments in an address', (n) => `<a href="${repeated('<!--')(n)}">a</a>`],
  ['spaces in an address', (n) => `<a href="https://e.org/${repeated(' ')(n)}x">a</a>`],
  ['ampersands in an address', (n) => `<a href="https://e.org/?${repeated('&a=')(n)}">a</a>`],
  ['entities', repeated('&amp;')],
  ['half entities', repeated('&am')],
  ['numbers of characters', repeated('&#x26;')],
  ['angles', repeated('<')],
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

const WORK: readonly [string, (html: string) => unknown][] = [
  ['sanitising', sanitiseRichText],
  ['storing', cleanHtml],
  ['looking through what is stored', (html) => isCleanHtml(html)],
  ['telling as text', (html) => plainTextOf(html)],
  ['mending', mendCutHtml],
];

/** Of the processor alone: the machine may be busy with something else. */
function leastMicroseconds(work: () => unknown): number {
  const times = Array.from({ length: RUNS }, () => {
    const before = process.cpuUsage();
    work();
    return process.cpuUsage(before).user;
  });
  return Math.min(...times);
}

describe.each(WORK)('%s', (_work, work) => {
  it.each(SHAPES)('takes time as the length of %s grows, and not as its square', (_shape, make) => {
    const [quarter, whole] = [make(QUARTER), make(4 * QUARTER)];
    work(quarter);
    const growth =
      leastMicroseconds(() => work(whole)) /
      Math.max(
        leastMicroseconds(() => work(quarter)),
        NOTHING_MICROSECONDS,
      );
    expect(growth).toBeLessThan(MAX_GROWTH);
  });
});
