import { formulaPieces, withoutHalfFormula, type TextPiece } from './formula-source';

/** Words, a formula, or code. */
export type MarkupPiece = TextPiece | { kind: 'code'; text: string; isBlock: boolean };

/** Code between backticks and its position in the text, including the backticks. */
export interface CodeSpan {
  text: string;
  /** Three backticks on their own line, as a fence. */
  isBlock: boolean;
  /** Language of a fence; empty without one. */
  language: string;
  start: number;
  end: number;
}

const FENCE = 3;
const padded = /^ (`.*|.*`) $/;
const fenced = /^([\w+#-]{0,30})\n([^]*)$/;
/** Neither inside a word nor after `=`, where a shell runs a command. */
const notBefore = /[\p{Lu}\p{Ll}\p{N}`\\$=\uFFFC]/u;
const notBehind = /^[\p{Lu}\p{Ll}\p{N}`]/u;

function codeBetween(
  text: string,
  start: number,
  from: number,
  to: number,
  end: number,
): CodeSpan | undefined {
  const source = text.slice(from, to);
  const isFence = from - start >= FENCE && /(?:^|\n)$/.test(text.slice(Math.max(0, start - 1), start));
  const [, language = '', block] = (isFence && fenced.exec(source)) || [];
  if (block !== undefined) return { text: block.replace(/\n$/, ''), isBlock: true, language, start, end };
  // A space on both sides, as in Markdown, separates backticks of the code from those around it.
  const code = padded.exec(source)?.[1] ?? source;
  return /^\S(?:.*\S)?$/.test(code) ? { text: code, isBlock: false, language: '', start, end } : undefined;
}

/** Code between equal numbers of backticks, inline or fenced. Linear in the length of the text. */
export function findCode(text: string): CodeSpan[] {
  const runs = [...text.matchAll(/`+/g)].map(({ 0: { length }, index }) => ({ start: index, length }));
  const next: number[] = [];
  const lastOfLength = new Map<number, number>();
  for (let at = runs.length - 1; at >= 0; at -= 1) {
    const { length = 0 } = runs[at] ?? {};
    next[at] = lastOfLength.get(length) ?? -1;
    lastOfLength.set(length, at);
  }
  const found: CodeSpan[] = [];
  for (let at = 0; at < runs.length; at += 1) {
    const [open, close] = [runs[at], runs[next[at] ?? -1]];
    if (!open || !close || notBefore.test(text[open.start - 1] ?? '')) continue;
    const end = close.start + close.length;
    if (notBehind.test(text.slice(end, end + 2))) continue;
    const code = codeBetween(text, open.start, open.start + open.length, close.start, end);
    if (!code) continue;
    found.push(code);
    at = next[at] ?? at;
  }
  return found;
}

/** Splits plain text into words, code and formulas. */
export function splitMarkup(text: string): MarkupPiece[] {
  const pieces: MarkupPiece[] = [];
  let end = 0;
  for (const code of findCode(text)) {
    pieces.push(...formulaPieces(text.slice(end, code.start)));
    pieces.push({ kind: 'code', text: code.text, isBlock: code.isBlock });
    end = code.end;
  }
  pieces.push(...formulaPieces(text.slice(end)));
  return pieces;
}

/** The same for an excerpt of a comment. A formula cut at its end is left out. */
export function splitExcerptMarkup(excerpt: string): MarkupPiece[] {
  const pieces = splitMarkup(excerpt);
  const last = pieces.pop();
  if (last?.kind !== 'text') return last ? [...pieces, last] : pieces;
  return [...pieces, { kind: 'text', text: withoutHalfFormula(last.text, excerpt) }];
}
