import { FORMULA_CLASS } from '../../components/rich-text/enrich-body';
import { findFormulas } from '../../components/rich-text/formula-source';
import { findCode } from '../../components/rich-text/split-markup';

export const FENCE = '```';

/** Collapses line feeds, which are spaces in HTML outside of code. */
const folded = (text: string): string => text.replace(/\s*\n\s*/g, ' ');

/** Text, code or a formula in a line, with possible notations, simplest first. */
interface InlinePiece {
  plain: string;
  notations: readonly string[];
  /** Whether parsing `text` finds the piece at or after `start`. */
  isParsed: (text: string, start: number) => boolean;
}

const textPiece = (plain: string): InlinePiece => ({ plain, notations: [plain], isParsed: () => true });

function longestRun(text: string): number {
  return (text.match(/`+/g) ?? []).reduce((longest, run) => Math.max(longest, run.length), 0);
}

function codePiece(plain: string): InlinePiece {
  const sign = '`'.repeat(longestRun(plain) + 1);
  return {
    plain,
    notations: spaced(`${sign}${/^`|`$/.test(plain) ? ` ${plain} ` : plain}${sign}`),
    isParsed: (text, from) => findCode(text).some(({ text: code, start }) => start >= from && code === plain),
  };
}

/** Appends an empty TeX group, which renders nothing, to a source that would parse as a price or a name. */
function formulaPiece(source: string): InlinePiece {
  const sources = [source, `${source}{}`];
  return {
    plain: source,
    notations: sources.flatMap((it) => spaced(`$${it}$`)),
    isParsed: (text, from) =>
      findFormulas(text).some((formula) => formula.start >= from && sources.includes(formula.source)),
  };
}

/** Variants with zero-width spaces: markers inside a word are not parsed. */
const spaced = (signed: string): string[] => [
  signed,
  ...[`\u200b${signed}`, `${signed}\u200b`, `\u200b${signed}\u200b`],
];

function piecesOf(node: Node): InlinePiece[] {
  if (!(node instanceof Element)) return [textPiece(folded(node.textContent ?? ''))];
  if (node.localName === 'br') return [textPiece('\n')];
  if (node.localName !== 'code') return [...node.childNodes].flatMap(piecesOf);
  return [
    node.classList.contains(FORMULA_CLASS)
      ? formulaPiece(node.textContent.trim())
      : codePiece(folded(node.textContent)),
  ];
}

/** Writes code and formulas in the first notation that parses, or as plain text. */
function inlineText(pieces: readonly InlinePiece[]): string {
  let text = '';
  for (const [index, { plain, notations, isParsed }] of pieces.entries()) {
    const line = text.slice(text.lastIndexOf('\n') + 1);
    const after = pieces[index + 1]?.plain ?? '';
    text += notations.find((it) => isParsed(`${line}${it}${after}`, line.length)) ?? plain;
  }
  return text;
}

function codeBlock(pre: Element): string {
  if (pre.classList.contains(FORMULA_CLASS)) return `$$${pre.textContent}$$`;
  const language = /(?:^|\s)language-(\S+)/.exec(pre.querySelector('code')?.className ?? '')?.[1];
  const fence = '`'.repeat(Math.max(FENCE.length, longestRun(pre.textContent) + 1));
  return `${fence}${language ?? ''}\n${pre.textContent}\n${fence}`;
}

/** Keeps fences at the start of the line, where they are parsed. */
function listLines(list: Element): string[] {
  const first = Number(list.getAttribute('start') ?? 1);
  return [...list.children].flatMap((item, at) => {
    const marker = list.localName === 'ol' ? `${first + at}.` : '-';
    const [line = '', ...more] = linesIn(item);
    const indented = more.map((it) => (it.startsWith(FENCE) ? it : `${' '.repeat(marker.length)} ${it}`));
    return line.startsWith(FENCE) ? [marker, line, ...indented] : [`${marker} ${line}`, ...indented];
  });
}

/** Text of a cell on one line; code blocks become inline code. */
function cellText(cell: Element): string {
  for (const pre of cell.querySelectorAll(`pre:not(.${FORMULA_CLASS})`)) {
    const code = cell.ownerDocument.createElement('code');
    code.append(folded(pre.textContent));
    pre.replaceWith(code);
  }
  return folded(linesIn(cell).join('\n'));
}

const tableLines = (table: Element): string[] =>
  [...table.querySelectorAll('tr')].map((row) => [...row.children].map(cellText).join(' | '));

function blockLines(element: Element): string[] | undefined {
  switch (element.localName) {
    case 'pre':
      return [codeBlock(element)];
    case 'ul':
    case 'ol':
      return listLines(element);
    case 'table':
      return tableLines(element);
    case 'hr':
      return [''];
    default:
      if (!/^(?:p|h\d|blockquote)$/.test(element.localName)) return undefined;
      return element.hasChildNodes() ? linesIn(element) : [''];
  }
}

function linesIn(parent: Element): string[] {
  const lines: string[] = [];
  let pieces: InlinePiece[] = [];
  const endLine = (): void => {
    const words = inlineText(pieces);
    if (words.trim() !== '') lines.push(...words.replace(/\s+$/, '').split('\n'));
    pieces = [];
  };
  for (const node of parent.childNodes) {
    const block = node instanceof Element ? blockLines(node) : undefined;
    if (block) {
      endLine();
      lines.push(...block);
    } else pieces.push(...piecesOf(node));
  }
  endLine();
  return lines;
}

/** Converts a body to plain text for the clipboard, with Markdown-like lists, tables, formulas and code. */
export function bodyToText(html: string): string {
  const { body } = new DOMParser().parseFromString(html, 'text/html');
  return linesIn(body).join('\n').trim();
}
