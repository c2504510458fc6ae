import { cutText, visibleText } from '@nimo/domain';

/**
 * Raised when the rules below change: the read models that hold bodies are then built anew from the log, by the new rules. A test knows
 * the rules of each version.
 */
export const RICH_TEXT_VERSION = 3;

/** The palette of the editor: the only classes that may stand in a stored body. A strict CSP leaves no room for inline style. */
const FONT = ['nimo-font-sans', 'nimo-font-serif', 'nimo-font-mono'];
const SIZE = ['nimo-size-small', 'nimo-size-normal', 'nimo-size-large', 'nimo-size-huge'];
const COLOUR = ['gray', 'red', 'orange', 'green', 'teal', 'blue', 'violet', 'pink'].map(
  (name) => `nimo-color-${name}`,
);
const ALIGN = ['left', 'center', 'right', 'justify'].map((side) => `nimo-align-${side}`);

/** A formula is its TeX source in an element of its own, `<code>` in a line and `<pre>` on one of its own. */
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

/** Elements of other editors that begin a line of their own. They become paragraphs, so that what they hold stays apart. */
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

/** Every element that a body may have. */
export const TAGS: readonly string[] = [...BLOCKS, ...INLINES];
/** Those that hold nothing. */
export const VOID_TAGS: readonly string[] = ['br', 'hr', 'img'];
export const MAX_DEPTH = 30;

/** Patterns of the classes that an element may have; others have none. */
export const CLASSES: Readonly<Record<string, readonly string[]>> = {
  span: [...FONT, ...SIZE, ...COLOUR],
  code: [LANGUAGE, FORMULA],
  pre: [FORMULA],
  ...Object.fromEntries(['p', 'li', 'blockquote', ...HEADINGS].map((tag) => [tag, ALIGN])),
};

/** What every link has, in this order, after its address. */
export const LINKED = { rel: 'nofollow ugc noopener noreferrer', target: '_blank' } as const;

export const LIST_START = '\\d{1,6}';

/** How many columns or rows a cell of a table takes. */
export const CELL_SPAN = '[1-9]\\d?';
export const SPANNING: readonly string[] = ['colspan', 'rowspan'];

/** A picture of ours, by where it is; the right to see it is added when it is shown. Whose it may be is asked where a post is taken in. */
export const PICTURE_ADDRESS = '/media/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\\.webp';
/** In pixels, so that the page keeps the room until the picture is there. */
export const PICTURE_SIDE = '[1-9]\\d{0,4}';
/** Of the description of a picture, in characters as a person counts them. */
const MAX_PICTURE_TEXT = 300;

const PICTURE = new RegExp(`^(${PICTURE_ADDRESS})(?:\\?[^\\s"<>]*)?$`);

/** The location of a picture of ours, without the right that an answer gave with it; undefined for any other address. */
export const pictureAt = (address: string | undefined): string | undefined =>
  PICTURE.exec(address ?? '')?.[1];

/** The description of a picture as it is stored: one line, of what can be seen. */
export const pictureText = (given: string | undefined): string =>
  cutText(
    visibleText(given ?? '')
      .replace(/[\s\p{Cc}\p{Cs}]+/gu, ' ')
      .trim(),
    MAX_PICTURE_TEXT,
  ).trim();

export const SCHEMES: readonly string[] = ['http', 'https', 'mailto'];

/**
 * An address of the web, of mail or of this host, never of whatever host: no two slashes in front, however they lean.
 *
 * @param sign a pattern of one character of it
 */
export const addressPattern = (sign: string): string =>
  `(?:(?:${SCHEMES.join('|')}):(?:${sign})*|/(?![/\\\\])(?:${sign})*|#(?:${sign})*|[^\\s\\p{Cc}\\p{Bidi_Control}"<>:/\\\\&?#]+(?:[/?#](?:${sign})*)?)`;

const ADDRESS = new RegExp(`^${addressPattern('[^\\s\\p{Cc}\\p{Bidi_Control}"<>]')}$`, 'u');

/** An address as it may stand in a link, in the one way in which it is written; undefined where there is none. */
export function addressOf(given: string | undefined): string | undefined {
  const address = (given ?? '')
    // Browsers leave these out wherever they stand.
    .replace(/[\t\n\r]+/g, '')
    .trim()
    .replace(/[\s\p{Cc}\p{Bidi_Control}"<>]/gu, encodeURIComponent)
    .replace(/^[a-z]+:/i, (scheme) => scheme.toLowerCase());
  return ADDRESS.test(address) ? address : undefined;
}
