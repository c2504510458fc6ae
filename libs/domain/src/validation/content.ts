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
/** Stops at `<`, which sanitised HTML never has inside a tag, to stay linear for any input. */
const TAG = /<\/?[a-z][^<>]*>/gi;
/** An image with a source, or a formula with its TeX source in an attribute. */
const CONTENT_WITHOUT_TEXT =
  /<img\b[^<>]*\ssrc\s*=\s*["']?[^"'\s>]|<[a-z][^<>]*\sdata-(?:tex|formula|latex)\s*=\s*["']\s*[^"'\s]/i;

const codePoint = (match: string, hex: string | undefined, decimal: string | undefined): string => {
  const value = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
  return value <= 0x10ffff ? String.fromCodePoint(value) : match;
};

/** Whether sanitised HTML shows nothing but white space and invisible characters. Images and formulas are content. */
export const isBlankHtml = (html: string): boolean =>
  !CONTENT_WITHOUT_TEXT.test(html) &&
  isBlankText(html.replace(TAG, '').replace(BLANK_ENTITY, '').replace(NUMERIC_ENTITY, codePoint));

interface TextRule {
  readonly max: number;
  /** Undefined if the text may be empty. */
  readonly missing?: DomainErrorCode;
  readonly tooLong: DomainErrorCode;
}

/** Text as stored, trimmed. Text without visible characters counts as missing. @throws DomainError */
export const requireText = (text: string, { max, missing, tooLong }: TextRule): string => {
  if (!isBlankText(text)) return requireAtMost(visibleText(text).trim(), max, tooLong);
  if (missing !== undefined) throw new DomainError(missing, { max });
  return '';
};

export const requireTitle = (title: string, missing: DomainErrorCode = 'QUESTION_TITLE_REQUIRED'): string =>
  requireText(title, { max: MAX_TITLE_LENGTH, missing, tooLong: 'QUESTION_TITLE_TOO_LONG' });

/** Checked before sanitising, to bound the work, and again afterwards. @throws DomainError BODY_TOO_LONG */
export const requireBodySize = (html: string): string => {
  if (html.length > MAX_BODY_BYTES || new TextEncoder().encode(html).length > MAX_BODY_BYTES)
    throw new DomainError('BODY_TOO_LONG');
  return html;
};

/** Blank descriptions are allowed and stored as an empty string. */
export const requireDescription = (html: string): string => (isBlankHtml(requireBodySize(html)) ? '' : html);

export const requireAnswerBody = (html: string): string => {
  if (isBlankHtml(requireBodySize(html))) throw new DomainError('ANSWER_BODY_REQUIRED');
  return html;
};

export const requireNewsBody = (html: string): string => {
  if (isBlankHtml(requireBodySize(html))) throw new DomainError('NEWSPOST_BODY_REQUIRED');
  return html;
};

/** Comments are plain text, so `<p>` is content. */
export const requireCommentBody = (text: string): string =>
  requireText(text, { max: MAX_COMMENT_LENGTH, missing: 'COMMENT_EMPTY', tooLong: 'COMMENT_TOO_LONG' });

export const requireImages = (imageUrls: readonly string[]): readonly string[] => {
  if (imageUrls.length > MAX_IMAGES) throw new DomainError('TOO_MANY_IMAGES');
  if (imageUrls.some((url) => url.trim() === '')) throw new DomainError('IMAGE_URL_INVALID');
  return imageUrls;
};

/** Sanitised HTML only has pictures from our own store. */
const PICTURE = /<img src="(\/media\/[^"]+)"/g;

/** Locations of the pictures in a body, without duplicates, in order. */
export const inlinePictures = (html: string): string[] => [
  ...new Set([...html.matchAll(PICTURE)].flatMap(([, location]) => location ?? [])),
];

/** Pictures of a post that are not in its body. */
export const attachedPictures = (html: string, imageUrls: readonly string[]): readonly string[] => {
  const inline = new Set(inlinePictures(html));
  return inline.size === 0 ? imageUrls : imageUrls.filter((url) => !inline.has(url));
};

/** All pictures of a post, attached ones first. The limit applies to the total. @throws DomainError */
export const postImages = (body: string, imageUrls: readonly string[]): readonly string[] => {
  const inline = inlinePictures(body);
  return requireImages(inline.length === 0 ? imageUrls : [...attachedPictures(body, imageUrls), ...inline]);
};

export const requireReason = (
  reason: string | null,
  missing: DomainErrorCode = 'DELETE_REASON_REQUIRED',
): string => requireText(reason ?? '', { max: MAX_REASON_LENGTH, missing, tooLong: 'REASON_TOO_LONG' });

export const optionalReason = (reason: string | null | undefined): string | undefined =>
  reason === null || reason === undefined || isBlankText(reason) ? undefined : requireReason(reason);

/** @throws DomainError if the name is blank or longer than `max` */
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
