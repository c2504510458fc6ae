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
import { writtenTexts } from '../../../../../test/schema/written-texts';
import { enrichBody } from '../../components/rich-text/enrich-body';
import { excerptPieces } from '../../components/rich-text/formula-source';
import { newTypingEditor, writtenIn } from '../../testing/typing';

const editor = newTypingEditor();
/** One round in `npm test`, thousands of texts in `npm run test:all`, where the seed is another each time. */
const firstSeed = propertiesSeed();
const seeds = Array.from({ length: hasRandomSeeds ? 10 : 1 }, (_, round) => firstSeed + round);
const TYPED = 250;
const PASTED = 400;

const parsed = (html: string): HTMLElement => new DOMParser().parseFromString(html, 'text/html').body;
const inOneLine = (text: string): string => text.replace(/\s+/g, ' ').trim();

async function onPage(html: string): Promise<string> {
  const root = parsed(html);
  const words = { formula: { wrong: '' }, code: { label: '', copy: '', copied: '', copyFailed: '' } };
  // Formulas and code have their elements at once; drawing them waits for the typesetter and is given up.
  await enrichBody(root, words, AbortSignal.abort());
  return writtenIn(root);
}

/** Where a text comes out otherwise than it was written. */
async function changes(text: string, write: (text: string) => void): Promise<object[]> {
  editor.open();
  write(text);
  const html = editor.html();
  const stored = storedBody(html);
  const excerpt = withoutFormulaMarks(excerptOf(stored));
  const plain = inOneLine(writtenIn(parsed(stored), false));
  const written = text.replace(/\n+/g, '\n');
  const found = {
    editor: writtenIn(parsed(html)),
    stored: writtenIn(parsed(stored)),
    page: await onPage(stored),
    // Cut after so many characters, which is tested on its own.
    excerpt: plain.startsWith(excerpt) && (excerpt.length > 100 || excerpt === plain) ? written : excerpt,
  };
  return Object.entries(found).flatMap(([place, shown]) =>
    shown === written ? [] : [{ place, written, shown, stored }],
  );
}

/** The first few: one fault may change hundreds. */
async function changesOf(seed: number, count: number, write: (text: string) => void): Promise<object[]> {
  const found: object[] = [];
  for (const [index, text] of writtenTexts(seed, count).entries()) {
    for (const change of await changes(text, write)) found.push({ seed, index, ...change });
    if (found.length > 8) break;
  }
  return found;
}

it.each(['$x^2$ stays', '$$a+b$$', '$x^2$+y$ $a_1$ end'])(
  'shows %s as text once its formulas were taken back, and edits it as text',
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
  'shows the formula in %s, which nobody took back',
  (text) => {
    editor.open();
    editor.type(text);
    expect(editor.html()).not.toContain('nimo-math');
    expect(excerptPieces(excerptOf(storedBody(editor.html()))).map(({ kind }) => kind)).toContain('formula');
  },
);

it('leaves a formula that was taken back as it is, wherever the caret goes', () => {
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

it('leaves a formula as text that Ctrl+Z took back after more was typed, and formats it again by Ctrl+Y', () => {
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

it('shows plain text that is pasted bare as it is', () => {
  editor.open();
  editor.press('V', { ctrlKey: true, shiftKey: true });
  editor.paste('so $x^2$ stays');
  expect(editor.html()).toBe('<p>so <span>$</span>x^2<span>$</span> stays</p>');
});

it('opens the formulas of a post from elsewhere as readers see them', () => {
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
  it('is stored, shown and excerpted character for character as it was typed', async () => {
    // Behind the last line comes Enter, which ends a fence, and once more, which ends a list.
    expect(await changesOf(seed, TYPED, (text) => editor.type(`${text}\n\n`))).toEqual([]);
  });

  it('is stored, shown and excerpted character for character as it was pasted', async () => {
    expect(await changesOf(seed, PASTED, (text) => editor.paste(text))).toEqual([]);
  });
});
