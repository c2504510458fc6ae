import { DomainError } from '../errors.js';
import {
  MAX_BODY_BYTES,
  MAX_COMMENT_LENGTH,
  MAX_IMAGES,
  MAX_REASON_LENGTH,
  MAX_TITLE_LENGTH,
} from '../limits.js';
import type { DomainErrorCode } from '../messages.js';
import { isBlankText, lengthOf, visibleName, visibleText } from './visible-text.js';

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

/** No visible line in sanitised HTML: looks through empty tags, entities of spaces and characters without a glyph. An image or a formula is content. */
export const isBlankHtml = (html: string): boolean =>
  !SHOWS_WITHOUT_TEXT.test(html) &&
  isBlankText(html.replace(TAG, '').replace(BLANK_ENTITY, '').replace(NUMERIC_ENTITY, codePoint));

interface TextRule {
  readonly max: number;
  /** Undefined: the text may be empty. */
  readonly missing?: DomainErrorCode;
  readonly tooLong: DomainErrorCode;
}

/** A text as it is stored, without white space around it. One that shows nothing is missing. */
export const requireText = (given: string, { max, missing, tooLong }: TextRule): string => {
  if (!isBlankText(given)) return requireAtMost(visibleText(given).trim(), max, tooLong);
  if (missing !== undefined) throw new DomainError(missing, { max });
  return '';
};

export const requireTitle = (title: string, missing: DomainErrorCode = 'QUESTION_TITLE_REQUIRED'): string =>
  requireText(title, { max: MAX_TITLE_LENGTH, missing, tooLong: 'QUESTION_TITLE_TOO_LONG' });

/** Asked of what comes in before any work is done on it, and of what comes out. */
export const requireBodySize = (html: string): string => {
  if (html.length > MAX_BODY_BYTES || new TextEncoder().encode(html).length > MAX_BODY_BYTES)
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
export const requireCommentBody = (text: string): string =>
  requireText(text, { max: MAX_COMMENT_LENGTH, missing: 'COMMENT_EMPTY', tooLong: 'COMMENT_TOO_LONG' });

export const requireImages = (imageUrls: readonly string[]): readonly string[] => {
  if (imageUrls.length > MAX_IMAGES) throw new DomainError('TOO_MANY_IMAGES');
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
): string => requireText(reason ?? '', { max: MAX_REASON_LENGTH, missing, tooLong: 'REASON_TOO_LONG' });

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
  if (isBlankText(name)) throw new DomainError(missing, { max });
  return requireAtMost(visibleName(name), max, tooLong);
};

export const requireAtMost = (text: string, max: number, tooLong: DomainErrorCode): string => {
  if (lengthOf(text) > max) throw new DomainError(tooLong, { max });
  return text;
};
