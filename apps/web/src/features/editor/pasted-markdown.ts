import { formulaPieces } from '../../components/rich-text/formula-source';
import { languageName } from './pasted-html';

const fence = /^ {0,3}(`{3,}|~{3,})\s*([\w+#-]*)\s*$/;
const heading = /^(#{1,6})\s+(.+?)\s*#*$/;
const item = /^(\s*)(?:([-*+])|(\d{1,3})[.)])\s+(.*)$/;
const rule = /^ {0,3}(?:-{3,}|\*{3,}|_{3,})\s*$/;
const tableRule = /^\s*\|?\s*:?-+:?\s*(?:\|\s*:?-+:?\s*)+\|?\s*$/;

/** Around words, not within them or around a part of a term: `x**2 + y**2`, `2*3*4`, `(*p)*(*q)` and `f(**a)` stay. */
const emphasis = (mark: string, inner: string): string =>
  `(?<![\\p{Lu}\\p{Ll}\\p{N}*~/\\\\)\\]])${mark}(?=[\\p{L}\\p{N}"'“‘„«¿¡(\`$])(${inner}?(?:[\\p{L}\\p{N}.,:;!?…"'”’»\`$]|\\([^*~()\\n]*\\)))${mark}(?![\\p{Lu}\\p{Ll}\\p{N}*~/(\\[])`;
const bold = emphasis('\\*\\*', '[^*\\n]*');
const strongSign = new RegExp(`${bold}|\\[[^\\]\\n]+\\]\\(https?:[^)\\s]+\\)`, 'u');

const isBlank = (line: string | undefined): boolean => line === undefined || line.trim() === '';

/** A heading stands apart. With a single sign it is as likely the comment of a program. */
function hasHeading(lines: readonly string[]): boolean {
  const apart = lines.filter((_, at) => isBlank(lines[at - 1]) && isBlank(lines[at + 1]));
  return (
    apart.some((line) => /^#{2,6}\s+\S/.test(line)) ||
    (apart.some((line) => heading.test(line)) && apart.some((line) => rule.test(line)))
  );
}

/** Items of one kind beneath each other, numbers from 1 on; `- 3` beneath `- 5` may as well be a sum. */
function hasList(lines: readonly string[]): boolean {
  let number = 0;
  let last: string | undefined;
  return lines.some((line) => {
    const [, sign, counted, words = ''] = /^(?:([-*])|(\d{1,3})\.) +(.*)$/.exec(line) ?? [];
    const isItem =
      /^[\p{L}"'“„‘«¿¡`*[(]/u.test(words) && (sign !== undefined || Number(counted) === number + 1);
    number = isItem && counted !== undefined ? number + 1 : 0;
    const isNext = isItem && last === (sign ?? '.');
    // An item may have lines of its own.
    if (isItem) last = sign ?? '.';
    else if (!/^\s+\S/.test(line)) last = undefined;
    return isNext;
  });
}

function hasFence(lines: readonly string[]): boolean {
  const [, mark] = fence.exec(lines.find((line) => fence.test(line)) ?? '') ?? [];
  return mark !== undefined && lines.filter((line) => line.trim().startsWith(mark)).length > 1;
}

/** Text that is Markdown beyond doubt: terms, programs, and words with a star or a dash in them stay as they are. */
export function looksLikeMarkdown(text: string): boolean {
  const lines = text.split(/\r?\n/);
  return (
    hasFence(lines) ||
    lines.some((line, at) => tableRule.test(line) && (lines[at - 1] ?? '').includes('|')) ||
    hasHeading(lines) ||
    strongSign.test(text) ||
    formulaPieces(text).some((piece) => piece.kind === 'formula' && piece.isBlock) ||
    hasList(lines)
  );
}

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

const inlineParts = new RegExp(
  [
    '(?<![\\p{Lu}\\p{Ll}\\p{N}`=])(`+)(.+?)\\1(?![`\\p{Lu}\\p{Ll}\\p{N}])',
    '\\$\\$[^$]+\\$\\$',
    '\\$[^\\s$](?:[^$\\n]*[^\\s$])?\\$',
    bold,
    emphasis('\\*', '[^*\\n]*'),
    emphasis('~~', '[^~\\n]*'),
    '!?\\[([^\\]\\n]+)\\]\\((https?:[^)\\s]+|mailto:[^)\\s]+)\\)',
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

const row = (line: string, tag: string): string =>
  `<tr>${line
    .trim()
    .replace(/^\||\|$/g, '')
    .split('|')
    .map((cell) => `<${tag}>${inline(cell.trim())}</${tag}>`)
    .join('')}</tr>`;

/** Lines of a list, with the lists in it, which are indented further. */
function list(lines: readonly string[]): string {
  const [first = ''] = lines;
  const [, indent = '', , start] = item.exec(first) ?? [];
  const entries: { words: string; inner: string[] }[] = [];
  for (const line of lines) {
    const match = item.exec(line);
    const last = entries.at(-1);
    if (match && (match[1] ?? '').length <= indent.length) entries.push({ words: match[4] ?? '', inner: [] });
    else last?.inner.push(line);
  }
  const tag = start === undefined ? 'ul' : 'ol';
  const from = start !== undefined && start !== '1' ? ` start="${start}"` : '';
  const written = entries.map(({ words, inner }) => {
    const isList = inner[0] !== undefined && item.test(inner[0]);
    const more = isList ? list(inner) : inner.map((line) => ` ${inline(line.trim())}`).join('');
    return `<li><p>${inline(words)}${isList ? '' : more}</p>${isList ? more : ''}</li>`;
  });
  return `<${tag}${from}>${written.join('')}</${tag}>`;
}

/** Deeper quotes are text, as a body holds no deeper elements either. */
const DEEPEST_QUOTE = 20;

/** Markdown as HTML: what students and chat bots write of it. What is none of it stays as it is. */
// oxlint-disable-next-line complexity -- one branch for each kind of block; their order matters and is to be seen
export function markdownHtml(text: string, depth = 0): string {
  const lines = text.replace(/\r\n?/g, '\n').split('\n');
  const blocks: string[] = [];
  let at = 0;
  const takeWhile = (fits: (line: string) => boolean): string[] => {
    const from = at;
    while (at < lines.length && fits(lines[at] ?? '')) at += 1;
    return lines.slice(from, at);
  };
  while (at < lines.length) {
    const line = lines[at] ?? '';
    const [, mark, language] = fence.exec(line) ?? [];
    const [, level, words = ''] = heading.exec(line) ?? [];
    if (mark !== undefined) {
      at += 1;
      const code = takeWhile((next) => !next.trimStart().startsWith(mark)).join('\n');
      at += 1;
      const name = language ? ` class="language-${languageName(language)}"` : '';
      blocks.push(`<pre><code${name}>${escaped(code)}</code></pre>`);
    } else if (level !== undefined) {
      at += 1;
      blocks.push(`<h${level.length}>${inline(words)}</h${level.length}>`);
    } else if (line.trim() === '$$') {
      at += 1;
      const source = takeWhile((next) => next.trim() !== '$$').join('\n');
      at += 1;
      blocks.push(`<pre class="nimo-math">${escaped(source)}</pre>`);
    } else if (/^\s*\$\$[^$]+\$\$\s*$/.test(line)) {
      at += 1;
      blocks.push(`<pre class="nimo-math">${escaped(line.trim().slice(2, -2).trim())}</pre>`);
    } else if (rule.test(line)) {
      at += 1;
      blocks.push('<hr>');
    } else if (line.includes('|') && tableRule.test(lines[at + 1] ?? '')) {
      at += 2;
      const rest = takeWhile((next) => next.includes('|'));
      blocks.push(`<table>${row(line, 'th')}${rest.map((next) => row(next, 'td')).join('')}</table>`);
    } else if (item.test(line)) {
      const entries = list(takeWhile((next) => item.test(next) || /^\s{2,}\S/.test(next)));
      // The library joins neighbouring lists: one that begins again at 1 would be counted on.
      if (entries.startsWith('<ol>') && blocks.at(-1)?.startsWith('<ol')) blocks.push('<p></p>');
      blocks.push(entries);
    } else if (depth < DEEPEST_QUOTE && line.startsWith('>')) {
      const quoted = takeWhile((next) => next.startsWith('>')).map((next) => next.replace(/^>\s?/, ''));
      blocks.push(`<blockquote>${markdownHtml(quoted.join('\n'), depth + 1)}</blockquote>`);
    } else if (line.trim() === '') at += 1;
    else {
      const first = at;
      const words = takeWhile(
        (next) =>
          next.trim() !== '' &&
          (at === first ||
            !(
              fence.test(next) ||
              heading.test(next) ||
              item.test(next) ||
              next.startsWith('>') ||
              next.trim() === '$$'
            )),
      );
      blocks.push(`<p>${words.map(inline).join('<br>')}</p>`);
    }
  }
  return blocks.join('');
}
