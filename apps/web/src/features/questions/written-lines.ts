import { FORMULA_CLASS } from '../../components/rich-text/enrich-body';

/** A line feed in HTML is a space, but for those in code. */
const folded = (text: string): string => text.replace(/\s*\n\s*/g, ' ');

function inlineText(node: Node): string {
  if (!(node instanceof Element)) return folded(node.textContent ?? '');
  if (node.localName === 'br') return '\n';
  const text = [...node.childNodes].map(inlineText).join('');
  if (node.localName !== 'code') return text;
  return node.classList.contains(FORMULA_CLASS) ? `$${text.trim()}$` : `\`${text}\``;
}

const FENCE = '```';

function codeBlock(pre: Element): string {
  if (pre.classList.contains(FORMULA_CLASS)) return `$$${pre.textContent}$$`;
  const language = /(?:^|\s)language-(\S+)/.exec(pre.querySelector('code')?.className ?? '')?.[1];
  return `${FENCE}${language ?? ''}\n${pre.textContent}\n${FENCE}`;
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

const tableLines = (table: Element): string[] =>
  [...table.querySelectorAll('tr')].map((row) =>
    [...row.children].map((cell) => folded(linesIn(cell).join('\n'))).join(' | '),
  );

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
  let words = '';
  const endLine = (): void => {
    if (words.trim() !== '') lines.push(...words.replace(/\s+$/, '').split('\n'));
    words = '';
  };
  for (const node of parent.childNodes) {
    const block = node instanceof Element ? blockLines(node) : undefined;
    if (block) {
      endLine();
      lines.push(...block);
    } else words += inlineText(node);
  }
  endLine();
  return lines;
}

/** A body line by line, as it is copied: lists, tables, formulas and code keep the signs by which an editor knows them. */
export function writtenLines(html: string): string {
  const { body } = new DOMParser().parseFromString(html, 'text/html');
  return linesIn(body).join('\n').trim();
}
