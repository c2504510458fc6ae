/**
 * jsdom, because its parser follows the standard for hostile HTML: happy-dom's knows no rules for foreign elements.
 *
 * @jest-environment jsdom
 */
import { describe, expect, it } from '@jest/globals';
import { hasRandomSeeds, propertiesSeed } from '../../../../../libs/testing/src/seed.js';
import { closeHistory } from '@remirror/pm/history';
import { TextSelection } from '@remirror/pm/state';
import { excerptOf, storedBody, withoutFormulaMarks } from '../../../../../test/stored-body';
import { sampleTexts } from '../../../../../test/schema/sample-texts';
import { enrichBody } from '../../components/rich-text/enrich-body';
import { excerptPieces } from '../../components/rich-text/formula-source';
import { newTypingEditor, typedTextIn } from '../../testing/typing';

const editor = newTypingEditor();
/** One round in `npm test`; thousands of texts with random seeds in `npm run test:all`. */
const firstSeed = propertiesSeed();
const seeds = Array.from({ length: hasRandomSeeds ? 10 : 1 }, (_, round) => firstSeed + round);
const TYPED = 250;
const PASTED = 400;

const parsed = (html: string): HTMLElement => new DOMParser().parseFromString(html, 'text/html').body;
const inOneLine = (text: string): string => text.replace(/\s+/g, ' ').trim();

async function onPage(html: string): Promise<string> {
  const root = parsed(html);
  const words = { formula: { wrong: '' }, code: { label: '', copy: '', copied: '', copyFailed: '' } };
  // Elements for formulas and code are created synchronously; rendering them is aborted.
  await enrichBody(root, words, AbortSignal.abort());
  return typedTextIn(root);
}

/** Places where the text differs from what was written. */
async function changes(text: string, write: (text: string) => void): Promise<object[]> {
  editor.open();
  write(text);
  const html = editor.html();
  const stored = storedBody(html);
  const excerpt = withoutFormulaMarks(excerptOf(stored));
  const plain = inOneLine(typedTextIn(parsed(stored), false));
  const written = text.replace(/\n+/g, '\n');
  const found = {
    editor: typedTextIn(parsed(html)),
    stored: typedTextIn(parsed(stored)),
    page: await onPage(stored),
    // Truncation is tested separately.
    excerpt: plain.startsWith(excerpt) && (excerpt.length > 100 || excerpt === plain) ? written : excerpt,
  };
  return Object.entries(found).flatMap(([place, shown]) =>
    shown === written ? [] : [{ place, written, shown, stored }],
  );
}

/** The first few differences: one bug may cause hundreds. */
async function changesOf(seed: number, count: number, write: (text: string) => void): Promise<object[]> {
  const found: object[] = [];
  for (const [index, text] of sampleTexts(seed, count).entries()) {
    for (const change of await changes(text, write)) found.push({ seed, index, ...change });
    if (found.length > 8) break;
  }
  return found;
}

it.each(['$x^2$ stays', '$$a+b$$', '$x^2$+y$ $a_1$ end'])(
  'keeps %s as text after its formulas were undone, also when edited again',
  async (text) => {
    editor.open();
    for (const character of text) {
      const before = editor.html();
      editor.type(character);
      if (editor.html().includes('nimo-math')) editor.press('Backspace');
      expect(editor.html()).not.toBe(before);
    }
    const stored = storedBody(editor.html());
    expect(stored).not.toContain('nimo-math');
    expect(await onPage(stored)).toBe(text);
    expect(excerptPieces(excerptOf(stored))).toEqual([{ kind: 'text', text }]);
    editor.open(stored);
    expect(editor.html()).toBe(stored);
  },
);

it.each(['so $$x^2$$ holds', '# $a_1$', 'area $a^2$'])(
  'shows the formula in %s, which was not undone',
  (text) => {
    editor.open();
    editor.type(text);
    expect(editor.html()).not.toContain('nimo-math');
    expect(excerptPieces(excerptOf(storedBody(editor.html()))).map(({ kind }) => kind)).toContain('formula');
  },
);

it('keeps an undone formula as text, wherever the caret moves', () => {
  editor.open();
  editor.type('keep $w^2$ ');
  editor.press('Backspace');
  editor.type('as');
  const { doc } = editor.view.state;
  editor.view.dispatch(editor.view.state.tr.setSelection(TextSelection.create(doc, doc.content.size - 4)));
  editor.press('ArrowUp');
  editor.view.dom.dispatchEvent(new FocusEvent('blur'));
  expect(editor.html()).toBe('<p>keep <span>$</span>w^2<span>$</span> as</p>');
});

it('undoes a formula by Ctrl+Z after more was typed, and formats it again by Ctrl+Y', () => {
  editor.open();
  editor.type('keep $w^2$ ');
  const formatted = editor.html();
  editor.view.dispatch(closeHistory(editor.view.state.tr));
  editor.type('and');
  const undo = (): void => editor.press('z', { ctrlKey: true });
  undo();
  expect(editor.html()).toBe(formatted);
  undo();
  expect(editor.html()).toBe('<p>keep <span>$</span>w^2<span>$</span> </p>');
  editor.press('y', { ctrlKey: true });
  expect(editor.html()).toBe(formatted);
  undo();
  undo();
  expect(editor.html()).toBe('');
});

it('keeps text pasted with Ctrl+Shift+V verbatim', () => {
  editor.open();
  editor.press('V', { ctrlKey: true, shiftKey: true });
  editor.paste('so $x^2$ stays');
  expect(editor.html()).toBe('<p>so <span>$</span>x^2<span>$</span> stays</p>');
});

it('opens the formulas of an imported post as readers see them', () => {
  editor.open(
    '<p>If $x^2$ &amp; <b>$y$</b>, then $$z &lt; 1$$ or <code>$w$</code></p><ul><li>$$v_1$$</li></ul><p>$$u$$</p>',
  );
  expect(editor.html()).toBe(
    '<p>If <code class="nimo-math">x^2</code> &amp; <strong><code class="nimo-math">y</code></strong>, then </p>' +
      '<pre class="nimo-math">z &lt; 1</pre><p> or <code spellcheck="false">$w$</code></p>' +
      '<ul><li><p><code class="nimo-math">v_1</code></p></li></ul><pre class="nimo-math">u</pre>',
  );
});

describe.each(seeds)('the text of a body, from seed %i', (seed) => {
  it('is stored, shown and excerpted verbatim when typed', async () => {
    // One Enter at the end closes a fence, another one a list.
    expect(await changesOf(seed, TYPED, (text) => editor.type(`${text}\n\n`))).toEqual([]);
  });

  it('is stored, shown and excerpted verbatim when pasted', async () => {
    expect(await changesOf(seed, PASTED, (text) => editor.paste(text))).toEqual([]);
  });
});
