import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { undo } from '@remirror/pm/history';
import { TextSelection } from '@remirror/pm/state';
import { EditorView } from '@remirror/pm/view';
import { createReactManager } from '@remirror/react';
import { MentionAtomExtension } from 'remirror/extensions';
import { commentExtensions } from './comment-editor';
import { commentText, type CommentNode } from './mention-text';

function newCommentBox() {
  const manager = createReactManager(commentExtensions, { stringHandler: 'html' });
  const state = manager.createState({ content: '<p></p>', selection: 'end' });
  const view = new EditorView(document.body.appendChild(document.createElement('div')), { state });
  manager.addView(view);
  let searched: string | undefined;
  let mention: (person: { id: string; label: string }) => void;
  manager.getExtension(MentionAtomExtension).addHandler('onChange', ({ exitReason, query }, choose) => {
    searched = exitReason ? undefined : query.full;
    mention = choose;
  });
  return {
    view,
    type: (text: string) => {
      for (const letter of text) view.dispatch(view.state.tr.insertText(letter));
    },
    paste: (text: string) => view.pasteText(text),
    /** Pastes HTML together with plain text, like a browser. */
    pasteBoth: (html: string, text: string) => {
      const getData = (type: string) => (type === 'text/html' ? html : text);
      const clipboardData = { getData, files: [], items: [] };
      view.dom.dispatchEvent(
        Object.assign(new Event('paste', { bubbles: true, cancelable: true }), { clipboardData }),
      );
    },
    /** The query of the suggestion list; undefined while it is closed. */
    searched: () => searched,
    choose: (name: string) => mention({ id: name, label: `@${name}` }),
    sent: () => commentText(view.state.doc.toJSON() as CommentNode),
  };
}

let box: ReturnType<typeof newCommentBox>;
beforeEach(() => {
  box = newCommentBox();
});
afterEach(() => box.view.destroy());

describe('mention suggestions', () => {
  it.each([
    ['@asha', 'asha'],
    ['so @asha', 'asha'],
    ['(@asha', 'asha'],
    ['"@asha', 'asha'],
    ['[@', ''],
    ['/@', ''],
    ['–@a', 'a'],
    ['@प्रि', 'प्रि'],
    ['@Émi', 'Émi'],
    ['@E\u0301mi', 'E\u0301mi'],
    ['@小', '小'],
    ['@Ольга_1', 'Ольга_1'],
    ['@مريم', 'مريم'],
    ['谢谢@小明', '小明'],
  ])('open after %j', (text, searched) => {
    box.type(text);
    expect(box.searched()).toBe(searched);
  });

  it.each(['a@asha', '1@asha', 'é@asha', 'प्रि@asha', '@asha ', '@[0', '@asha)'])(
    'stay closed after %j',
    (text) => {
      box.type(text);
      expect(box.searched()).toBeUndefined();
    },
  );
});

describe('a mention', () => {
  it('inserts no extra characters', () => {
    box.type('(cc @ash');
    box.choose('asha');
    box.type(') ok');
    expect(box.sent()).toBe('(cc @[asha]) ok');
  });
});

describe('a mention followed directly by text', () => {
  it('is undone separately', () => {
    box.type('@me');
    box.choose('meera');
    box.type(' and');
    undo(box.view.state, box.view.dispatch);
    expect(box.sent()).toBe('@[meera]');
    undo(box.view.state, box.view.dispatch);
    expect(box.sent()).not.toContain('meera');
  });
});

describe('a comment', () => {
  it.each([
    '3*4*5 and x**2',
    'PHP: $sum=$a+$b; swap($a,$b)',
    '`x` and $$y$$',
    '- a',
    '1947. b',
    '# c',
    'arr @[0]',
  ])('is sent verbatim: %j', (text) => {
    box.type(text);
    expect(box.sent()).toBe(text);
  });

  it('keeps lines and spaces of pasted text', () => {
    box.paste('a\r\n\r\n  b  c\n');
    expect(box.sent()).toBe('a\n\n  b  c');
  });

  it.each([
    [
      'code',
      '<p style="white-space: normal;">Do</p><pre style="color: rgb(0, 0, 0);"><code class="language-python">def f(x):\n    return x\n\nprint(1)</code></pre>',
      'Do\n\ndef f(x):\n    return x\n\nprint(1)',
      'Do\n```python\ndef f(x):\n    return x\n\nprint(1)\n```',
    ],
    [
      'code of a page without a code element',
      '<span style="font-family: monospace; white-space: pre-wrap;">if x:\n    y</span>',
      'if x:\n    y',
      '```\nif x:\n    y\n```',
    ],
    [
      'the cells of a table',
      '<table><tbody><tr><th>Name</th><th>Age</th></tr><tr><td>Ann</td><td>5</td></tr></tbody></table>',
      'Name\tAge\nAnn\t5',
      'Name | Age\nAnn | 5',
    ],
    [
      'list markers',
      '<p style="white-space: normal;">Buy</p><ul><li>x</li><li>y<ol><li>z</li></ol></li></ul>',
      'Buy\n\nx\ny\nz',
      'Buy\n- x\n- y\n  1. z',
    ],
    [
      'a formula',
      '<span style="white-space: normal;">Let </span><span data-source="x^2" dir="ltr"><span class="katex"><span class="katex-mathml"><math><semantics><mrow><msup><mi>x</mi><mn>2</mn></msup></mrow></semantics></math></span><span class="katex-html" aria-hidden="true">x2</span></span></span><span style="white-space: normal;"> be <code>y</code></span>',
      'Let \nx\n2\nx\n2\n be y',
      'Let $x^2$ be `y`',
    ],
    [
      'a formula from the editor',
      '<p data-pm-slice="1 1 []">x <code class="nimo-math">y^2</code></p>',
      'x $y^2$',
      'x $y^2$',
    ],
    [
      'lines of unformatted text',
      '<span style="white-space: pre-wrap;">one\n    two\n\nthree costs $5</span>',
      'one\n    two\n\nthree costs $5',
      'one\n    two\n\nthree costs $5',
    ],
    [
      'text whose lines HTML would lose',
      '<div><div>const a = 1;</div><div><b>  const</b> b = 2;</div></div>',
      'const a = 1;\n  const b = 2;',
      'const a = 1;\n  const b = 2;',
    ],
  ])('keeps %s', (_what, html, text, sent) => {
    box.pasteBoth(html, text);
    expect(box.sent()).toBe(sent);
  });

  it('puts a code block on its own lines, and a single line of code inline', () => {
    box.type('Try this: , or ');
    box.pasteBoth('<pre><code>foo()</code></pre>', 'foo()');
    box.view.dispatch(box.view.state.tr.setSelection(TextSelection.create(box.view.state.doc, 11)));
    box.pasteBoth('<pre><code class="language-js">let a;\nlet b;</code></pre>', 'let a;\nlet b;');
    expect(box.sent()).toBe('Try this: \n```javascript\nlet a;\nlet b;\n```\n, or `foo()`');
  });

  it('keeps mentions, and pastes inline', () => {
    box.type('see @ash');
    box.choose('asha');
    const { doc } = box.view.state;
    const { dom } = box.view.serializeForClipboard(doc.slice(1, doc.content.size - 1, true));
    box.view.dispatch(box.view.state.tr.insertText(' or '));
    box.pasteBoth(dom.innerHTML, 'see @asha');
    box.pasteBoth('<i>!</i>', '!');
    box.pasteBoth('<code>x</code>', 'x');
    box.paste('?');
    expect(box.sent()).toBe('see @[asha] or see @[asha]!`x`?');
  });

  it('takes only plain text from Ctrl+Shift+V', () => {
    box.view.dom.dispatchEvent(new KeyboardEvent('keydown', { key: 'V', ctrlKey: true, shiftKey: true }));
    box.pasteBoth('<p>x <code>y</code></p>', 'x y');
    expect(box.sent()).toBe('x y');
  });
});
