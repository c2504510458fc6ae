import { CONTROL_CHARACTERS, dropPartialGrapheme } from '@nimo/domain';
import {
  addressPattern,
  CELL_SPAN,
  CLASSES,
  LINK_ATTRIBUTES,
  LIST_START,
  MAX_DEPTH,
  PICTURE_ADDRESS,
  PICTURE_SIDE,
  SPAN_ATTRIBUTES,
  TAGS,
  VOID_TAGS,
} from './rules.js';

/** Unambiguous, so that no input causes backtracking. */
const ADDRESS = addressPattern('[^\\s\\p{Cc}\\p{Bidi_Control}"<>&]|&amp;');

/** Text of an attribute in canonical form. */
const QUOTED = '(?:[^\\p{Cc}\\p{Bidi_Control}"<>&]|&(?:amp|lt|gt|quot);)*';

const attributesOf = (tag: string): string => {
  if (tag === 'a')
    return `(?: href="${ADDRESS}")? rel="${LINK_ATTRIBUTES.rel}" target="${LINK_ATTRIBUTES.target}"`;
  if (tag === 'ol') return `(?: start="${LIST_START}")?`;
  if (tag === 'th' || tag === 'td')
    return SPAN_ATTRIBUTES.map((name) => `(?: ${name}="${CELL_SPAN}")?`).join('');
  if (tag === 'img')
    return ` src="${PICTURE_ADDRESS}" alt="${QUOTED}"(?: width="${PICTURE_SIDE}" height="${PICTURE_SIDE}")?`;
  const names = CLASSES[tag];
  if (!names) return '';
  const name = `(?:${names.join('|')})`;
  return `(?: class="${name}(?: ${name})*")?`;
};

const VOID_ELEMENTS = VOID_TAGS.map((tag) => tag + attributesOf(tag)).join('|');
const OPENING_TAGS = TAGS.filter((tag) => !VOID_TAGS.includes(tag)).map((tag) => tag + attributesOf(tag));
const PIECE = new RegExp(
  `[^<>&${CONTROL_CHARACTERS}]+|&(?:amp|lt|gt);|<(?:${VOID_ELEMENTS}) />|</(?<closed>[a-z0-9]+)>|<(?<opened>${OPENING_TAGS.join('|')})>`,
  'uy',
);
const NAME = /^[a-z0-9]+/;

/**
 * Whether HTML consists only of text and the elements, attributes, classes and URLs of the rules, is well-formed and has no nested
 * links. Linear time for any input.
 */
export const isCleanHtml = (html: string): boolean => {
  const read = new CleanReader(html);
  return read.isAtEnd && read.open.length === 0;
};

/** Closing tags for the elements left open in truncated clean HTML. */
export const closingTagsOf = (html: string): string =>
  new CleanReader(html).open
    .map((tag) => `</${tag}>`)
    .reverse()
    .join('');

/** Reads HTML up to the first violation of the rules. */
class CleanReader {
  /** Open elements at that point, outermost first. */
  readonly open: string[] = [];
  readonly isAtEnd: boolean;

  constructor(html: string) {
    let position = 0;
    while (position < html.length) {
      PIECE.lastIndex = position;
      const piece = PIECE.exec(html);
      if (!piece || !this.take(piece)) break;
      position = PIECE.lastIndex;
    }
    this.isAtEnd = position === html.length;
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

/** A partial tag or entity. */
const PARTIAL_END = /(<[^<>]*|&[^;\s]{0,10})$/;

/** Closes the elements of a truncated body. @param html a stored body, cut anywhere */
export function repairTruncatedHtml(html: string): string {
  const whole = PARTIAL_END.test(html) ? html.replace(PARTIAL_END, '') : dropPartialGrapheme(html);
  return `${whole}…${closingTagsOf(whole)}`;
}
