import { formulaPieces, findFormulas } from '../../../components/rich-text/formula-source';
import { findCode } from '../../../components/rich-text/split-markup';
import { languageName } from '../../../components/rich-text/enrich-body';

const fence = /^(\s*)(`{3,}|~{3,})\s*([\w+#-]*)$/;
const closingFence = /^\s*(`{3,}|~{3,})\s*$/;
const heading = /^(#{1,6})\s+(\S.*)$/;
const item = /^(\s*)(?:([-*])|(0|[1-9]\d{0,2})([.)]))(\s+)(.*)$/;
const rule = /^ {0,3}(?:-{3,}|\*{3,}|_{3,})\s*$/;
const tableRule = /^\|?\s*:?-+:?\s*(?:\|\s*:?-+:?\s*)+\|?$/;
/** A URL may contain parentheses: `…/Function_(mathematics)`. */
const address = '(?:[^()\\s]|\\([^()\\s]*\\))+';

/** Matches emphasis around words, but not inside words or expressions: `x**2 + y**2`, `2*3*4`, `(*p)*(*q)`, `f(**a)`. */
const emphasis = (mark: string, inner: string): string =>
  `(?<![\\p{Lu}\\p{Ll}\\p{N}*~/\\\\)\\]])${mark}(?=[\\p{L}\\p{N}"'“‘„«¿¡(\`$])(${inner}?(?:[\\p{L}\\p{N}.,:;!?…"'”’»\`$]|\\([^*~()\\n]*\\)))${mark}(?![\\p{Lu}\\p{Ll}\\p{N}*~/(\\[])`;
const bold = emphasis('\\*\\*', '[^*\\n]*');
const strongSign = new RegExp(`${bold}|\\[[^[\\]\\n]+\\]\\(https?:${address}\\)`, 'u');

const isBlank = (line: string | undefined): boolean => line === undefined || line.trim() === '';

/** Whether there is a heading between blank lines. A single `#` may also be a code comment, so it needs a rule as well. */
function hasHeading(lines: readonly string[]): boolean {
  const apart = lines.filter((_, at) => isBlank(lines[at - 1]) && isBlank(lines[at + 1]));
  return (
    apart.some((line) => /^#{2,6}\s+\S/.test(line)) ||
    (apart.some((line) => heading.test(line)) && apart.some((line) => rule.test(line)))
  );
}

/** Line numbers of opening fences, mapped to their closing fence. Unclosed fences are text. */
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
 * Smallest indent of lines that start with a plus. Next to these, a dash is a minus (pros and cons, sums, diffs), not a bullet.
 */
function indentOfPluses(lines: readonly string[], fences: ReadonlyMap<number, number>): number {
  let minIndent = Infinity;
  let end = -1;
  for (const [at, line] of lines.entries()) {
    end = at > end ? (fences.get(at) ?? end) : end;
    if (at > end && /^\s*\+(?!\d)/.test(line)) minIndent = Math.min(minIndent, line.indexOf('+'));
  }
  return minIndent;
}

/** Whether there are consecutive items of one kind, numbered from 1. `- 3` below `- 5` may also be a sum. */
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
    // An item may have continuation lines.
    if (isItem) last = sign ?? '.';
    else if (!/^\s+\S/.test(line)) last = undefined;
    return isNext;
  });
}

/** Whether the text is unambiguous Markdown, rather than math, code, or words with a star or dash. */
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
    // A formula, converted later as in any other text.
    else html += escaped(whole);
  }
  return html + escaped(text.slice(end));
}

/** Placeholder for a bar that does not separate cells; a noncharacter. */
const LITERAL_BAR = '\uFFFF';

/** Splits a row into cells. Bars in code or formulas, or after a backslash, do not separate. */
function cellsOf(line: string): string[] {
  let masked = '';
  let end = 0;
  const masks = [
    ...findCode(line).map(({ start, end: next }) => ({ start, next, sign: /\\?\|/g })),
    ...findFormulas(line).map(({ start, end: next }) => ({ start, next, sign: /\|/g })),
  ].sort((one, other) => one.start - other.start);
  for (const { start, next, sign } of masks) {
    if (start < end) continue;
    masked += line.slice(end, start).replaceAll('\\|', LITERAL_BAR);
    masked += line.slice(start, next).replace(sign, LITERAL_BAR);
    end = next;
  }
  masked += line.slice(end).replaceAll('\\|', LITERAL_BAR);
  const cells = masked.split('|').map((cell) => cell.trim().replaceAll(LITERAL_BAR, '|'));
  if (cells[0] === '') cells.shift();
  if (cells.at(-1) === '') cells.pop();
  return cells;
}

/** A body of maximum length cannot hold more. */
const MAX_CELLS = 4000;

/** Pads short rows at the end; prosemirror-tables would do so at the start. */
function table(lines: readonly string[]): string | undefined {
  const rows = lines.map(cellsOf);
  const width = rows.reduce((longest, cells) => Math.max(longest, cells.length), 1);
  if (width * rows.length > MAX_CELLS) return undefined;
  const rowsHtml = rows.map((cells, at) => {
    const tag = at === 0 ? 'th' : 'td';
    const filled = [...cells, ...Array.from({ length: width - cells.length }, () => '')];
    return `<tr>${filled.map((cell) => `<${tag}>${inline(cell)}</${tag}>`).join('')}</tr>`;
  });
  return `<table>${rowsHtml.join('')}</table>`;
}

/** Removes the whitespace prefix that all lines share with `most`. */
function dedented(lines: readonly string[], longest: string): string[] {
  let shared = longest;
  for (const line of lines) while (!isBlank(line) && !line.startsWith(shared)) shared = shared.slice(0, -1);
  return lines.map((line) => line.slice(shared.length));
}

interface ListItem {
  indent: number;
  /** Its dash, star, dot or parenthesis; a different one starts a new list. */
  kind: string;
  /** As written; undefined for bullets. */
  number?: string;
  /** Length of everything before the text, in characters. */
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

/** A line below an item that may belong to it. */
const indented = /^(?:\t|\s{2})\s*\S/;

/** Deeper quotes are text: a body cannot nest deeper either. */
const MAX_QUOTE_DEPTH = 20;

/** Converts the Markdown that students and chatbots write to HTML. Keeps everything else. */
export const markdownHtml = (text: string): string =>
  blocksOf(text.replace(/\r\n?/g, '\n').split('\n'), 0, false);

/** @param isItem the first line is the text of a list item */
// oxlint-disable-next-line complexity -- one branch per kind of block, and their order matters
function blocksOf(lines: readonly string[], depth: number, isItem: boolean): string {
  const fences = fencesIn(lines);
  const pluses = indentOfPluses(lines, fences);
  const blocks: string[] = [];
  /** The last list, which an adjacent list must not be joined with. */
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
  /** Takes the lines of an item, including blank lines and whole code blocks. */
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
    const followsList = last.place === blocks.length && (last.next === 0) === (number === undefined);
    // Remirror joins adjacent lists.
    if (followsList && (last.kind !== kind || last.next !== from)) blocks.push('<p></p>');
    const start = from === 1 ? '' : ` start="${from}"`;
    const items = entries.join('');
    blocks.push(number === undefined ? `<ul>${items}</ul>` : `<ol${start}>${items}</ol>`);
    last = { kind, next: number === undefined ? 0 : from + entries.length, place: blocks.length };
  };
  /** Takes a list, which ends at another kind of marker or a gap in the numbers. All items may be numbered `1.`. */
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
          // A single `#` may be a code comment, also inside an item.
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
      const asParagraph = () => `<p>${[line, drawn, ...rows].map(inline).join('<br>')}</p>`;
      blocks.push(table([line, ...rows]) ?? asParagraph());
    } else if (found) {
      takeList(found);
    } else if (depth < MAX_QUOTE_DEPTH && line.startsWith('>')) {
      const quoted = takeWhile((next) => next.startsWith('>')).map((next) => next.replace(/^>\s?/, ''));
      blocks.push(`<blockquote>${blocksOf(quoted, depth + 1, false)}</blockquote>`);
    } else if (line.trim() === '') at += 1;
    else takeParagraph();
  }
  return blocks.join('');
}
