import { visibleText } from '@nimo/domain';
import sanitizeHtml from 'sanitize-html';
import { isCleanHtml } from './clean-html.js';
import {
  addressOf,
  CELL_SPAN,
  CLASSES,
  LINK_ATTRIBUTES,
  LIST_START,
  MAX_DEPTH,
  PICTURE_SIDE,
  pictureAt,
  pictureText,
  SCHEMES,
  SPAN_ATTRIBUTES,
  TAGS,
  BLOCKS,
  FOREIGN_BLOCKS,
} from './rules.js';

const START = new RegExp(`^${LIST_START}$`);
const SPAN = new RegExp(`^${CELL_SPAN}$`);
const SIDE = new RegExp(`^${PICTURE_SIDE}$`);

const ALLOWED: sanitizeHtml.IOptions = {
  allowedTags: [...TAGS],
  allowedAttributes: {
    a: ['href', 'rel', 'target'],
    ol: ['start'],
    img: ['src', 'alt', 'width', 'height'],
    th: [...SPAN_ATTRIBUTES],
    td: [...SPAN_ATTRIBUTES],
  },
  allowedClasses: Object.fromEntries(
    Object.entries(CLASSES).map(([tag, names]) => [tag, names.map((name) => new RegExp(`^${name}$`))]),
  ),
  allowedSchemes: [...SCHEMES],
  allowProtocolRelative: false,
  disallowedTagsMode: 'discard',
  nestingLimit: MAX_DEPTH,
};

/** Attributes of a link. Drops `javascript:` and other disallowed URLs. */
function linkTo(address: string | undefined): sanitizeHtml.Attributes {
  const href = addressOf(address);
  return { ...(href !== undefined && { href }), ...LINK_ATTRIBUTES };
}

/** Maps a URL to another, or to undefined to keep only the text. Must be idempotent. */
export type ReplaceAddress = (address: string, target: 'link' | 'picture') => string | undefined;
const unchanged: ReplaceAddress = (address) => address;

/** Width and height, if both are valid. */
const sidesOf = ({ width = '', height = '' }: sanitizeHtml.Attributes): sanitizeHtml.Attributes =>
  SIDE.test(width) && SIDE.test(height) ? { width, height } : {};

function cell(tagName: string, attribs: sanitizeHtml.Attributes): sanitizeHtml.Tag {
  const spans = SPAN_ATTRIBUTES.flatMap((name) => {
    const span = attribs[name] ?? '';
    return SPAN.test(span) && span !== '1' ? [[name, span]] : [];
  });
  return { tagName, attribs: Object.fromEntries(spans) as sanitizeHtml.Attributes };
}

/**
 * Nested links become text, because browsers would split the outer one and leave an empty link. External pictures become links, because
 * pages only load images from their own host.
 */
function optionsOfOnePass(replace: ReplaceAddress): sanitizeHtml.IOptions {
  let openLinks = 0;
  const replaced = (address: string | undefined, target: 'link' | 'picture'): string | undefined =>
    address === undefined ? undefined : replace(address, target);
  return {
    ...ALLOWED,
    onOpenTag: (name) => {
      if (name === 'a') openLinks += 1;
    },
    onCloseTag: (name) => {
      if (name === 'a') openLinks -= 1;
    },
    transformTags: {
      ...asParagraphs,
      a: (tagName, attribs) => {
        const original = attribs['href'];
        const href = replaced(original, 'link');
        const isText = openLinks > 1 || (original !== undefined && href === undefined);
        return isText ? { tagName: 'span', attribs: {} } : { tagName, attribs: linkTo(href) };
      },
      ol: (tagName, attribs) => ({ tagName, attribs: START.test(attribs['start'] ?? '') ? attribs : {} }),
      th: cell,
      td: cell,
      img: (tagName, attribs) => {
        const original = attribs['src'];
        const address = replaced(original, 'picture');
        const src = pictureAt(address);
        if (src !== undefined)
          return { tagName, attribs: { src, alt: pictureText(attribs['alt']), ...sidesOf(attribs) } };
        return {
          ...(openLinks > 0 || (original !== undefined && address === undefined)
            ? { tagName: 'span', attribs: {} }
            : { tagName: 'a', attribs: linkTo(address) }),
          text: attribs['alt']?.trim() || original || '',
        };
      },
    },
  };
}

const MAX_PASSES = 4;

/**
 * Reduces HTML to the rules. Idempotent and pure, so that folds can use it.
 * @param html untrusted HTML from a client, an import or an old event
 * @returns well-formed HTML without scripts, styles, handlers, external images or unknown classes
 */
export function sanitiseRichText(html: string, replace = unchanged): string {
  const isForeign = hasForeignBlocks(html);
  const sanitised = (source: string): string => {
    const output = visibleText(sanitizeHtml(source, optionsOfOnePass(replace)));
    return (isForeign ? withoutEmptyParagraphs(output) : output).trim();
  };
  let clean = sanitised(html);
  // A dropped element can leave others in an order that a parser would nest differently.
  for (let pass = 1; pass < MAX_PASSES; pass += 1) {
    const again = sanitised(clean);
    if (again === clean) break;
    clean = again;
  }
  // Defence in depth: if the independent grammar rejects the result, show its source.
  return isCleanHtml(clean) ? clean : escapedText(clean);
}

const escapedText = (html: string): string =>
  html.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/**
 * A body as stored in a read model. The log has HTML sanitised by the rules of its time. Checking it is at least ten times faster than
 * sanitising, which only bodies that violate the current rules need.
 */
export const cleanHtml = (html: string): string => (isCleanHtml(html) ? html : sanitiseRichText(html));

const FOREIGN = new RegExp(`<(?:${FOREIGN_BLOCKS.join('|')})\\b`, 'i');
const BLOCK = new RegExp(`^</?(?:${BLOCKS.join('|')})\\b`);
const TEXT_AND_TAGS = /(<[^>]*>)/;

const hasForeignBlocks = (html: string): boolean => FOREIGN.test(html);

const asParagraphs: Readonly<Record<string, sanitizeHtml.Transformer>> = Object.fromEntries(
  FOREIGN_BLOCKS.map((name) => [name, () => ({ tagName: 'p', attribs: {} })]),
);

/** Removes empty paragraphs left by wrappers around paragraphs, except those that separate text. */
function withoutEmptyParagraphs(html: string): string {
  // Text at even indexes, tags at odd ones.
  const parts = html.split(TEXT_AND_TAGS);
  const isBlank = (index: number): boolean => (parts[index] ?? '').trim() === '';
  const isBlock = (index: number): boolean => index >= parts.length || BLOCK.test(parts[index] ?? '');
  const kept: string[] = [];
  let isSeparated = true;
  for (let index = 0; index < parts.length; index += 1) {
    const part = parts[index] ?? '';
    const isEmpty = part === '<p>' && isBlank(index + 1) && parts[index + 2] === '</p>';
    if (isEmpty && (isSeparated || (isBlank(index + 3) && isBlock(index + 4)))) {
      index += 2;
      continue;
    }
    if (index % 2 === 1) isSeparated = isBlock(index);
    else if (!isBlank(index)) isSeparated = false;
    kept.push(part);
  }
  return kept.join('');
}
