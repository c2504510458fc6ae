import { CONTROL_CHARACTERS, wholeOf } from '@nimo/domain';
import {
  addressPattern,
  CELL_SPAN,
  CLASSES,
  LINKED,
  LIST_START,
  MAX_DEPTH,
  PICTURE_ADDRESS,
  PICTURE_SIDE,
  SPANNING,
  TAGS,
  VOID_TAGS,
} from './rules.js';

/** No ambiguity in any part, so that no text makes it try twice. */
const ADDRESS = addressPattern('[^\\s\\p{Cc}\\p{Bidi_Control}"<>&]|&amp;');

/** Text in an attribute, written in one way. */
const QUOTED = '(?:[^\\p{Cc}\\p{Bidi_Control}"<>&]|&(?:amp|lt|gt|quot);)*';

const attributesOf = (tag: string): string => {
  if (tag === 'a') return `(?: href="${ADDRESS}")? rel="${LINKED.rel}" target="${LINKED.target}"`;
  if (tag === 'ol') return `(?: start="${LIST_START}")?`;
  if (tag === 'th' || tag === 'td') return SPANNING.map((name) => `(?: ${name}="${CELL_SPAN}")?`).join('');
  if (tag === 'img')
    return ` src="${PICTURE_ADDRESS}" alt="${QUOTED}"(?: width="${PICTURE_SIDE}" height="${PICTURE_SIDE}")?`;
  const names = CLASSES[tag];
  if (!names) return '';
  const name = `(?:${names.join('|')})`;
  return `(?: class="${name}(?: ${name})*")?`;
};

const VOIDS = VOID_TAGS.map((tag) => tag + attributesOf(tag)).join('|');
const OPENINGS = TAGS.filter((tag) => !VOID_TAGS.includes(tag)).map((tag) => tag + attributesOf(tag));
const PIECE = new RegExp(
  `[^<>&${CONTROL_CHARACTERS}]+|&(?:amp|lt|gt);|<(?:${VOIDS}) />|</(?<closed>[a-z0-9]+)>|<(?<opened>${OPENINGS.join('|')})>`,
  'uy',
);
const NAME = /^[a-z0-9]+/;

/**
 * Whether HTML consists of nothing but text and the elements, attributes, classes and addresses of the rules, each closed where it
 * should be and no link in another. It takes time as the length grows, whatever the text is.
 */
export const isCleanHtml = (html: string): boolean => {
  const read = new CleanReader(html);
  return read.isAtEnd && read.open.length === 0;
};

/** What closes the elements that are open at the end of the beginning of a clean body. */
export const closingOf = (html: string): string =>
  new CleanReader(html).open
    .map((tag) => `</${tag}>`)
    .reverse()
    .join('');

/** Reads as far as it is clean. */
class CleanReader {
  /** Elements that are open there, the outermost first. */
  readonly open: string[] = [];
  readonly isAtEnd: boolean;

  constructor(html: string) {
    let place = 0;
    while (place < html.length) {
      PIECE.lastIndex = place;
      const piece = PIECE.exec(html);
      if (!piece || !this.take(piece)) break;
      place = PIECE.lastIndex;
    }
    this.isAtEnd = place === html.length;
  }

  private take({ groups }: RegExpExecArray): boolean {
    const closed = groups?.['closed'];
    if (closed !== undefined) return this.open.pop() === closed;
    const opened = NAME.exec(groups?.['opened'] ?? '')?.[0];
    if (opened === undefined) return true;
    if (opened === 'a' && this.open.includes('a')) return false;
    return this.open.push(opened) <= MAX_DEPTH;
  }
}

/** A tag or an entity that the cut went through. */
const TORN_END = /(<[^<>]*|&[^;\s]{0,10})$/;

/** @param html the beginning of a stored body, cut anywhere. Closes what the cut left open. */
export function mendCutHtml(html: string): string {
  const whole = TORN_END.test(html) ? html.replace(TORN_END, '') : wholeOf(html);
  return `${whole}…${closingOf(whole)}`;
}
