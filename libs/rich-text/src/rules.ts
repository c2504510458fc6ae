import { truncateText, visibleText } from '@nimo/domain';

/** Raise it when the rules below change, to rebuild the read models that store bodies. A test knows the rules of each version. */
export const RICH_TEXT_VERSION = 3;

// Palette of the editor. Classes instead of inline styles, which the CSP forbids.
const FONT = ['nimo-font-sans', 'nimo-font-serif', 'nimo-font-mono'];
const SIZE = ['nimo-size-small', 'nimo-size-normal', 'nimo-size-large', 'nimo-size-huge'];
const COLOUR = ['gray', 'red', 'orange', 'green', 'teal', 'blue', 'violet', 'pink'].map(
  (name) => `nimo-color-${name}`,
);
const ALIGN = ['left', 'center', 'right', 'justify'].map((side) => `nimo-align-${side}`);

/** Class of formulas: TeX source in `<code>` (inline) or `<pre>` (display). */
const FORMULA = 'nimo-math';
const LANGUAGE = 'language-[a-z0-9+#-]{1,30}';

const HEADINGS = ['h1', 'h2', 'h3', 'h4', 'h5', 'h6'];
const TABLES = ['table', 'thead', 'tbody', 'tr', 'th', 'td'];
export const BLOCKS: readonly string[] = [
  'p',
  ...HEADINGS,
  'blockquote',
  'pre',
  'ul',
  'ol',
  'li',
  'hr',
  ...TABLES,
];
const INLINES = [
  'a',
  'b',
  'strong',
  'i',
  'em',
  'u',
  's',
  'del',
  'code',
  'span',
  'br',
  'sub',
  'sup',
  'kbd',
  'img',
];

/** Block elements of other editors. They become paragraphs, to keep their contents separate. */
export const FOREIGN_BLOCKS: readonly string[] = [
  'address',
  'article',
  'aside',
  'center',
  'dd',
  'details',
  'div',
  'dt',
  'figcaption',
  'figure',
  'footer',
  'header',
  'main',
  'nav',
  'section',
  'summary',
];

/** All allowed elements. */
export const TAGS: readonly string[] = [...BLOCKS, ...INLINES];
export const VOID_TAGS: readonly string[] = ['br', 'hr', 'img'];
export const MAX_DEPTH = 30;

/** Patterns of allowed classes by element. */
export const CLASSES: Readonly<Record<string, readonly string[]>> = {
  span: [...FONT, ...SIZE, ...COLOUR],
  code: [LANGUAGE, FORMULA],
  pre: [FORMULA],
  ...Object.fromEntries(['p', 'li', 'blockquote', ...HEADINGS].map((tag) => [tag, ALIGN])),
};

/** Attributes of every link, in this order, after `href`. */
export const LINK_ATTRIBUTES = { rel: 'nofollow ugc noopener noreferrer', target: '_blank' } as const;

export const LIST_START = '\\d{1,6}';

/** Pattern of `colspan` and `rowspan`. */
export const CELL_SPAN = '[1-9]\\d?';
export const SPAN_ATTRIBUTES: readonly string[] = ['colspan', 'rowspan'];

/** Pattern of our picture URLs, without signature. Ownership is checked when a post is submitted. */
export const PICTURE_ADDRESS = '/media/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\\.webp';
/** Pattern of widths and heights in pixels, which prevent layout shifts. */
export const PICTURE_SIDE = '[1-9]\\d{0,4}';
/** In code points. */
const MAX_PICTURE_TEXT_LENGTH = 300;

const PICTURE = new RegExp(`^(${PICTURE_ADDRESS})(?:\\?[^\\s"<>]*)?$`);

/** Location of one of our pictures, without its signature; undefined for other URLs. */
export const pictureAt = (address: string | undefined): string | undefined =>
  PICTURE.exec(address ?? '')?.[1];

/** Description of a picture as stored: visible characters on one line. */
export const pictureText = (description: string | undefined): string =>
  truncateText(
    visibleText(description ?? '')
      .replace(/[\s\p{Cc}\p{Cs}]+/gu, ' ')
      .trim(),
    MAX_PICTURE_TEXT_LENGTH,
  ).trim();

export const SCHEMES: readonly string[] = ['http', 'https', 'mailto'];

/**
 * Pattern of web, email and same-host URLs. Excludes protocol-relative URLs, with slashes or backslashes.
 * @param sign pattern of one character
 */
export const addressPattern = (sign: string): string =>
  `(?:(?:${SCHEMES.join('|')}):(?:${sign})*|/(?![/\\\\])(?:${sign})*|#(?:${sign})*|[^\\s\\p{Cc}\\p{Bidi_Control}"<>:/\\\\&?#]+(?:[/?#](?:${sign})*)?)`;

const ADDRESS = new RegExp(`^${addressPattern('[^\\s\\p{Cc}\\p{Bidi_Control}"<>]')}$`, 'u');

/** Normalised URL for a link; undefined if not allowed. */
export function addressOf(input: string | undefined): string | undefined {
  const address = (input ?? '')
    // Browsers ignore these anywhere in a URL.
    .replace(/[\t\n\r]+/g, '')
    .trim()
    .replace(/[\s\p{Cc}\p{Bidi_Control}"<>]/gu, encodeURIComponent)
    .replace(/^[a-z]+:/i, (scheme) => scheme.toLowerCase());
  return ADDRESS.test(address) ? address : undefined;
}
