import { FORMULA_CLASS, languageName } from '../../../components/rich-text/enrich-body';
import { formulaPieces } from '../../../components/rich-text/formula-source';
import { allowedHtml } from '../allowed-html';
import { newFormula } from './body-formulas';
import { mathMlOf } from './mathjax-math';
import { texOf } from './mathml-tex';
import { nestWordLists } from './pasted-word-lists';
import { findLinks } from '../../../components/rich-text/find-links';

/** Renames style and event attributes: parsing them would violate the page's CSP even in a separate document. */
function withInertAttributes(html: string): string {
  return html
    .replace(/<(style|script)\b[\s\S]*?<\/\1\s*>/gi, '')
    .replace(/<[a-z][^<>]*>/gi, (tag) => tag.replace(/\s(style|on[a-z]+)(?=\s*=)/gi, ' data-$1'));
}

/** Marks the editor's own clipboard, which needs no cleaning. */
const ownClipboard = /data-pm-slice/;
/** Block-level containers, same as `FOREIGN_BLOCKS` in the API. */
const containerSelector =
  'address,article,aside,center,dd,details,div,dt,figcaption,figure,footer,header,main,nav,section,summary';
const blockSelector = `p,h1,h2,h3,h4,h5,h6,ul,ol,li,table,pre,blockquote,hr,${containerSelector}`;

function newElement(owner: Node, tag: string, ...content: (Node | string)[]): HTMLElement {
  const element = (owner.ownerDocument ?? document).createElement(tag);
  element.append(...content);
  return element;
}

const parsed = (html: string): HTMLElement =>
  new DOMParser().parseFromString(withInertAttributes(html), 'text/html').body;

function textsIn(body: HTMLElement): Text[] {
  const walker = document.createTreeWalker(body, NodeFilter.SHOW_TEXT);
  const texts: Text[] = [];
  while (walker.nextNode()) texts.push(walker.currentNode as Text);
  return texts;
}

function unwrap(element: Element): void {
  element.replaceWith(...element.childNodes);
}

function removeNonText(body: HTMLElement): void {
  body
    .querySelectorAll('meta,link,style,script,title,template,button,input,noscript')
    .forEach((it) => it.remove());
  // Paragraph mark of Word for the web, and the end of a selection in WebKit.
  body.querySelectorAll('.EOP,br.Apple-interchange-newline').forEach((it) => it.remove());
  // Word's paragraph mark, and comments such as <!--StartFragment-->.
  for (const element of [...body.querySelectorAll('*')]) if (element.localName === 'o:p') unwrap(element);
  const comments = document.createTreeWalker(body, NodeFilter.SHOW_COMMENT);
  const found: Node[] = [];
  while (comments.nextNode()) found.push(comments.currentNode);
  found.forEach((it) => it.parentNode?.removeChild(it));
  body.querySelectorAll('[data-style]').forEach((it) => {
    if (/(?:^|;)\s*(?:display:\s*none|mso-hide:\s*all)/i.test(it.getAttribute('data-style') ?? ''))
      it.remove();
  });
}

/** Removes a display style around the whole formula, as in Wikipedia. */
const withoutStyle = (source: string): string =>
  source
    .trim()
    .replace(/^\{\\(?:display|text)style\s*([\s\S]*)\}$/, '$1')
    .trim();

/** Whether the element is one of ours: other pages also use the attribute, but ours contains only a rendered formula. */
const isOwnFormula = ({ childNodes: [only, ...others] }: Element): boolean =>
  only instanceof Element && only.matches('.katex-display,.katex,math') && others.length === 0;

/** TeX of a rendered formula: from its source if the page has it, otherwise from its MathML or MathJax output. */
function formulaSource(element: Element): string | null {
  const math = element.localName === 'math' ? element : element.querySelector('math');
  const explicit = [
    element.querySelector('annotation[encoding="application/x-tex"]')?.textContent,
    element.getAttribute('data-latex') ?? element.querySelector('mjx-math')?.getAttribute('data-latex'),
    element.getAttribute('alttext'),
    element.getAttribute('data-source'),
    element
      .querySelector('img.mwe-math-fallback-image-inline,img.mwe-math-fallback-image-display')
      ?.getAttribute('alt'),
  ].find((source) => source != null && source.trim() !== '');
  if (explicit != null) return withoutStyle(explicit);
  const mathMl = parsed(element.getAttribute('data-mathml') ?? '').querySelector('math');
  const mathJax = element.querySelector('mjx-math,[data-mml-node="math"]');
  return texOf(mathMl ?? math ?? (mathJax ? mathMlOf(mathJax) : undefined)).trim() || null;
}

function convertFormulas(body: HTMLElement): void {
  const holders =
    '[data-source],.katex-display,.katex,.mwe-math-element,mjx-container,math,[data-latex],[data-mathml]';
  for (const element of [...body.querySelectorAll(holders)]) {
    if (!body.contains(element) || (element.hasAttribute('data-source') && !isOwnFormula(element))) continue;
    const source = formulaSource(element);
    if (source === null) continue;
    const isBlock =
      element.matches('.katex-display,.mwe-math-element-block,[display="true"],[display="block"]') ||
      element.querySelector('.katex-display,math[display="block"],img.mwe-math-fallback-image-display') !==
        null;
    element.replaceWith(newFormula(body, source, isBlock));
  }
  // An image of a formula has its source as alt text.
  for (const image of body.querySelectorAll('img[class*="math"],img.latex,img.tex')) {
    const alt = withoutStyle(image.getAttribute('alt') ?? '');
    if (alt !== '') image.replaceWith(newFormula(body, alt, image.matches('[class*="image-display"]')));
  }
}

const languageNames = [
  /^(?:language|lang)-([\w+#-]{1,30})$/i,
  /^highlight-(?:source|text)-([\w+#-]{1,30})$/i,
];

function languageAround(pre: Element): string | undefined {
  for (const element of [pre.querySelector('code'), pre, pre.parentElement])
    for (const name of element?.classList ?? [])
      for (const pattern of languageNames) {
        const language = pattern.exec(name)?.[1];
        if (language !== undefined) return languageName(language);
      }
  return undefined;
}

function convertCode(body: HTMLElement): void {
  for (const pre of [...body.querySelectorAll('pre')]) {
    if (pre.classList.contains(FORMULA_CLASS)) continue;
    pre.querySelectorAll('br').forEach((it) => it.replaceWith('\n'));
    const code = newElement(body, 'code', pre.textContent.replace(/\n$/, ''));
    const language = languageAround(pre);
    if (language !== undefined) code.className = `language-${language}`;
    pre.replaceWith(newElement(body, 'pre', code));
  }
  for (const box of [...body.querySelectorAll<HTMLElement>('div[data-style],span[data-style]')]) {
    const style = box.getAttribute('data-style') ?? '';
    if (!/font-family:[^;]*mono/i.test(style) || !/white-space:\s*pre/.test(style) || box.closest('pre,code'))
      continue;
    // Visual Studio Code: a block with one nested block per line.
    const isOfBoxes = box.querySelector('div') !== null;
    box.querySelectorAll('br').forEach((it) => it.replaceWith(isOfBoxes ? newElement(body, 'div') : '\n'));
    const text = isOfBoxes
      ? [...box.childNodes]
          .filter((line) => line instanceof Element || line.textContent?.trim() !== '')
          .map((line) => line.textContent)
          .join('\n')
      : box.textContent.replace(/\n$/, '');
    if (box.localName === 'div' || text.includes('\n'))
      box.replaceWith(newElement(body, 'pre', newElement(body, 'code', text)));
  }
}

const whiteSpace = /(?:^|;)\s*white-space(?:-collapse)?:\s*([a-z-]+)/i;

/** The inherited `white-space` value. */
function whiteSpaceOf({ parentElement }: Text): string {
  for (let element = parentElement; element; element = element.parentElement) {
    const value = whiteSpace.exec(element.getAttribute('data-style') ?? '')?.[1];
    if (value !== undefined) return value;
  }
  return 'normal';
}

const isBlock = (node: Node | null): boolean =>
  node instanceof Element && node.matches(`${blockSelector},caption,thead,tbody,tfoot,tr,td,th`);

function endsBlock(node: Node): boolean {
  if (node.nextSibling) return isBlock(node.nextSibling);
  return !node.parentElement?.parentElement || isBlock(node.parentElement) || endsBlock(node.parentElement);
}

/** Preserves runs of spaces and indentation, which HTML collapses. */
const withFixedSpaces = (words: string): string =>
  words
    .replaceAll('\t', '    ')
    .replace(/ +(?= )/g, (run) => '\u00a0'.repeat(run.length))
    .replaceAll('\n ', '\n\u00a0');

function withBreaks(owner: Node, words: string): (Node | string)[] {
  const [first = '', ...lines] = words.split('\n');
  return [first, ...lines.flatMap((line) => [newElement(owner, 'br'), line])];
}

/** Preserves lines and spaces kept only by a `white-space` style, as in chat messages. */
function preserveWhiteSpace(body: HTMLElement): void {
  for (const text of textsIn(body)) {
    const whiteSpaceStyle = text.parentElement?.closest('pre,code') ? 'normal' : whiteSpaceOf(text);
    if (!/^pre|^break-spaces/.test(whiteSpaceStyle)) continue;
    // Between blocks, it only indents the page's source.
    if (text.data.trim() === '' && (isBlock(text.previousSibling) || isBlock(text.nextSibling))) continue;
    const lines = text.data.replace(/\r\n?/g, '\n').replace(/\n$/, endsBlock(text) ? '' : '\n');
    const hasSpaces = !/^pre-line|^preserve-breaks/.test(whiteSpaceStyle);
    text.replaceWith(
      ...formulaPieces(lines).flatMap((piece) =>
        piece.kind === 'formula'
          ? [newFormula(body, piece.source, piece.isBlock)]
          : withBreaks(body, hasSpaces ? withFixedSpaces(piece.text) : piece.text),
      ),
    );
  }
}

/** Styles, the equivalent tag, and elements that already imply it. */
const styledTags: readonly (readonly [RegExp, string, string])[] = [
  [/font-weight:\s*(?:bold|[6-9]00)/i, 'strong', 'b,strong,h1,h2,h3,h4,h5,h6,th'],
  [/font-style:\s*italic/i, 'em', 'i,em'],
  [/text-decoration[^;]*:[^;]*underline/i, 'u', 'u,a'],
  [/text-decoration[^;]*:[^;]*line-through/i, 's', 's,del,strike'],
  [/vertical-align:\s*sub/i, 'sub', 'sub'],
  [/vertical-align:\s*super/i, 'sup', 'sup'],
];

function convertStyles(body: HTMLElement): void {
  // Google Docs wraps the clipboard in a `<b>` with normal weight.
  body.querySelectorAll('b[data-style],strong[data-style]').forEach((it) => {
    if (/font-weight:\s*(?:normal|[1-4]00)/i.test(it.getAttribute('data-style') ?? '')) unwrap(it);
  });
  for (const element of [...body.querySelectorAll('span[data-style],font[data-style]')]) {
    const style = element.getAttribute('data-style') ?? '';
    const monospaced = /font-family:[^;]*(?:mono|courier|consolas|menlo)/i.test(style);
    const tags = styledTags.filter(([pattern, , same]) => pattern.test(style) && !element.closest(same));
    const newTags = [
      ...tags.map(([, tag]) => tag),
      ...(monospaced && !element.closest('pre,code') ? ['code'] : []),
    ];
    for (const tag of newTags) {
      if (element.textContent.trim() === '') break;
      const inner = newElement(body, tag, ...element.childNodes);
      element.append(inner);
    }
  }
  for (const it of [...body.querySelectorAll<HTMLElement>('strike' as string)])
    it.replaceWith(newElement(body, 's', ...it.childNodes));
}

/** Moves nested lists into the preceding item: Google Docs makes them its siblings. */
function fixLists(body: HTMLElement): void {
  for (const list of [...body.querySelectorAll(':is(ul,ol) > :is(ul,ol)')]) {
    const before = list.previousElementSibling;
    if (before?.localName === 'li') before.append(list);
    else list.replaceWith(newElement(body, 'li', list.cloneNode(true)));
  }
  // Whitespace left by the checkbox of a task.
  body
    .querySelectorAll('li')
    .forEach(
      (it) =>
        it.firstChild?.nodeType === Node.TEXT_NODE &&
        it.firstChild.textContent?.trim() === '' &&
        it.firstChild.remove(),
    );
}

/** Flattens layout and nested tables: each row becomes a line. */
function flattenTables(body: HTMLElement): void {
  // Innermost first.
  for (const table of [...body.querySelectorAll('table')].reverse()) {
    if (!table.parentElement?.closest('table') && !isLayout(table)) continue;
    const lines = [...table.querySelectorAll('tr')].map((row) => {
      const cells = [...row.children].filter(({ localName }) => localName === 'td' || localName === 'th');
      const line = newElement(body, 'p');
      cells.forEach((cell, index) => {
        if (index > 0) line.append(' | ');
        cell.querySelectorAll('br').forEach((it) => it.replaceWith(' '));
        const blocks = [...cell.querySelectorAll(blockSelector)];
        blocks.forEach((block, at) => {
          if (at > 0) block.before(' ');
          if (block.localName !== 'pre') unwrap(block);
        });
        const content = newElement(body, cell.localName === 'th' ? 'strong' : 'span', ...cell.childNodes);
        trimEnds(content);
        line.append(content);
      });
      return line;
    });
    table.replaceWith(...lines.filter(({ textContent }) => textContent.replace(/[\s|]/g, '') !== ''));
  }
}

/** Whether the table is only for layout: a single cell, or marked as presentational, as in emails. */
const isLayout = (table: Element): boolean =>
  table.getAttribute('role') === 'presentation' || table.querySelectorAll('td,th').length < 2;

/** Converts tables to the editor's form: cells and header cells only. */
function convertTables(body: HTMLElement): void {
  flattenTables(body);
  for (const table of body.querySelectorAll('table')) {
    const caption = table.querySelector('caption');
    if (caption) {
      table.before(newElement(body, 'p', ...caption.childNodes));
      caption.remove();
    }
    table.querySelectorAll('colgroup,col').forEach((it) => it.remove());
    for (const row of [...table.querySelectorAll('tr')])
      if (row.textContent.trim() === '' && row.querySelector('img') === null) row.remove();
    table.querySelectorAll('td,th').forEach((cell) => {
      if (cell.localName === 'th') cell.querySelectorAll('b,strong').forEach(unwrap);
      trimEnds(cell);
    });
  }
}

function trimEnds(element: Element): void {
  const { firstChild, lastChild } = element;
  if (firstChild?.nodeType === Node.TEXT_NODE)
    firstChild.textContent = (firstChild.textContent ?? '').trimStart();
  if (lastChild?.nodeType === Node.TEXT_NODE) lastChild.textContent = (lastChild.textContent ?? '').trimEnd();
}

/** Turns containers with only inline content into paragraphs, and removes breaks between blocks, Google Docs' blank lines. */
function convertContainers(body: HTMLElement): void {
  for (const line of [...body.querySelectorAll('br')])
    if (isBlock(line.previousSibling) && isBlock(line.nextSibling)) line.remove();
  for (const box of [...body.querySelectorAll(containerSelector)].reverse()) {
    if (box.querySelector(blockSelector) === null && box.textContent.trim() !== '' && !box.closest('p'))
      box.replaceWith(newElement(body, 'p', ...box.childNodes));
  }
}

function textWithLinks(owner: Node, words: string): (Node | string)[] {
  let end = 0;
  const parts = findLinks(words).flatMap(({ href, start, end: next }) => {
    const link = newElement(owner, 'a', words.slice(start, next));
    link.setAttribute('href', href);
    const before = words.slice(end, start);
    end = next;
    return [before, link];
  });
  return [...parts, words.slice(end)];
}

/** Converts `$x$`, `$$x$$` and URLs in text. */
function convertText(body: HTMLElement): void {
  for (const text of textsIn(body)) {
    if (!/\$|:\/\/|www\./i.test(text.data) || text.parentElement?.closest('pre,code')) continue;
    const isLinked = text.parentElement?.closest('a') != null;
    text.replaceWith(
      ...formulaPieces(text.data).flatMap((piece) => {
        if (piece.kind === 'formula') return [newFormula(body, piece.source, piece.isBlock)];
        return isLinked ? [piece.text] : textWithLinks(body, piece.text);
      }),
    );
  }
}

/**
 * Cleans pasted HTML: keeps lists, code, formulas and emphasis, and drops what the source application adds.
 * Returns the editor's own HTML unchanged.
 */
export function formattedHtml(html: string, takeMore?: (body: HTMLElement) => void): string {
  if (ownClipboard.test(html)) return html;
  const body = parsed(html);
  convertFormulas(body);
  nestWordLists(body);
  removeNonText(body);
  convertCode(body);
  preserveWhiteSpace(body);
  convertStyles(body);
  fixLists(body);
  convertTables(body);
  convertContainers(body);
  takeMore?.(body);
  return allowedHtml(body.innerHTML);
}

/** Same for a post; also converts formulas and URLs in its text. */
export const pastedHtml = (html: string): string => formattedHtml(html, convertText);
