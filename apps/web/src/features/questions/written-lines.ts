import { FORMULA_CLASS } from '../../components/rich-text/enrich-body';
import { writtenFormulas } from '../../components/rich-text/formula-source';
import { writtenCode } from '../../components/rich-text/written-text';

export const FENCE = '```';

/** A line feed in HTML is a space, but for those in code. */
const folded = (text: string): string => text.replace(/\s*\n\s*/g, ' ');

/** In a line: words, or code and formulas with the ways of writing them, the plainest first. */
interface InlinePiece {
  plain: string;
  signed: readonly string[];
  isRead: (text: string) => boolean;
}

const inWords = (plain: string): InlinePiece => ({ plain, signed: [plain], isRead: () => true });

function longestRun(text: string): number {
  return Math.max(0, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
}

function codePiece(plain: string): InlinePiece {
  const sign = '`'.repeat(longestRun(plain) + 1);
  return {
    plain,
    signed: spaced(`${sign}${/^`|`$/.test(plain) ? ` ${plain} ` : plain}${sign}`),
    isRead: (text) => writtenCode(text).some((code) => code.text === plain),
  };
}

/** With a group of nothing, which draws nothing, where the source alone reads as a price, a name or an open end. */
function formulaPiece(source: string): InlinePiece {
  const sources = [source, `${source}{}`];
  return {
    plain: source,
    signed: sources.flatMap((it) => spaced(`$${it}$`)),
    isRead: (text) => writtenFormulas(text).some((formula) => sources.includes(formula.source)),
  };
}

/** Beside letters and digits stands a space that cannot be seen: signs within a word are words. */
const spaced = (signed: string): string[] => [
  signed,
  ...[`\u200b${signed}`, `${signed}\u200b`, `\u200b${signed}\u200b`],
];

function piecesOf(node: Node): InlinePiece[] {
  if (!(node instanceof Element)) return [inWords(folded(node.textContent ?? ''))];
  if (node.localName === 'br') return [inWords('\n')];
  if (node.localName !== 'code') return [...node.childNodes].flatMap(piecesOf);
  return [
    node.classList.contains(FORMULA_CLASS)
      ? formulaPiece(node.textContent.trim())
      : codePiece(folded(node.textContent)),
  ];
}

const NEAR = 40;

/** Code and formulas have their signs in such a way that a reader of the text knows them; where there is none, they are words. */
function inlineText(pieces: readonly InlinePiece[]): string {
  let text = '';
  for (const [index, { plain, signed, isRead }] of pieces.entries()) {
    const before = text.slice(-NEAR).replace(/^.*\n/s, '');
    const after = (pieces[index + 1]?.signed[0] ?? '').slice(0, NEAR);
    text += signed.find((it) => isRead(`${before}${it}${after}`)) ?? plain;
  }
  return text;
}

function codeBlock(pre: Element): string {
  if (pre.classList.contains(FORMULA_CLASS)) return `$$${pre.textContent}$$`;
  const language = /(?:^|\s)language-(\S+)/.exec(pre.querySelector('code')?.className ?? '')?.[1];
  const fence = '`'.repeat(Math.max(FENCE.length, longestRun(pre.textContent) + 1));
  return `${fence}${language ?? ''}\n${pre.textContent}\n${fence}`;
}

/** A fence stays at the start of its line, where it is known as one. */
function listLines(list: Element): string[] {
  const first = Number(list.getAttribute('start') ?? 1);
  return [...list.children].flatMap((item, at) => {
    const marker = list.localName === 'ol' ? `${first + at}.` : '-';
    const [line = '', ...more] = linesIn(item);
    const indented = more.map((it) => (it.startsWith(FENCE) ? it : `${' '.repeat(marker.length)} ${it}`));
    return line.startsWith(FENCE) ? [marker, line, ...indented] : [`${marker} ${line}`, ...indented];
  });
}

/** A row is a line: a block of code within it is code in a line. */
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

/** A body line by line, as it is copied: lists, tables, formulas and code keep the signs by which an editor knows them. */
export function writtenLines(html: string): string {
  const { body } = new DOMParser().parseFromString(html, 'text/html');
  return linesIn(body).join('\n').trim();
}
