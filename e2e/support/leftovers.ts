import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from '@playwright/test';

const CATALOGUES = join(import.meta.dirname, '../../apps/web/src/i18n');

/** All visible and accessible texts: text nodes, names, placeholders, titles. */
const TEXTS = `(() => {
  const texts = new Set([document.title]);
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const { parentElement, data } = walker.currentNode;
    if (parentElement.checkVisibility() && !parentElement.closest('option, script, style')) texts.add(data.trim());
  }
  for (const element of document.querySelectorAll('[aria-label], [placeholder], [title], [alt], [aria-description], [aria-valuetext]'))
    for (const name of ['aria-label', 'placeholder', 'title', 'alt', 'aria-description', 'aria-valuetext'])
      if (element.hasAttribute(name)) texts.add(element.getAttribute(name).trim());
  return [...texts].filter((text) => text !== '');
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

/** Matches a text with any values for its variables. */
function asShown(text: string): RegExp {
  const parts = text.split(/\{\{.*?\}\}/).map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${parts.join('.+')}$`, 'u');
}

/** Finds texts on a page that are in the English catalogue but not in the language's own. */
export async function leftoverFinder(language: string): Promise<(page: Page) => Promise<string[]>> {
  const [english, own] = await Promise.all([catalogueOf('en'), catalogueOf(language)]);
  // A text with few words, like '{{count}} of {{max}}', would match user content.
  const hasWords = (text: string) =>
    !text.includes('{{') || text.replace(/\{\{.*?\}\}|[^\p{L}]/gu, '').length > 5;
  const wording = new Set(own);
  const foreign = english.filter((text) => hasWords(text) && !wording.has(text)).map(asShown);
  const native = own.filter(hasWords).map(asShown);
  return async (page) => {
    const texts = await page.evaluate<string[]>(TEXTS);
    return texts.filter(
      (text) =>
        foreign.some((pattern) => pattern.test(text)) && !native.some((pattern) => pattern.test(text)),
    );
  };
}
