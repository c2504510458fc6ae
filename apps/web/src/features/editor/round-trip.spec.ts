/**
 * jsdom, because its parser follows the standard for hostile HTML: happy-dom's knows no rules for foreign elements.
 *
 * @jest-environment jsdom
 */
import { describe, expect, it } from '@jest/globals';
import { prosemirrorNodeToHtml } from '@remirror/core';
import { createReactManager } from '@remirror/react';
import { storedBody } from '../../../../../test/stored-body';
import { allowedHtml } from './allowed-html';
import { documentOf, richTextExtensions } from './rich-text-extensions';

const manager = createReactManager(richTextExtensions, { stringHandler: documentOf });

function typed(text: string): string {
  const state = manager.createState({ content: '<p></p>' });
  return prosemirrorNodeToHtml(state.tr.insertText(text, 1).doc);
}

/** The text that the page shows. */
function shown(stored: string): string {
  return new DOMParser().parseFromString(stored, 'text/html').body.textContent;
}

const texts = [
  'a', 'a < b > c', '<b>bold</b>', '<script>alert(1)</script>', '</p><p>', '<!-- c -->', '<![CDATA[x]]>', '&', '&amp;',
  '&lt;b&gt;', '&#60;', '&nbsp;', '&copy 2026', 'a && b', 'x &y; z', '"quoted"', "it's", '`code`', '``` fence', '# no heading',
  '- no item', '1. no item', '> no quote', '* star *', '**two**', '_under_', '__init__', 'snake_case_name', '~~gone~~', '$5 and $6',
  '$x^2$', '$$x$$', '\\(x\\)', '\\[x\\]', '\\frac{1}{2}', '@[name]', '@name', '#tag', ':smile:', ':-)', '(c) (r) ...', '--> <--',
  'http://a', 'a@b', '[a](b)', '![a](b)', '{{x}}', '${x}', '%s %d', '\\n \\t', 'ünïcödé', 'e\u0301', 'é', 'ﬁ', '你好', 'שלום', 'مرحبا',
  '👩‍👩‍👧', '🇮🇳', 'a\u00a0b', 'a\u2009b', 'a\u200bb', 'می\u200cخواهم', 'ﷺ', 'x²₃', '½', '−1', '…', '„so“', "'; DROP TABLE x;--",
] as const; // oxfmt-ignore
const places = [
  (text: string) => text,
  (text: string) => `before ${text} after`,
  (text: string) => `two  spaces  ${text}  here `,
];
const cases = texts.flatMap((text) => places.map((place) => place(text)));

describe('typed text', () => {
  it('covers more than two hundred cases', () => {
    expect(new Set(cases).size).toBeGreaterThan(200);
  });

  it.each(cases)('is stored, shown and reopened verbatim: %j', (text) => {
    const stored = storedBody(typed(text));
    expect(shown(stored)).toBe(text);
    const reopened = manager.createState({ content: allowedHtml(stored) }).doc;
    expect(reopened.textContent).toBe(text);
    expect(storedBody(prosemirrorNodeToHtml(reopened))).toBe(stored);
  });
});
