import { formulaPieces, writtenFormulas } from '../../../components/rich-text/formula-source';
import { writtenCode } from '../../../components/rich-text/written-text';
import { languageName } from '../../../components/rich-text/enrich-body';

const fence = /^(\s*)(`{3,}|~{3,})\s*([\w+#-]*)$/;
const closingFence = /^\s*(`{3,}|~{3,})\s*$/;
const heading = /^(#{1,6})\s+(\S.*)$/;
const item = /^(\s*)(?:([-*])|(0|[1-9]\d{0,2})([.)]))(\s+)(.*)$/;
const rule = /^ {0,3}(?:-{3,}|\*{3,}|_{3,})\s*$/;
const tableRule = /^\|?\s*:?-+:?\s*(?:\|\s*:?-+:?\s*)+\|?$/;
/** An address may have brackets of its own: `…/Function_(mathematics)`. */
const address = '(?:[^()\\s]|\\([^()\\s]*\\))+';

/** Around words, not within them or around a part of a term: `x**2 + y**2`, `2*3*4`, `(*p)*(*q)` and `f(**a)` stay. */
const emphasis = (mark: string, inner: string): string =>
  `(?<![\\p{Lu}\\p{Ll}\\p{N}*~/\\\\)\\]])${mark}(?=[\\p{L}\\p{N}"'“‘„«¿¡(\`$])(${inner}?(?:[\\p{L}\\p{N}.,:;!?…"'”’»\`$]|\\([^*~()\\n]*\\)))${mark}(?![\\p{Lu}\\p{Ll}\\p{N}*~/(\\[])`;
const bold = emphasis('\\*\\*', '[^*\\n]*');
const strongSign = new RegExp(`${bold}|\\[[^[\\]\\n]+\\]\\(https?:${address}\\)`, 'u');

const isBlank = (line: string | undefined): boolean => line === undefined || line.trim() === '';

/** A heading stands apart. With a single sign it is as likely the comment of a program. */
function hasHeading(lines: readonly string[]): boolean {
  const apart = lines.filter((_, at) => isBlank(lines[at - 1]) && isBlank(lines[at + 1]));
  return (
    apart.some((line) => /^#{2,6}\s+\S/.test(line)) ||
    (apart.some((line) => heading.test(line)) && apart.some((line) => rule.test(line)))
  );
}

/** The lines on which fences open, each with the line on which it closes. One that does not close is text. */
function fencesIn(lines: readonly string[]): Map<number, number> {
  const closings = lines.flatMap((line, at) => {
    const [, mark] = closingFence.exec(line) ?? [];
    return mark === undefined ? [] : [{ at, mark }];
  });
  const fences = new Map<number, number>();
  let next = 0;
  let end = -1;
  for (const [at, line] of lines.entries()) {
    const [, , mark] = at > end ? (fence.exec(line.trimEnd()) ?? []) : [];
    if (mark === undefined) continue;
    while ((closings[next]?.at ?? Infinity) <= at) next += 1;
    for (let index = next; index < closings.length; index += 1)
      if (closings[index]?.mark.startsWith(mark)) {
        end = closings[index]?.at ?? at;
        fences.set(at, end);
        break;
      }
  }
  return fences;
}

/**
 * How far the lines with a plus are indented. Beside them a dash is a minus, in lists of reasons, in sums and in changes of a program:
 * neither may become a bullet.
 */
function indentOfPluses(lines: readonly string[], fences: ReadonlyMap<number, number>): number {
  let least = Infinity;
  let end = -1;
  for (const [at, line] of lines.entries()) {
    end = at > end ? (fences.get(at) ?? end) : end;
    if (at > end && /^\s*\+(?!\d)/.test(line)) least = Math.min(least, line.indexOf('+'));
  }
  return least;
}

/** Items of one kind beneath each other, numbers from 1 on; `- 3` beneath `- 5` may as well be a sum. */
function hasList(lines: readonly string[], fences: ReadonlyMap<number, number>): boolean {
  const signs = indentOfPluses(lines, fences) === 0 ? /^[*]$/ : /^[-*]$/;
  let number = 0;
  let last: string | undefined;
  return lines.some((line) => {
    const [, sign, counted, words = ''] = /^(?:([-*])|(\d{1,3})\.) +(.*)$/.exec(line) ?? [];
    const isItem =
      /^[\p{L}"'“„‘«¿¡`*[(]/u.test(words) &&
      (sign === undefined ? Number(counted) === number + 1 : signs.test(sign));
    number = isItem && counted !== undefined ? number + 1 : 0;
    const isNext = isItem && last === (sign ?? '.');
    // An item may have lines of its own.
    if (isItem) last = sign ?? '.';
    else if (!/^\s+\S/.test(line)) last = undefined;
    return isNext;
  });
}

/** Text that is Markdown beyond doubt: terms, programs, and words with a star or a dash in them stay as they are. */
export function looksLikeMarkdown(text: string): boolean {
  const lines = text.split(/\r?\n/);
  const fences = fencesIn(lines);
  return (
    fences.size > 0 ||
    lines.some((line, at) => tableRule.test(line.trim()) && (lines[at - 1] ?? '').includes('|')) ||
    hasHeading(lines) ||
    strongSign.test(text) ||
    formulaPieces(text).some((piece) => piece.kind === 'formula' && piece.isBlock) ||
    hasList(lines, fences)
  );
}

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

const inlineParts = new RegExp(
  [
    '(?<![\\p{Lu}\\p{Ll}\\p{N}`=])(`+)(?!`)(.+?)(?<!`)\\1(?![`\\p{Lu}\\p{Ll}\\p{N}])',
    '\\$\\$[^$]+\\$\\$',
    '\\$[^\\s$](?:[^$\\n]*[^\\s$])?\\$',
    bold,
    emphasis('\\*', '[^*\\n]*'),
    emphasis('~~', '[^~\\n]*'),
    `!?\\[([^[\\]\\n]+)\\]\\(((?:https?|mailto):${address})\\)`,
  ].join('|'),
  'gu',
);

function inline(text: string): string {
  let html = '';
  let end = 0;
  for (const match of text.matchAll(inlineParts)) {
    const [whole, , code, bold, italic, struck, words, address] = match;
    html += escaped(text.slice(end, match.index));
    end = match.index + whole.length;
    if (code !== undefined) html += `<code>${escaped(code)}</code>`;
    else if (bold !== undefined) html += `<strong>${inline(bold)}</strong>`;
    else if (italic !== undefined) html += `<em>${inline(italic)}</em>`;
    else if (struck !== undefined) html += `<s>${inline(struck)}</s>`;
    else if (words !== undefined && address !== undefined)
      html += `<a href="${escaped(address)}">${escaped(words)}</a>`;
    // A formula, which is drawn with those of any other text.
    else html += escaped(whole);
  }
  return html + escaped(text.slice(end));
}

/** Stands for a bar that parts no cells: no character of any text. */
const KEPT_BAR = '\uFFFF';

/** A bar within code or a formula, or behind a backslash, parts no cells. */
function cellsOf(line: string): string[] {
  let masked = '';
  let end = 0;
  const kept = [
    ...writtenCode(line).map(({ start, end: next }) => ({ start, next, sign: /\\?\|/g })),
    ...writtenFormulas(line).map(({ start, end: next }) => ({ start, next, sign: /\|/g })),
  ].sort((one, other) => one.start - other.start);
  for (const { start, next, sign } of kept) {
    if (start < end) continue;
    masked += line.slice(end, start).replaceAll('\\|', KEPT_BAR);
    masked += line.slice(start, next).replace(sign, KEPT_BAR);
    end = next;
  }
  masked += line.slice(end).replaceAll('\\|', KEPT_BAR);
  const cells = masked.split('|').map((cell) => cell.trim().replaceAll(KEPT_BAR, '|'));
  if (cells[0] === '') cells.shift();
  if (cells.at(-1) === '') cells.pop();
  return cells;
}

/** A body of the greatest length holds no more. */
const MAX_CELLS = 4000;

/** The library would fill short rows up from the left. */
function table(lines: readonly string[]): string | undefined {
  const rows = lines.map(cellsOf);
  const width = rows.reduce((most, cells) => Math.max(most, cells.length), 1);
  if (width * rows.length > MAX_CELLS) return undefined;
  const written = rows.map((cells, at) => {
    const tag = at === 0 ? 'th' : 'td';
    const filled = [...cells, ...Array.from({ length: width - cells.length }, () => '')];
    return `<tr>${filled.map((cell) => `<${tag}>${inline(cell)}</${tag}>`).join('')}</tr>`;
  });
  return `<table>${written.join('')}</table>`;
}

/** Lines without the white space with which all of them begin, as far as it is that of `most`. */
function dedented(lines: readonly string[], most: string): string[] {
  let shared = most;
  for (const line of lines) while (!isBlank(line) && !line.startsWith(shared)) shared = shared.slice(0, -1);
  return lines.map((line) => line.slice(shared.length));
}

interface ListItem {
  indent: number;
  /** Its dash, star, dot or bracket: another one begins another list. */
  kind: string;
  /** As it is written; none of a bullet. */
  number?: string;
  /** Length of everything before its words, in characters. */
  width: number;
  words: string;
}

function itemIn(line: string): ListItem | undefined {
  const match = item.exec(line);
  if (!match) return undefined;
  const [, indent = '', sign, number, delimiter = '', space = '', words = ''] = match;
  const marker = `${indent}${sign ?? number ?? ''}${delimiter}${space}`;
  return {
    indent: indent.length,
    kind: sign ?? delimiter,
    ...(number === undefined ? {} : { number }),
    width: marker.length,
    words,
  };
}

/** Lines below an item that may be its own. */
const indented = /^(?:\t|\s{2})\s*\S/;

/** Deeper quotes are text, as a body holds no deeper elements either. */
const DEEPEST_QUOTE = 20;

/** Markdown as HTML: what students and chat bots write of it. What is none of it stays as it is. */
export const markdownHtml = (text: string): string =>
  blocksOf(text.replace(/\r\n?/g, '\n').split('\n'), 0, false);

/** @param isItem the first line is the words of an item */
// oxlint-disable-next-line complexity -- one branch for each kind of block; their order matters and is to be seen
function blocksOf(lines: readonly string[], depth: number, isItem: boolean): string {
  const fences = fencesIn(lines);
  const pluses = indentOfPluses(lines, fences);
  const blocks: string[] = [];
  /** The list that ended last: what a list right below it must not be joined with. */
  let last = { kind: '', next: 0, place: -1 };
  let at = 0;
  const takeWhile = (fits: (line: string) => boolean): string[] => {
    const from = at;
    while (at < lines.length && fits(lines[at] ?? '')) at += 1;
    return lines.slice(from, at);
  };
  const itemAt = (place: number): ListItem | undefined => {
    const found = itemIn(lines[place] ?? '');
    return found?.kind === '-' && found.indent >= pluses ? undefined : found;
  };
  /** Those below an item, with the blank lines among them, and code to its end. */
  const takeOwnLines = (indent: number): string[] => {
    const from = at;
    for (;;) {
      let below = at;
      while (below < lines.length && isBlank(lines[below])) below += 1;
      const found = itemAt(below);
      if (found ? found.indent <= indent : !indented.test(lines[below] ?? '')) return lines.slice(from, at);
      at = (fences.get(below) ?? below) + 1;
    }
  };
  const putList = ({ kind, number }: ListItem, entries: readonly string[]): void => {
    const from = Number(number ?? 0);
    const isBehindList = last.place === blocks.length && (last.next === 0) === (number === undefined);
    // The library joins neighbouring lists.
    if (isBehindList && (last.kind !== kind || last.next !== from)) blocks.push('<p></p>');
    const start = from === 1 ? '' : ` start="${from}"`;
    const items = entries.join('');
    blocks.push(number === undefined ? `<ul>${items}</ul>` : `<ol${start}>${items}</ol>`);
    last = { kind, next: number === undefined ? 0 : from + entries.length, place: blocks.length };
  };
  /** Another kind of marker and a jump of the number begin another list, but `1.` may stand before every item. */
  const takeList = (first: ListItem): void => {
    const entries: string[] = [];
    let isUncounted = true;
    for (;;) {
      const found = itemAt(at);
      if (!found || found.indent > first.indent || found.kind !== first.kind) break;
      isUncounted &&= found.number === '1';
      const isNext = Number(found.number) === Number(first.number) + entries.length;
      if (found.number !== undefined && !isUncounted && !isNext) break;
      at += 1;
      const own = takeOwnLines(first.indent);
      const indent = own.some((line) => line.startsWith('\t')) ? '\t' : ' '.repeat(found.width);
      entries.push(`<li>${blocksOf([found.words, ...dedented(own, indent)], depth + 1, true)}</li>`);
    }
    putList(first, entries);
  };
  const closingFormula = (): number => {
    if (lines[at]?.trim() !== '$$') return -1;
    let end = at + 1;
    while (end < lines.length && lines[end]?.trim() !== '$$') end += 1;
    return end < lines.length ? end : -1;
  };
  const takeParagraph = (): void => {
    const first = at;
    const words = takeWhile(
      (next) =>
        at === first ||
        !(
          isBlank(next) ||
          fences.has(at) ||
          // With a single sign it is as likely a comment, also between the lines of an item.
          /^#{2,6}\s+\S/.test(next) ||
          itemAt(at) ||
          next.startsWith('>') ||
          closingFormula() > 0
        ),
    );
    blocks.push(`<p>${words.map(inline).join('<br>')}</p>`);
  };
  if (isItem) takeParagraph();
  while (at < lines.length) {
    const line = lines[at] ?? '';
    const closing = fences.get(at);
    const [, level = '', title = ''] = heading.exec(line) ?? [];
    const found = itemAt(at);
    if (closing !== undefined) {
      const [, indent = '', , language = ''] = fence.exec(line.trimEnd()) ?? [];
      const code = dedented(lines.slice(at + 1, closing), indent).join('\n');
      at = closing + 1;
      const name = language === '' ? '' : ` class="language-${languageName(language)}"`;
      blocks.push(`<pre><code${name}>${escaped(code)}</code></pre>`);
    } else if (level !== '') {
      at += 1;
      const words = title
        .trimEnd()
        .replace(/(?<=\s)#+$/, '')
        .trimEnd();
      blocks.push(`<h${level.length}>${inline(words)}</h${level.length}>`);
    } else if (closingFormula() > 0) {
      const end = closingFormula();
      blocks.push(`<pre class="nimo-math">${escaped(lines.slice(at + 1, end).join('\n'))}</pre>`);
      at = end + 1;
    } else if (/^\s*\$\$[^$]+\$\$\s*$/.test(line)) {
      at += 1;
      blocks.push(`<pre class="nimo-math">${escaped(line.trim().slice(2, -2).trim())}</pre>`);
    } else if (rule.test(line)) {
      at += 1;
      blocks.push('<hr>');
    } else if (line.includes('|') && tableRule.test((lines[at + 1] ?? '').trim())) {
      const drawn = lines[at + 1] ?? '';
      at += 2;
      const rows = takeWhile((next) => next.includes('|'));
      const asWritten = () => `<p>${[line, drawn, ...rows].map(inline).join('<br>')}</p>`;
      blocks.push(table([line, ...rows]) ?? asWritten());
    } else if (found) {
      takeList(found);
    } else if (depth < DEEPEST_QUOTE && line.startsWith('>')) {
      const quoted = takeWhile((next) => next.startsWith('>')).map((next) => next.replace(/^>\s?/, ''));
      blocks.push(`<blockquote>${blocksOf(quoted, depth + 1, false)}</blockquote>`);
    } else if (line.trim() === '') at += 1;
    else takeParagraph();
  }
  return blocks.join('');
}
