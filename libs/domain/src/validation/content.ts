import { DomainError } from '../errors.js';
import {
  BODY_MAX_BYTES,
  COMMENT_MAX_LENGTH,
  IMAGES_MAX,
  REASON_MAX_LENGTH,
  TITLE_MAX_LENGTH,
} from '../limits.js';
import type { DomainErrorCode } from '../messages.js';

/** Whitespace, controls, format characters (zero-width, bidi marks, soft hyphens), variation selectors, and letters that draw nothing. */
const INVISIBLE =
  /[\s\p{Cc}\p{Cf}\p{Zs}\p{Variation_Selector}\u034F\u115F\u1160\u17B4\u17B5\u2800\u3164\uFFA0]/gu;
const BLANK_ENTITY =
  /&(?:nbsp|ensp|emsp|thinsp|zwj|zwnj|lrm|rlm|shy|Tab|NewLine|ZeroWidthSpace|NoBreak|numsp|puncsp|hairsp|emsp1[34]|MediumSpace|ThickSpace|NonBreakingSpace);?/g;
const NUMERIC_ENTITY = /&#(?:x([0-9a-f]{1,6})|([0-9]{1,7}));?/gi;
/** Sanitised HTML has no bare `<` inside a tag, so that stopping there keeps the search linear whatever was sent. */
const TAG = /<\/?[a-z][^<>]*>/gi;
/** An image shows something by its source; a formula may carry its TeX source in an attribute instead of its text. */
const SHOWS_WITHOUT_TEXT =
  /<img\b[^<>]*\ssrc\s*=\s*["']?[^"'\s>]|<[a-z][^<>]*\sdata-(?:tex|formula|latex)\s*=\s*["']\s*[^"'\s]/i;

const codePoint = (match: string, hex: string | undefined, decimal: string | undefined): string => {
  const value = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
  return value <= 0x10ffff ? String.fromCodePoint(value) : match;
};

/** Nothing of it can be seen, whatever it consists of. */
export const isBlankText = (text: string): boolean => text.replace(INVISIBLE, '') === '';

/** No visible line in sanitised HTML: looks through empty tags, entities of spaces and characters without a glyph. An image or a formula is content. */
export const isBlankHtml = (html: string): boolean =>
  !SHOWS_WITHOUT_TEXT.test(html) &&
  isBlankText(html.replace(TAG, '').replace(BLANK_ENTITY, '').replace(NUMERIC_ENTITY, codePoint));

/** In characters as a person counts them, not in UTF-16 units. */
export const lengthOf = (text: string): number => [...text].length;

export const requireTitle = (title: string): string => {
  if (isBlankText(title)) throw new DomainError('QUESTION_TITLE_REQUIRED');
  const trimmed = title.trim();
  if (lengthOf(trimmed) > TITLE_MAX_LENGTH) throw new DomainError('QUESTION_TITLE_TOO_LONG');
  return trimmed;
};

/** Asked of what comes in before any work is done on it, and of what comes out. */
export const requireBodySize = (html: string): string => {
  if (html.length > BODY_MAX_BYTES || new TextEncoder().encode(html).length > BODY_MAX_BYTES)
    throw new DomainError('BODY_TOO_LONG');
  return html;
};

/** A description is optional: what shows nothing is stored as nothing. */
export const requireDescription = (html: string): string => (isBlankHtml(requireBodySize(html)) ? '' : html);

export const requireAnswerBody = (html: string): string => {
  if (isBlankHtml(requireBodySize(html))) throw new DomainError('ANSWER_BODY_REQUIRED');
  return html;
};

export const requireNewsBody = (html: string): string => {
  if (isBlankHtml(requireBodySize(html))) throw new DomainError('NEWSPOST_BODY_REQUIRED');
  return html;
};

/** Plain text: `<p>` is something that a comment may say. */
export const requireCommentBody = (text: string): string => {
  if (isBlankText(text)) throw new DomainError('COMMENT_EMPTY');
  const trimmed = text.trim();
  if (lengthOf(trimmed) > COMMENT_MAX_LENGTH) throw new DomainError('COMMENT_TOO_LONG');
  return trimmed;
};

export const requireImages = (imageUrls: readonly string[]): readonly string[] => {
  if (imageUrls.length > IMAGES_MAX) throw new DomainError('TOO_MANY_IMAGES');
  if (imageUrls.some((url) => url.trim() === '')) throw new DomainError('IMAGE_URL_INVALID');
  return imageUrls;
};

/** Of sanitised HTML, which has no other pictures than those of our own store. */
const PICTURE = /<img src="(\/media\/[^"]+)"/g;

/** Locations of the pictures that stand in a body, each once, in their order. */
export const picturesIn = (html: string): string[] => [
  ...new Set([...html.matchAll(PICTURE)].flatMap(([, location]) => location ?? [])),
];

/** Pictures that stand beside the text. */
export const picturesBeside = (html: string, imageUrls: readonly string[]): readonly string[] => {
  const within = new Set(picturesIn(html));
  return within.size === 0 ? imageUrls : imageUrls.filter((url) => !within.has(url));
};

/** All pictures of a post: those beside its text and those in it, which count together. */
export const postImages = (body: string, imageUrls: readonly string[]): readonly string[] => {
  const within = picturesIn(body);
  return requireImages(within.length === 0 ? imageUrls : [...picturesBeside(body, imageUrls), ...within]);
};

export const requireReason = (
  reason: string | null,
  missing: DomainErrorCode = 'DELETE_REASON_REQUIRED',
): string => {
  if (reason === null || isBlankText(reason)) throw new DomainError(missing);
  const trimmed = reason.trim();
  if (lengthOf(trimmed) > REASON_MAX_LENGTH)
    throw new DomainError('REASON_TOO_LONG', { max: REASON_MAX_LENGTH });
  return trimmed;
};

/** The words, if there are any. */
export const optionalReason = (reason: string | null | undefined): string | undefined =>
  reason === null || reason === undefined || isBlankText(reason) ? undefined : requireReason(reason);

/** A name that must show something and may not be longer than `max`. */
export const requireName = (
  name: string,
  max: number,
  missing: DomainErrorCode,
  tooLong: DomainErrorCode,
): string => {
  if (isBlankText(name)) throw new DomainError(missing);
  return requireAtMost(visibleName(name), max, tooLong);
};

/** Draws nothing, or turns what stands beside it around: format characters, controls, private and unassigned ones, fillers. */
const UNSEEN =
  /[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Cs}\p{Variation_Selector}\u034F\u115F\u1160\u17B4\u17B5\u2800\u3164\uFFA0]/gu;
const JOINERS = ['\u200C', '\u200D'];
/** Scripts in which a joiner between two letters changes how they are drawn. */
const JOINED =
  /[\p{scx=Arab}\p{scx=Beng}\p{scx=Deva}\p{scx=Gujr}\p{scx=Guru}\p{scx=Khmr}\p{scx=Knda}\p{scx=Mlym}\p{scx=Orya}\p{scx=Sinh}\p{scx=Taml}\p{scx=Telu}]/u;

/** What a name is stored as: one form of each letter, nothing that cannot be seen, single spaces. */
export const visibleName = (name: string): string => {
  const characters = [...name.normalize('NFC').replace(/\s+/gu, ' ')];
  const joins = (place: number): boolean =>
    JOINED.test(characters[place - 1] ?? '') && JOINED.test(characters[place + 1] ?? '');
  return characters
    .map((character, place) =>
      JOINERS.includes(character) && joins(place) ? character : character.replace(UNSEEN, ''),
    )
    .join('')
    .replace(/ +/g, ' ')
    .trim();
};

/** Signs beside a name are the product's: a check mark or a shield in it would pass for a badge of the staff. */
const SIGNS = /[\p{So}\p{Extended_Pictographic}\p{Emoji_Modifier}]/gu;

export const personName = (name: string): string => visibleName(name.replace(SIGNS, ''));

export const requireAtMost = (text: string, max: number, tooLong: DomainErrorCode): string => {
  if (lengthOf(text) > max) throw new DomainError(tooLong, { max });
  return text;
};
