import { visibleText } from '@nimo/domain';
import sanitizeHtml from 'sanitize-html';
import { isCleanHtml } from './clean-html.js';
import {
  addressOf,
  CELL_SPAN,
  CLASSES,
  LINKED,
  LIST_START,
  MAX_DEPTH,
  PICTURE_SIDE,
  pictureAt,
  pictureText,
  SCHEMES,
  SPANNING,
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
    th: [...SPANNING],
    td: [...SPANNING],
  },
  allowedClasses: Object.fromEntries(
    Object.entries(CLASSES).map(([tag, names]) => [tag, names.map((name) => new RegExp(`^${name}$`))]),
  ),
  allowedSchemes: [...SCHEMES],
  allowProtocolRelative: false,
  disallowedTagsMode: 'discard',
  nestingLimit: MAX_DEPTH,
};

/** The words `javascript:` and friends never pass. */
function linkTo(address: string | undefined): sanitizeHtml.Attributes {
  const href = addressOf(address);
  return { ...(href !== undefined && { href }), ...LINKED };
}

/** Another address in place of the one given; undefined where the words stay and the address goes. */
export type ReplaceAddress = (address: string, of: 'link' | 'picture') => string | undefined;
const asGiven: ReplaceAddress = (address) => address;

/** The room that a picture takes, where both sides are told. */
const sidesOf = ({ width = '', height = '' }: sanitizeHtml.Attributes): sanitizeHtml.Attributes =>
  SIDE.test(width) && SIDE.test(height) ? { width, height } : {};

function cell(tagName: string, attribs: sanitizeHtml.Attributes): sanitizeHtml.Tag {
  const spans = SPANNING.flatMap((name) => {
    const span = attribs[name] ?? '';
    return SPAN.test(span) && span !== '1' ? [[name, span]] : [];
  });
  return { tagName, attribs: Object.fromEntries(spans) as sanitizeHtml.Attributes };
}

/**
 * A link in a link is text: a browser would tear the outer one apart and leave an empty one that nobody can name. A picture elsewhere becomes
 * a link, as pages load images of their own host only.
 */
function optionsOfOnePass(replace: ReplaceAddress): sanitizeHtml.IOptions {
  let openLinks = 0;
  const replaced = (address: string | undefined, of: 'link' | 'picture'): string | undefined =>
    address === undefined ? undefined : replace(address, of);
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
        const given = attribs['href'];
        const href = replaced(given, 'link');
        const isText = openLinks > 1 || (given !== undefined && href === undefined);
        return isText ? { tagName: 'span', attribs: {} } : { tagName, attribs: linkTo(href) };
      },
      ol: (tagName, attribs) => ({ tagName, attribs: START.test(attribs['start'] ?? '') ? attribs : {} }),
      th: cell,
      td: cell,
      img: (tagName, attribs) => {
        const given = attribs['src'];
        const address = replaced(given, 'picture');
        const src = pictureAt(address);
        if (src !== undefined)
          return { tagName, attribs: { src, alt: pictureText(attribs['alt']), ...sidesOf(attribs) } };
        return {
          ...(openLinks > 0 || (given !== undefined && address === undefined)
            ? { tagName: 'span', attribs: {} }
            : { tagName: 'a', attribs: linkTo(address) }),
          text: attribs['alt']?.trim() || given || '',
        };
      },
    },
  };
}

const MAX_PASSES = 4;

/**
 * HTML of a body, reduced to the rules. Stable: sanitising what came out changes nothing. Pure, so that it may be done in a fold.
 *
 * @param html whatever a client, an import or an old event has
 * @param replace gives the same for what it gave
 * @returns well-formed HTML without scripts, styles, handlers, foreign images or unknown classes
 */
export function sanitiseRichText(html: string, replace = asGiven): string {
  const isForeign = hasForeignBlocks(html);
  const sanitised = (given: string): string => {
    const made = visibleText(sanitizeHtml(given, optionsOfOnePass(replace)));
    return (isForeign ? withoutEmptyParagraphs(made) : made).trim();
  };
  let clean = sanitised(html);
  // An element that is dropped can leave others in an order that a parser, ours or a browser's, would nest in another way.
  for (let pass = 1; pass < MAX_PASSES; pass += 1) {
    const again = sanitised(clean);
    if (again === clean) break;
    clean = again;
  }
  // Two judges that share nothing but the rules: what one lets through and the other does not know is shown as its source.
  return isCleanHtml(clean) ? clean : escapedText(clean);
}

const escapedText = (html: string): string =>
  html.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/**
 * A body as a read model stores it. What the log has was sanitised by the rules of its day; the few whose rules were laxer than today's are
 * sanitised again, here and once, and the others are only looked through, which takes a tenth of the time or less.
 */
export const cleanHtml = (html: string): string => (isCleanHtml(html) ? html : sanitiseRichText(html));

const FOREIGN = new RegExp(`<(?:${FOREIGN_BLOCKS.join('|')})\\b`, 'i');
const BLOCK = new RegExp(`^</?(?:${BLOCKS.join('|')})\\b`);
const TEXT_AND_TAGS = /(<[^>]*>)/;

const hasForeignBlocks = (html: string): boolean => FOREIGN.test(html);

const asParagraphs: Readonly<Record<string, sanitizeHtml.Transformer>> = Object.fromEntries(
  FOREIGN_BLOCKS.map((name) => [name, () => ({ tagName: 'p', attribs: {} })]),
);

/**
 * No paragraph holds another, so wrappers around paragraphs leave empty ones behind. One stays where the words on both sides of it would
 * run together.
 */
function withoutEmptyParagraphs(html: string): string {
  // Texts at even places, tags at odd ones.
  const parts = html.split(TEXT_AND_TAGS);
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
