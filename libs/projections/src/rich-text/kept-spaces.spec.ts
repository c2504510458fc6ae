import { describe, expect, it } from '@jest/globals';
import { HOSTILE_HTML } from '../../../../test/hostile-html.js';
import { withSpaces } from './kept-spaces.js';
import { sanitiseRichText } from './sanitise.js';

const kept = (spaces: string): string => `<span class="nimo-spaces">${spaces}</span>`;

describe('runs of spaces in a body', () => {
  it.each([
    ['<p>x  = 1</p><p>yy = 2</p>', `<p>x${kept('  ')}= 1</p><p>yy = 2</p>`],
    ['<p>   indented</p>', `<p>${kept('   ')}indented</p>`],
    ['<p>a <b>  b  </b> c</p>', `<p>a <b>${kept('  ')}b${kept('  ')}</b> c</p>`],
    ['<p><code>a  b</code></p>', `<p><code>a${kept('  ')}b</code></p>`],
    ['<pre><code>a  b</code></pre>', '<pre><code>a  b</code></pre>'],
    ['<ul>\n    <li>one\n    two</li>\n    </ul>', '<ul>\n    <li>one\n    two</li>\n    </ul>'],
  ])('of %j are kept', (html, expected) => expect(withSpaces(html)).toBe(expected));

  it.each(HOSTILE_HTML)('get nothing but their elements in a body of %s', (_shape, make) => {
    const html = sanitiseRichText(make(64_000));
    expect(withSpaces(html).replace(/<span class="nimo-spaces">( +)<\/span>/g, '$1')).toBe(html);
  });
});
