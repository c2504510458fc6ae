/** Words, or the TeX source of a formula among them. */
export type TextPiece =
  | { kind: 'text'; text: string }
  | { kind: 'formula'; source: string; isBlock: boolean };

/** In characters. A page of mathematics has formulas of a few hundred. */
export const MAX_FORMULA_LENGTH = 2000;

interface Found {
  source: string;
  isBlock: boolean;
  /** Where the text goes on. */
  end: number;
}

const wordCharacter = /[\p{L}\p{N}]/u;
const texMark = /[\\^_{}=<>+*|]/;
const twoWords = /\p{L}{2,}\s+\p{L}{2,}/u;
/** What a price leaves between two signs: `$5-$6`. */
const amount = /^\d[\d.,\s]*[-–/]?$/;

function isTeX(source: string): boolean {
  return texMark.test(source) || !twoWords.test(source);
}

/** Not when a letter or a digit comes right after it, as in `$5-$6` and `$HOME/$PATH`; `$n$th` is one. */
function mayEndBefore(next: string, source: string): boolean {
  if (!wordCharacter.test(next)) return true;
  return !/\p{N}/u.test(next) && (texMark.test(source) || source.length <= 3);
}

function isInlineSource(source: string): boolean {
  return /^\S(?:.*\S)?$/.test(source) && isTeX(source);
}

function closing(text: string, fence: string, from: number): number {
  const limit = from + MAX_FORMULA_LENGTH + fence.length;
  for (let at = from; at < limit && at < text.length; at += 1) {
    if (text[at] === '\\') at += 1;
    else if (text.startsWith(fence, at)) return at;
  }
  return -1;
}

function formulaAt(text: string, at: number): Found | undefined {
  const before = text[at - 1] ?? '';
  if (before === '\\' || before === '$' || wordCharacter.test(before)) return undefined;
  const isBlock = text.startsWith('$$', at);
  const fence = isBlock ? '$$' : '$';
  const from = at + fence.length;
  const close = closing(text, fence, from);
  if (close < 0) return undefined;
  const source = text.slice(from, close);
  const end = close + fence.length;
  if (isBlock) return source.trim() === '' ? undefined : { source: source.trim(), isBlock, end };
  if (!isInlineSource(source) || !mayEndBefore(text[end] ?? '', source)) return undefined;
  return { source, isBlock, end };
}

/**
 * Takes `$…$` and `$$…$$` apart from the words around them. Prices stay words: what begins or ends with a space, goes over a
 * line or reads as prose is no formula. In time proportional to the text, whatever it is made of.
 */
export function formulaPieces(text: string): TextPiece[] {
  const pieces: TextPiece[] = [];
  let end = 0;
  let at = text.indexOf('$');
  while (at >= 0) {
    const found = formulaAt(text, at);
    if (found) {
      if (at > end) pieces.push({ kind: 'text', text: text.slice(end, at) });
      pieces.push({ kind: 'formula', source: found.source, isBlock: found.isBlock });
      end = found.end;
    }
    at = text.indexOf('$', found ? end : at + 1);
  }
  if (end < text.length) pieces.push({ kind: 'text', text: text.slice(end) });
  return pieces;
}

/** Whether what was just typed between two dollar signs becomes a formula; nothing that may yet grow into a price. */
export function isTypedFormula(source: string): boolean {
  return isInlineSource(source) && !amount.test(source);
}
