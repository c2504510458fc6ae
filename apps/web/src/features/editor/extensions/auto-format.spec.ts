/**
 * jsdom, because its parser follows the standard for hostile HTML: happy-dom's knows no rules for foreign elements.
 *
 * @jest-environment jsdom
 */
import { beforeEach, describe, expect, it } from '@jest/globals';
import { NodeSelection, TextSelection } from '@remirror/pm/state';
import { newTypingEditor } from '../../../testing/typing';

const editor = newTypingEditor();
const { view } = editor;
beforeEach(() => editor.open());

const code = (text: string): string => `<code spellcheck="false">${text}</code>`;
const math = (source: string): string => `<code class="nimo-math">${source}</code>`;
const link = (href: string, words = href): string =>
  `<a href="${href}" rel="noopener noreferrer nofollow" data-link-auto="">${words}</a>`;
const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

const PLAIN = [
  '3*4*5 = 60', 'x**2 + y**2 = z**2', '_under_ and __init__', '~~gone~~', 'from ~20 to ~30 minutes', '1947. India became independent', '- 5 is minus five',
  '1. 5', '+ a', '* a', '# a', '> a', '---', '___ ', 'new Scanner(System.in) ', 'arr.at(-1) ', 'Node.js ', 'a@example.org ', 'export PATH=$PATH:$HOME/bin ',
  '$5+$6=$11 ', '$sum=$a+$b; swap($a,$b) ', 'US$5 or CA$ ', '$5 and $6 ', 'kill $$ && echo $$ ', '$$ && echo $$ ', '$5-$6, 10$ to 20$ ', '$PATH and $HOME. US$ 5 ', 'Make $$$ fast $$$ too ', '$n$theorem ', 'a`b`c ', 'x=`date` ', 'a ``` ` ', '`` `', '[a](b)',
  '```hello world', '```int x = 5; ', '```SELECT * FROM t;', '```constructor ',
]; // oxfmt-ignore

describe('typed text', () => {
  it.each(PLAIN)('stays %j', (text) => {
    editor.type(text);
    expect(editor.html()).toBe(`<p>${escaped(text)}</p>`);
  });

  it.each([
    ['a `x*y` b', `<p>a ${code('x*y')} b</p>`],
    ['(`f(x)`)', `<p>(${code('f(x)')})</p>`],
    ['By $x^2$, and', `<p>By ${math('x^2')}, and</p>`],
    ['the $n$th and $k$s ', `<p>the ${math('n')}th and ${math('k')}s </p>`],
    ['the $n$th\nmore', `<p>the ${math('n')}th</p><p>more</p>`],
    ['求$x^2$的值', `<p>求${math('x^2')}的值</p>`],
    ['$5, or $x=5$ ', `<p>$5, or ${math('x=5')} </p>`],
    ['$$\\frac12$$ and more', '<pre class="nimo-math">\\frac12</pre><p> and more</p>'],
    ['$$x$$\nmore', '<pre class="nimo-math">x</pre><p>more</p>'],
    ['$$x$$\n\nmore', '<pre class="nimo-math">x</pre><p></p><p>more</p>'],
    ['$x$\nmore', `<p>${math('x')}</p><p>more</p>`],
    ['- one\ntwo', '<ul><li><p>one</p></li><li><p>two</p></li></ul>'],
    ['- one\n- two\n\nthree', '<ul><li><p>one</p></li><li><p>two</p></li></ul><p>three</p>'],
    ['1. one\n2. two', '<ol><li><p>one</p></li><li><p>two</p></li></ol>'],
    ['1. one\n\n1. two', '<ol><li><p>one</p></li></ol><p>1. two</p>'],
    ['1. one\n1947. two', '<ol><li><p>one</p></li><li><p>1947. two</p></li></ol>'],
    ['```python\nprint(1)', '<pre><code class="language-python">print(1)</code></pre>'],
    ['```js let a;\n*b*', '<pre><code class="language-javascript">let a;\n*b*</code></pre>'],
    ['```hello\nworld', '<pre><code class="language-hello">world</code></pre>'],
    ['```C++ int x;', '<pre><code class="language-cpp">int x;</code></pre>'],
    ['```\na\n\nb\n```\nc', '<pre><code>a\n\nb</code></pre><p>c</p>'],
    ['see https://example.org/a now', `<p>see ${link('https://example.org/a')} now</p>`],
    ['www.example.org\nnow', `<p>${link('https://www.example.org', 'www.example.org')}</p><p>now</p>`],
    [
      '(see https://en.wikipedia.org/wiki/Prime_number). ',
      `<p>(see ${link('https://en.wikipedia.org/wiki/Prime_number')}). </p>`,
    ],
    [
      'https://en.wikipedia.org/wiki/Function_(mathematics), ',
      `<p>${link('https://en.wikipedia.org/wiki/Function_(mathematics)')}, </p>`,
    ],
  ])('is formatted if unambiguous: %j', (text, html) => {
    editor.type(text);
    expect(editor.html()).toBe(html);
  });

  it('does not renumber the list below', () => {
    const list = '<ol start="4"><li><p>d</p></li></ol>';
    editor.open(`<p></p>${list}`);
    view.dispatch(view.state.tr.setSelection(TextSelection.create(view.state.doc, 1)));
    editor.type('1. x');
    expect(editor.html()).toBe(`<p>1. x</p>${list}`);
  });

  it.each(['`x` y`z` https://example.org $x$ - a', '- a', '**a**'])('stays %j within code', (text) => {
    editor.open('<pre><code>x</code></pre>');
    view.dispatch(view.state.tr.setSelection(TextSelection.create(view.state.doc, 2)));
    editor.type(`${text} `);
    expect(editor.html()).toBe(`<pre><code>x${text} </code></pre>`);
  });

  it('stays bold after code', () => {
    const mark = view.state.schema.marks['bold'];
    if (mark) view.dispatch(view.state.tr.addStoredMark(mark.create()));
    editor.type('all of `this` is');
    expect(editor.html()).toBe(`<p><strong>all of </strong>${code('this')}<strong> is</strong></p>`);
  });

  it('stays code inside a code mark', () => {
    const mark = view.state.schema.marks['code'];
    if (mark) view.dispatch(view.state.tr.addStoredMark(mark.create()));
    const text = 'new Scanner(System.in) https://example.org $x$ *a* ';
    editor.type(text);
    expect(editor.html()).toBe(`<p>${code(text)}</p>`);
  });

  it.each([
    ['`x`', '`x`'],
    ['$x^2$ ', '<span>$</span>x^2<span>$</span> '],
    ['$$x$$', '<span>$$</span>x<span>$$</span>'],
    ['- a', '- a'],
    ['1. a', '1. a'],
    ['```js ', '```js '],
    ['https://example.org ', 'https://example.org '],
  ])('loses the format of %j by Backspace or Ctrl+Z, and typing continues', (text, left) => {
    const takenBack = [['Backspace'], ['z', { ctrlKey: true }]] as const;
    for (const [key, more] of takenBack) {
      editor.open();
      editor.type(`before\n${text}`);
      expect(editor.html()).not.toBe(`<p>before</p><p>${left}</p>`);
      editor.press(key, more);
      expect(editor.html()).toBe(`<p>before</p><p>${left}</p>`);
      editor.type('z');
      expect(editor.html()).toBe(`<p>before</p><p>${left}z</p>`);
    }
  });

  it('becomes a link when the editor loses the focus', () => {
    editor.type('at https://example.org');
    view.dom.dispatchEvent(new FocusEvent('blur'));
    expect(editor.html()).toBe(`<p>at ${link('https://example.org')}</p>`);
  });

  it('updates the target when the text of a link changes', () => {
    editor.type('https://example.org/a ');
    view.dispatch(view.state.tr.insertText('b/', 21));
    expect(editor.html()).toBe(`<p>${link('https://example.org/b/a')} </p>`);
    view.dispatch(view.state.tr.delete(1, 9));
    expect(editor.html()).toBe('<p>example.org/b/a </p>');
  });

  it('updates the target when a link is split', () => {
    editor.type('https://example.org/abc ');
    view.dispatch(view.state.tr.setSelection(TextSelection.create(view.state.doc, 22)));
    editor.press('Enter');
    expect(editor.html()).toBe(`<p>${link('https://example.org/a')}</p><p>bc </p>`);
    editor.press('z', { ctrlKey: true });
    expect(editor.html()).toBe(`<p>${link('https://example.org/abc')} </p>`);
  });

  it('keeps the target of a link whose text is not its URL', () => {
    editor.open('<p><a href="https://example.org">example.org</a> a</p>');
    editor.type('b');
    expect(editor.html()).toContain('href="https://example.org"');
  });
});

describe('the caret', () => {
  const put = (source: string, isBlock: boolean): void => {
    editor.commands.insertFormula(source, isBlock);
  };

  it.each([
    ['in a line', false, `<p>a${math('x')} b</p>`],
    ['on a line of its own', true, '<p>a</p><pre class="nimo-math">x</pre><p> b</p>'],
  ])('is after an inserted formula %s, and the next key is text', (_where, isBlock, html) => {
    editor.type('a');
    put('x', isBlock);
    expect(view.state.selection).toBeInstanceOf(TextSelection);
    editor.type(' b');
    expect(editor.html()).toBe(html);
  });

  it('is after a formula inserted into an empty paragraph, where Enter makes a new line', () => {
    put('x', true);
    editor.type(' and more\nnext');
    expect(editor.html()).toBe('<pre class="nimo-math">x</pre><p> and more</p><p>next</p>');
  });

  it('is after a formula inserted between two others', () => {
    editor.open('<pre class="nimo-math">x</pre><p>a</p><pre class="nimo-math">z</pre>');
    view.dispatch(view.state.tr.setSelection(TextSelection.create(view.state.doc, 3)));
    put('y', true);
    editor.type('b');
    expect(editor.html()).toBe(
      '<pre class="nimo-math">x</pre><p>a</p><pre class="nimo-math">y</pre><p>b</p><pre class="nimo-math">z</pre>',
    );
  });

  it.each([
    ['a formula between double dollar signs', '$$x$$\nmore', '<pre class="nimo-math">x</pre>'],
    ['a fence', '```\nx\n```\nmore', '<pre><code>x</code></pre>'],
  ])('is in a new paragraph after %s, not in the next one', (_what, text, block) => {
    editor.open('<p>A</p><p></p><p>B</p>');
    view.dispatch(view.state.tr.setSelection(TextSelection.create(view.state.doc, 4)));
    editor.type(text);
    expect(editor.html()).toBe(`<p>A</p>${block}<p>more</p><p>B</p>`);
  });

  it.each([
    ['<p></p><p>B</p>', '<pre class="nimo-math">x</pre><p>b</p><p>B</p>', 1],
    ['<p>AB</p>', '<p>A</p><pre class="nimo-math">x</pre><p>b</p><p>B</p>', 2],
    ['<p>A</p><p>B</p>', '<p>A</p><pre class="nimo-math">x</pre><p>b</p><p>B</p>', 2],
  ])('is in a new paragraph after a formula inserted into %s', (opened, html, at) => {
    editor.open(opened);
    view.dispatch(view.state.tr.setSelection(TextSelection.create(view.state.doc, at)));
    put('x', true);
    editor.type('b');
    expect(editor.html()).toBe(html);
  });

  it.each([
    [`<p>a${math('x')}c</p>`, `<p>a${math('x')}bc</p>`, 2],
    ['<p>a</p><hr><p>c</p>', '<p>a</p><hr><p>b</p><p>c</p>', 3],
    ['<pre class="nimo-math">x</pre>', '<pre class="nimo-math">x</pre><p>b</p>', 0],
    ['<p>a</p><hr><pre><code>c</code></pre>', '<p>a</p><hr><p>b</p><pre><code>c</code></pre>', 3],
  ])('moves after the selected node in %s, which is kept', (opened, html, at) => {
    editor.open(opened);
    view.dispatch(view.state.tr.setSelection(NodeSelection.create(view.state.doc, at)));
    editor.type('b');
    expect(editor.html()).toBe(html);

    // An input method writes into the DOM at the caret, past `handleTextInput`.
    const composing = newTypingEditor();
    const other = composing.view;
    composing.open(opened);
    other.dispatch(other.state.tr.setSelection(NodeSelection.create(other.state.doc, at)));
    other.dom.dispatchEvent(new CompositionEvent('compositionstart', { bubbles: true }));
    expect(other.state.selection).toBeInstanceOf(TextSelection);
    other.dispatch(other.state.tr.insertText('b'));
    expect(composing.html()).toBe(html);
  });
});

describe('an insertion', () => {
  it.each<[string, () => void]>([
    ['a formula in a line', () => editor.commands.insertFormula('x', false)],
    ['a formula on a line of its own', () => editor.commands.insertFormula('x', true)],
    ['an emoji', () => editor.commands.typeText('😀')],
    ['a link', () => editor.commands.typeLink('https://example.org/a')],
    ['a table', () => editor.commands.insertTable()],
    ['a block of code', () => editor.commands.toggleCodeBlock()],
    ['pasted text', () => editor.paste('pasted')],
    ['pasted Markdown', () => editor.paste('**words** and $$x$$')],
  ])('is a separate undo step, even if typing continues at once: %s', async (_what, insert) => {
    editor.type('before');
    insert();
    await Promise.resolve();
    const inserted = editor.html();
    editor.type('behind');
    const typed = editor.html();
    expect(typed).not.toBe(inserted);
    const shown = [typed, inserted, '<p>before</p>'];
    for (const html of shown.slice(1)) {
      editor.press('z', { ctrlKey: true });
      expect(editor.html()).toBe(html);
    }
    for (const html of shown.slice(0, 2).reverse()) {
      editor.press('y', { ctrlKey: true });
      expect(editor.html()).toBe(html);
    }
  });
});

describe('a selected formula', () => {
  const select = (): void => {
    editor.open(`<p>a${math('x')}</p>`);
    view.dispatch(view.state.tr.setSelection(NodeSelection.create(view.state.doc, 2)));
  };

  it('is followed by the caret once changed', () => {
    select();
    editor.commands.insertFormula('y', false);
    editor.type('b');
    expect(editor.html()).toBe(`<p>a${math('y')}b</p>`);
  });

  it('becomes a block formula', () => {
    select();
    editor.commands.insertFormula('y', true);
    editor.type('b');
    expect(editor.html()).toBe('<p>a</p><pre class="nimo-math">y</pre><p>b</p>');
  });

  it('is kept when an emoji is inserted', () => {
    select();
    editor.commands.typeText('😀');
    expect(editor.html()).toBe(`<p>a${math('x')}😀</p>`);
  });

  it('is kept when a line break is inserted', () => {
    select();
    editor.press('Enter', { shiftKey: true });
    // A key without Shift, to release it.
    editor.press('b');
    editor.type('b');
    expect(editor.html()).toBe(`<p>a${math('x')}<br>b</p>`);
  });

  it('is kept when a table is inserted', () => {
    select();
    editor.commands.insertTable();
    expect(editor.html()).toContain(`<p>a${math('x')}</p><table>`);
    editor.type('b');
    expect(editor.html()).toContain('<th><p>b</p></th><th><p></p></th>');
  });
});

describe('pasted plain text', () => {
  it.each(PLAIN)('stays %j', (text) => {
    editor.paste(text);
    expect(editor.html()).toBe(`<p>${escaped(text)}</p>`);
  });

  it('keeps its lines, spaces and blank lines', () => {
    editor.paste('a  b\r\n  c\n\nd\n');
    expect(editor.html()).toBe('<p>a  b<br>  c</p><p>d</p>');
  });

  it('formats its code, formulas and links', () => {
    editor.paste('`a*b` and $x^2$ at https://example.org/a_(b).');
    expect(editor.html()).toBe(
      `<p>${code('a*b')} and ${math('x^2')} at ${link('https://example.org/a_(b)')}.</p>`,
    );
  });
});

describe('copied text', () => {
  it.each([
    ['$x^2$', '$$\\frac12$$'],
    ['$a_1 = b$', '$$\na\n+ b\n$$'],
  ])('contains its formulas, which a paste restores: %j, %j', (inline, block) => {
    const source = (written: string): string => written.replaceAll('$', '').trim();
    const html = `<p>By ${math(source(inline))} and</p><pre class="nimo-math">${source(block)}</pre><p>end</p>`;
    editor.open(html);
    const { doc } = view.state;
    const { text } = view.serializeForClipboard(doc.slice(0, doc.content.size));
    expect(text).toBe(`By ${inline} and\n\n${block}\n\nend`);
    editor.open();
    editor.paste(text);
    expect(editor.html()).toBe(html);
  });
});
