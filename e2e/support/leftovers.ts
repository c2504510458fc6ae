import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from '@playwright/test';

const CATALOGUES = join(import.meta.dirname, '../../apps/web/src/i18n');

/** Words and labels as people see and hear them: texts, names, placeholders, hints. */
const SAID = `(() => {
  const said = new Set([document.title]);
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const { parentElement, data } = walker.currentNode;
    if (parentElement.checkVisibility() && !parentElement.closest('option, script, style')) said.add(data.trim());
  }
  for (const element of document.querySelectorAll('[aria-label], [placeholder], [title], [alt], [aria-description], [aria-valuetext]'))
    for (const name of ['aria-label', 'placeholder', 'title', 'alt', 'aria-description', 'aria-valuetext'])
      if (element.hasAttribute(name)) said.add(element.getAttribute(name).trim());
  return [...said].filter((text) => text !== '');
})()`;

function textsOf(texts: unknown): string[] {
  if (typeof texts === 'string') return [texts];
  return typeof texts === 'object' && texts !== null ? Object.values(texts).flatMap(textsOf) : [];
}

async function catalogueOf(language: string): Promise<string[]> {
  const files = ['first-load', 'app'].map((name) =>
    readFile(join(CATALOGUES, language, `${name}.json`), 'utf8'),
  );
  return (await Promise.all(files)).flatMap((text) => textsOf(JSON.parse(text)));
}

/** What a text looks like with anything filled in. */
function asShown(text: string): RegExp {
  const parts = text.split(/\{\{.*?\}\}/).map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${parts.join('.+')}$`, 'u');
}

/** Finds on a page what the English catalogue says and the language's own does not. */
export async function leftoverFinder(language: string): Promise<(page: Page) => Promise<string[]>> {
  const [english, own] = await Promise.all([catalogueOf('en'), catalogueOf(language)]);
  // With hardly a word of its own, like '{{count}} of {{max}}', a text fits what people write.
  const hasWords = (text: string) =>
    !text.includes('{{') || text.replace(/\{\{.*?\}\}|[^\p{L}]/gu, '').length > 5;
  const wording = new Set(own);
  const foreign = english.filter((text) => hasWords(text) && !wording.has(text)).map(asShown);
  const native = own.filter(hasWords).map(asShown);
  return async (page) => {
    const said = await page.evaluate<string[]>(SAID);
    return said.filter(
      (text) =>
        foreign.some((pattern) => pattern.test(text)) && !native.some((pattern) => pattern.test(text)),
    );
  };
}
