import type sanitizeHtml from 'sanitize-html';
import { BLOCKS, FOREIGN_BLOCKS } from './rules.js';

const FOREIGN = new RegExp(`<(?:${FOREIGN_BLOCKS.join('|')})\\b`, 'i');
const BLOCK = new RegExp(`^</?(?:${BLOCKS.join('|')})\\b`);
const TAGS = /(<[^>]*>)/;

export const hasForeignBlocks = (html: string): boolean => FOREIGN.test(html);

export const asParagraphs: Readonly<Record<string, sanitizeHtml.Transformer>> = Object.fromEntries(
  FOREIGN_BLOCKS.map((name) => [name, () => ({ tagName: 'p', attribs: {} })]),
);

/**
 * No paragraph holds another, so wrappers around paragraphs leave empty ones behind. One stays where the words on both sides of it would
 * run together.
 */
export function withoutEmptyParagraphs(html: string): string {
  // Texts at even places, tags at odd ones.
  const parts = html.split(TAGS);
  const isBlank = (place: number): boolean => (parts[place] ?? '').trim() === '';
  const isBlock = (place: number): boolean => place >= parts.length || BLOCK.test(parts[place] ?? '');
  const kept: string[] = [];
  let isApart = true;
  for (let place = 0; place < parts.length; place += 1) {
    const part = parts[place] ?? '';
    const isEmpty = part === '<p>' && isBlank(place + 1) && parts[place + 2] === '</p>';
    if (isEmpty && (isApart || (isBlank(place + 3) && isBlock(place + 4)))) {
      place += 2;
      continue;
    }
    if (place % 2 === 1) isApart = isBlock(place);
    else if (!isBlank(place)) isApart = false;
    kept.push(part);
  }
  return kept.join('');
}
