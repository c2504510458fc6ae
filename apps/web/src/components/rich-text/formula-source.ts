// With its extension: `npm run bench` loads this module in Node.js.
import { findLinks } from './find-links.js';

/** Text, or the TeX source of a formula. */
export type TextPiece =
  | { kind: 'text'; text: string }
  | { kind: 'formula'; source: string; isBlock: boolean };

/** In characters. A page of mathematics has formulas of a few hundred. */
export const MAX_FORMULA_LENGTH = 2000;

/** A formula and its position in the text, including the dollar signs. */
export interface FormulaSpan {
  source: string;
  isBlock: boolean;
  start: number;
  end: number;
}

const texMark = /[\\^_{}=<>+*|]/;
const twoWords = /\p{L}{2,}[.,;:!?]?\s+\p{L}{2,}/u;
/** A price followed by text: `$5 each$`. */
const amountInWords = /^\d[\d.,]*\s+\p{L}/u;
/** Characters that occur in formulas and not in text about prices, such as `$5+VAT or 6$`. */
const strongTexMark = /[\\^_{}=<>|]/;
/** `She has $7; 12$ are left.` */
const amountBeforeStop = /^\d[\d.,]*[.;:!?]\s/;
/** No formula begins or ends inside something else: `$PATH:$HOME`, `$a.$b`, `"$x"`, `$$$`. */
const openStart = /^[;,)\]!?&'"`:@#%$]/;
const openEnd = /(?:[-+*/=:([<>"`~@^]|(?<!\\)[{&#%_])$/;
const openEndBeforeName = /[-+*/=:([{<>&"`~@#%^_.,;'|?!]$/;
/** Names of programs and brackets of a shell: `$is_ok$`, `${name}$`. */
const programName = /^(?:\p{L}{2,}(?:_\p{L}{2,})+|\{[^\\^]*\})$/u;

const countOf = (text: string, sign: RegExp): number => text.match(sign)?.length ?? 0;

/** Brackets are balanced, and bars at the start come in pairs. TeX allows unbalanced ones after a backslash. */
function isBalanced(source: string): boolean {
  if (source.includes('\\')) return true;
  return (
    countOf(source, /[([{]/g) === countOf(source, /[)\]}]/g) &&
    !(source.startsWith('|') && countOf(source, /\|/g) % 2 === 1)
  );
}

function isPrice(source: string): boolean {
  if (strongTexMark.test(source)) return false;
  return amountBeforeStop.test(source) || (/^\d/.test(source) && twoWords.test(source));
}

function isTeX(source: string): boolean {
  // A single character may be meant literally: `$=$`.
  if ([...source].length > 1 && (openStart.test(source) || openEnd.test(source))) return false;
  if (!isBalanced(source) || isPrice(source) || programName.test(source)) return false;
  return texMark.test(source) || !(twoWords.test(source) || amountInWords.test(source));
}

/** The ending of an ordinal or a plural: `$n$th`, `$k$s`. */
const wordEnding = /^(?:s|\p{Ll}{2,5})(?![\p{L}\p{N}_])/u;

/**
 * Not before a name, as in `$a$b` and `$HOME/$PATH`, or a shell's brackets. Variables of a shell or PHP stay text,
 * and so do prices: `$5-$6`.
 */
function mayEndBefore(following: string, source: string): boolean {
  if (!/^[\p{Lu}\p{Ll}\p{N}_{($]/u.test(following)) return true;
  if (!wordEnding.test(following) || openEndBeforeName.test(source)) return false;
  return source.length === 1 || /[\\^_{}]/.test(source);
}

function isInlineSource(source: string): boolean {
  return /^\S(?:.*\S)?$/.test(source) && isTeX(source);
}

function closing(text: string, fence: string, from: number): number {
  const limit = from + MAX_FORMULA_LENGTH + fence.length;
  for (let at = from; at < limit && at < text.length; at += 1) {
    if (text[at] === '\\') at += 1;
    else if (text.startsWith(fence, at) && text[at + fence.length] !== literalMark) return at;
  }
  return -1;
}

/** Scripts without capitals may precede it directly: most are written without spaces. */
const notBefore = /[\p{Lu}\p{Ll}\p{N}\\$)\]}%&|^~@#`]/u;

/** The lower end of a price range: `$5-$6`. */
const priceBefore = /\$\d[\d.,]*\s?[-–—/]\s?$/;

/** In marked text, around each formula and after a literal dollar sign (`markedTextOf` of the read models). */
const formulaMark = '\u2063';
const literalMark = '\u2060';

function formulaAt(text: string, start: number): FormulaSpan | undefined {
  if (text[start + 1] === literalMark) return undefined;
  if (notBefore.test(text[start - 1] ?? '')) return undefined;
  if (priceBefore.test(text.slice(Math.max(0, start - 16), start))) return undefined;
  const isBlock = text.startsWith('$$', start);
  const fence = isBlock ? '$$' : '$';
  const from = start + fence.length;
  const close = closing(text, fence, from);
  if (close < 0) return undefined;
  const end = close + fence.length;
  const source = text.slice(from, close);
  if (isBlock) {
    const trimmed = source.trim();
    return trimmed !== '' && isTeX(trimmed) ? { source: trimmed, isBlock, start, end } : undefined;
  }
  if (!isInlineSource(source) || !mayEndBefore(text.slice(end, end + 8), source)) return undefined;
  return { source, isBlock, start, end };
}

/**
 * The formulas between dollar signs in a text: `$$…$$`, or a pair `$…$` that is clearly one. Not if it begins or ends
 * with a space, spans lines, lies in a URL, or reads as prose, prices or program variables. Linear in the length of
 * the text, whatever its content.
 */
export function findFormulas(text: string): FormulaSpan[] {
  const formulas: FormulaSpan[] = [];
  let at = text.indexOf('$');
  const links = at < 0 ? [] : findLinks(text);
  for (let next = 0; at >= 0;) {
    const link = links[next];
    if (link && link.end <= at) {
      next += 1;
      continue;
    }
    const isInLink = link !== undefined && link.start < at;
    const found = isInLink ? undefined : formulaAt(text, at);
    if (found) formulas.push(found);
    at = text.indexOf('$', found?.end ?? (isInLink ? link.end : at + 1));
  }
  return formulas;
}

/** Splits a text into words and formulas. */
export const formulaPieces = (text: string): TextPiece[] => piecesOf(text, findFormulas(text));

function piecesOf(text: string, formulas: readonly FormulaSpan[]): TextPiece[] {
  const pieces: TextPiece[] = [];
  let end = 0;
  for (const { start, end: next, source, isBlock } of formulas) {
    if (start > end) pieces.push({ kind: 'text', text: text.slice(end, start) });
    pieces.push({ kind: 'formula', source, isBlock });
    end = next;
  }
  if (end < text.length) pieces.push({ kind: 'text', text: text.slice(end) });
  return pieces;
}

/** The marked formulas of a text, and those between dollar signs without marks. */
export function markedFormulas(text: string): FormulaSpan[] {
  let start = 0;
  return text.split(formulaMark).flatMap((part, index, { length }): FormulaSpan[] => {
    const at = start;
    start += part.length + formulaMark.length;
    if (index % 2 === 0)
      return findFormulas(part).map((found) => ({
        ...found,
        start: at + found.start,
        end: at + found.end,
      }));
    if (index === length - 1) return [];
    return [{ source: part.slice(1, -1), isBlock: false, start: at - formulaMark.length, end: start }];
  });
}

/** A marked text without its marks. */
export const markedWords = (text: string): string =>
  text.replaceAll(formulaMark, '').replaceAll(`$${literalMark}`, () => '$');

/** In code points; the API cuts excerpts at this length, also inside a formula. */
const EXCERPT_LENGTH = 160;
/** The start of an unmarked formula at the end of an excerpt. */
const halfFormula = /\${1,2}(?![\s\u2060$])[^$]*[\\^][^$]*?(?=…?$)/;

const isCut = (excerpt: string): boolean => Array.from(excerpt).length >= EXCERPT_LENGTH - 1;

/** Endings of a cut excerpt: the formula that was cut is left out. */
export const withoutHalfFormula = (words: string, excerpt: string): string =>
  isCut(excerpt) ? words.replace(halfFormula, '') : words;

/** Words and formulas of an excerpt. A formula cut at its end is left out. */
export function excerptPieces(excerpt: string): TextPiece[] {
  const marks = excerpt.split(formulaMark).length - 1;
  const whole = marks % 2 === 1 ? excerpt.slice(0, excerpt.lastIndexOf(formulaMark)) : excerpt;
  return piecesOf(whole, markedFormulas(whole)).map((piece, index, { length }) => {
    if (piece.kind === 'formula') return piece;
    const mayBeHalf = whole === excerpt && index === length - 1;
    return {
      kind: 'text',
      text: markedWords(mayBeHalf ? withoutHalfFormula(piece.text, excerpt) : piece.text),
    };
  });
}
