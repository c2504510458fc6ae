/**
 * jsdom, because its parser follows the standard for hostile HTML: happy-dom's knows no rules for foreign elements.
 *
 * @jest-environment jsdom
 */
import { describe, expect, it } from '@jest/globals';
import { prosemirrorNodeToHtml } from '@remirror/core';
import { createReactManager } from '@remirror/react';
import { pastedHtml } from './pasted-html';
import { looksLikeMarkdown, markdownHtml } from './pasted-markdown';
import { barePastes, markdownPastes, pastes } from './pastes.fixtures';
import { richTextExtensions } from './rich-text-extensions';

/** The body that is sent when this was pasted into an empty editor. */
function body(html: string): string {
  const manager = createReactManager(richTextExtensions, { stringHandler: 'html' });
  return prosemirrorNodeToHtml(manager.createState({ content: html }).doc).replace(/(?<=>)<p><\/p>$/, '');
}

describe('what is pasted', () => {
  it.each(pastes)('%s', (_name, clipboard, becomes) => {
    expect(body(pastedHtml(clipboard))).toBe(becomes);
  });

  it('is left as it is where it comes from the editor', () => {
    const own = '<p data-pm-slice="1 1 []">a <code class="nimo-math">x</code></p>';
    expect(pastedHtml(own)).toBe(own);
  });
});

describe('bare text that is Markdown', () => {
  it.each(markdownPastes)('%s', (_name, text, becomes) => {
    expect(looksLikeMarkdown(text)).toBe(true);
    expect(body(pastedHtml(markdownHtml(text)))).toBe(becomes);
  });

  it.each(barePastes)('is not %j', (text) => {
    expect(looksLikeMarkdown(text)).toBe(false);
  });

  // Bench figure `inputs` measures how long this takes.
  it.each(['[a](', '$a', '*a', '|a', '\\'])('keeps %j that is repeated 5,000 times', (part) => {
    const text = part.repeat(5000);
    expect(markdownHtml(text) === `<p>${text}</p>`).toBe(true);
  });

  it('reads lines of nothing but marks', () => {
    const lines = ['**', '[a](', '`', '$a', '~~', '- '].map((part) => part.repeat(5000));
    const code = lines.slice(3).join('\n');
    expect(markdownHtml(lines.join('\n')) === `<hr><p>${lines[1]}</p><pre><code>${code}</code></pre>`).toBe(
      true,
    );
  });
});
