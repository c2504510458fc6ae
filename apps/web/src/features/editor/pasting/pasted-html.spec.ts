/**
 * jsdom, because its parser follows the standard for hostile HTML: happy-dom's knows no rules for foreign elements.
 *
 * @jest-environment jsdom
 */
import { beforeEach, describe, expect, it } from '@jest/globals';
import { prosemirrorNodeToHtml } from '@remirror/core';
import { TextSelection } from '@remirror/pm/state';
import { createReactManager } from '@remirror/react';
import katex from 'katex';
import { newTypingEditor } from '../../../testing/typing';
import { pastedHtml } from './pasted-html';
import { looksLikeMarkdown, markdownHtml } from './pasted-markdown';
import { barePastes, drawnFormulas, markdownPastes, pastes } from './pastes.fixtures';
import { richTextExtensions } from '../rich-text-extensions';

/** Body of an empty editor into which the HTML was pasted. */
function body(html: string): string {
  const manager = createReactManager(richTextExtensions, { stringHandler: 'html' });
  return prosemirrorNodeToHtml(manager.createState({ content: html }).doc).replace(/(?<=>)<p><\/p>$/, '');
}

const parsed = (html: string): HTMLElement => new DOMParser().parseFromString(html, 'text/html').body;

describe('pasted HTML', () => {
  it.each(pastes)('converts %s', (_name, clipboard, becomes) => {
    expect(body(pastedHtml(clipboard))).toBe(becomes);
  });

  it('is unchanged if it comes from the editor', () => {
    const own = '<p data-pm-slice="1 1 []">a <code class="nimo-math">x</code></p>';
    expect(pastedHtml(own)).toBe(own);
  });
});

describe('a formula without its TeX source', () => {
  const { body: page } = document.implementation.createHTMLDocument();
  const drawn = (tex: string): string => {
    katex.render(tex, page, { output: 'mathml', strict: 'ignore' });
    page.querySelector('annotation')?.remove();
    page.querySelectorAll('mrow').forEach((it) => it.replaceWith(...it.childNodes));
    return page.innerHTML;
  };

  it.each(drawnFormulas)('renders the same once pasted: %s', (tex) => {
    katex.render(tex, page, { output: 'mathml', strict: 'ignore' });
    page.querySelector('annotation')?.remove();
    expect(drawn(parsed(pastedHtml(page.innerHTML)).textContent)).toBe(drawn(tex));
  });

  it.each([
    ['<mi>f</mi><mo>&#x2061;</mo><mfenced><mi>x</mi><mi>y</mi></mfenced>', 'f\\left(x,y\\right)'],
    ['<mmultiscripts><mi>C</mi><mprescripts/><mn>6</mn><mn>14</mn></mmultiscripts>', '{}_6^{14}C'],
    ['<mi>𝑥</mi><mo>∈</mo><mi>ℝ</mi>', 'x\\in\\mathbb{R}'],
    ['<mn>1,5</mn><mo>·</mo><mi mathvariant="normal">Ω</mi>', '1{,}5\\cdot\\Omega'],
    [
      '<mtable><mtr><mtd><mi>a</mi></mtd></mtr><mtr><mtd><mo>[</mo></mtd></mtr></mtable>',
      '\\begin{matrix}a \\\\ {}[\\end{matrix}',
    ],
    ['<mtext>50 % of $x_1</mtext>', '\\text{50 \\% of \\$x\\_1}'],
    ['<mlongdiv><mn>3</mn><mtext>by</mtext></mlongdiv>', '3\\text{by}'],
    ['<msub><mi>x</mi><mo>′</mo></msub>', "x_{'}"],
    ['words alone', 'words alone'],
  ])('converts %s to %s', (math, tex) => {
    expect(parsed(pastedHtml(`<math>${math}</math>`)).textContent).toBe(tex);
  });
});

describe('plain text in Markdown', () => {
  it.each(markdownPastes)('converts %s', (_name, text, becomes) => {
    expect(looksLikeMarkdown(text)).toBe(true);
    expect(body(pastedHtml(markdownHtml(text)))).toBe(becomes);
  });

  it.each(barePastes)('does not include %j', (text) => {
    expect(looksLikeMarkdown(text)).toBe(false);
  });

  // The bench figure `inputs` measures the time.
  it.each(['[a](', '$a', '*a', '|a', '\\'])('keeps %j repeated 5,000 times', (part) => {
    const text = part.repeat(5000);
    expect(markdownHtml(text) === `<p>${text}</p>`).toBe(true);
  });

  it('parses lines that consist of markup characters', () => {
    const lines = ['**', '[a](', '`', '$a', '~~', '- ', '`'].map((part) => part.repeat(5000));
    const code = lines.slice(3, -1).join('\n');
    expect(markdownHtml(lines.join('\n')) === `<hr><p>${lines[1]}</p><pre><code>${code}</code></pre>`).toBe(
      true,
    );
  });
});

describe('in the editor', () => {
  const editor = newTypingEditor();
  const { view } = editor;
  beforeEach(() => editor.open());
  const openAt = (html: string, caret: number): void => {
    editor.open(html);
    view.dispatch(view.state.tr.setSelection(TextSelection.create(view.state.doc, caret)));
  };
  const code = (language: string, text: string): string =>
    `<pre><code class="language-${language}">${text}</code></pre>`;

  it.each([
    ['```js\nlet a;\nlet b;```', code('javascript', 'let a;\nlet b;')],
    ['```\nlet a;\n``` and', '<pre><code>let a;</code></pre><p> and</p>'],
    [
      '1. a\n2. b\n4. c',
      '<ol><li><p>a</p></li><li><p>b</p></li></ol><p></p><ol start="4"><li><p>c</p></li></ol>',
    ],
    [
      '- name: Checkout\n  uses: x\n  # comment\n  with:\n    a: b\n- name: Test\n\trun: y',
      '<ul><li><p>name: Checkout<br>uses: x<br># comment<br>with:<br>  a: b</p></li><li><p>name: Test<br>run: y</p></li></ul>',
    ],
    [
      '| a | b |\n|---|---|\n| c',
      '<table><tbody><tr><th><p>a</p></th><th><p>b</p></th></tr><tr><td><p>c</p></td><td><p></p></td></tr></tbody></table>',
    ],
    ['+ cheap\n- slow\n- ugly', '<p>+ cheap<br>- slow<br>- ugly</p>'],
    ['if x:\n\tprint(\t1)', '<p>if x:<br>\tprint(\t1)</p>'],
  ])('keeps the characters and lines of pasted %j', (text, html) => {
    editor.paste(text);
    expect(editor.html()).toBe(html);
    expect(() => view.state.doc.check()).not.toThrow();
  });

  it('turns a dropped fence into code with its language', () => {
    const { $from } = view.state.selection;
    const text = 'a\n\n```py\nx\n\ny\n```\nb';
    const slice = view.someProp('clipboardTextParser', (parse) => parse(text, $from, false, view));
    expect(slice?.content.toJSON()).toMatchObject([
      { type: 'paragraph', content: [{ type: 'text', text: 'a' }] },
      { type: 'codeBlock', attrs: { language: 'python' }, content: [{ type: 'text', text: 'x\n\ny' }] },
      { type: 'paragraph', content: [{ type: 'text', text: 'b' }] },
    ]);
  });

  it('keeps a table inside a table as text', () => {
    openAt('<table><tr><td><p>a</p></td><td><p>b</p></td></tr></table>', 5);
    editor.paste('| c | d |\n|---|---|\n| 1 | 2 |');
    expect(editor.html()).toBe(
      '<table><tbody><tr><td><p>a| c | d |<br>|---|---|<br>| 1 | 2 |</p></td><td><p>b</p></td></tr></tbody></table>',
    );
  });

  it.each([
    ['1. x\n2. y', '<ol><li><p>x</p></li><li><p>y</p></li></ol>'],
    ['## x\n\n## y', '<h2>x</h2><h2>y</h2>'],
    ['```js\nx\ny\n```', code('javascript', 'x\ny')],
  ])('keeps %j as a block inside text', (text, html) => {
    openAt('<p>abcd</p>', 3);
    editor.paste(text);
    expect(editor.html()).toBe(`<p>ab</p>${html}<p>cd</p>`);
  });

  it('keeps code as code in an empty list item', () => {
    openAt('<ul><li><p></p></li></ul>', 3);
    editor.paste('```js\nx\ny\n```');
    expect(editor.html()).toContain(code('javascript', 'x\ny'));
  });

  it('merges text into the text around it', () => {
    openAt('<p>abcd</p>', 3);
    editor.paste('**x** y');
    expect(editor.html()).toBe('<p>ab<strong>x</strong> ycd</p>');
  });
});
