/**
 * jsdom, because its parser follows the standard for hostile HTML: happy-dom's knows no rules for foreign elements.
 *
 * @jest-environment jsdom
 */
import { describe, expect, it } from '@jest/globals';
import { hasRandomSeeds, propertiesSeed } from '../../../../../test/seed';
import { excerptOf, storedBody } from '../../../../../test/stored-body';
import { writtenTexts } from '../../../../../test/written-texts';
import { enrichBody } from '../../components/rich-text/enrich-body';
import { newTypingEditor, writtenIn } from '../../testing/typing';

const editor = newTypingEditor();
const seed = propertiesSeed();
/** Some hundred in `npm test`, thousands in `npm run test:all`, where the seed is another each time. */
const [TYPED, PASTED] = hasRandomSeeds ? [2000, 4000] : [250, 400];
const texts = writtenTexts(seed, PASTED);

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
  const excerpt = excerptOf(stored);
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
async function changesOf(given: readonly string[], write: (text: string) => void): Promise<object[]> {
  const found: object[] = [];
  for (const [index, text] of given.entries()) {
    for (const change of await changes(text, write)) found.push({ seed, index, ...change });
    if (found.length > 8) break;
  }
  return found;
}

describe('the text of a body', () => {
  it('is stored, shown and excerpted character for character as it was typed', async () => {
    // Behind the last line comes Enter, which ends a fence, and once more, which ends a list.
    expect(await changesOf(texts.slice(0, TYPED), (text) => editor.type(`${text}\n\n`))).toEqual([]);
  });

  it('is stored, shown and excerpted character for character as it was pasted', async () => {
    expect(await changesOf(texts, (text) => editor.paste(text))).toEqual([]);
  });
});
