import { timings } from '../../lib/timings';
import classes from './code-blocks.module.css';
import { drawFormulas, type FormulaTexts, newFormula } from './formula-element';
import { formulaPieces } from './formula-source';

export interface BodyTexts {
  formula: FormulaTexts;
  code: CodeTexts;
}

/** How the API stores a formula: its TeX in an element of its own, readable without rendering. */
export const FORMULA_CLASS = 'nimo-math';
const storedFormula = `code.${FORMULA_CLASS}, pre.${FORMULA_CLASS}`;
const verbatim = 'pre, code, kbd';

function extractStoredFormulas(root: Element): HTMLElement[] {
  return [...root.querySelectorAll(storedFormula)]
    .filter((element) => element.parentElement?.closest(storedFormula) == null)
    .map((element) => {
      const formula = newFormula(element.textContent.trim(), element.localName === 'pre');
      element.replaceWith(formula);
      return formula;
    });
}

/** Text nodes that may contain formulas, so none in code. */
export function textNodesWithDollars(root: Element): Text[] {
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  const texts: Text[] = [];
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const text = node as Text;
    if (text.data.includes('$') && text.parentElement?.closest(verbatim) === null) texts.push(text);
  }
  return texts;
}

/** Imported posts have formulas between dollar signs. */
function extractDollarFormulas(root: Element): HTMLElement[] {
  return textNodesWithDollars(root).flatMap((text) => {
    const pieces = formulaPieces(text.data).map((piece) =>
      piece.kind === 'text' ? piece.text : newFormula(piece.source, piece.isBlock),
    );
    const formulas = pieces.filter((piece) => piece instanceof HTMLElement);
    if (formulas.length > 0) text.replaceWith(...pieces);
    return formulas;
  });
}

/** Renders formulas and code blocks of a body. Until then the page shows the API's HTML. */
export async function enrichBody(root: HTMLElement, texts: BodyTexts, signal: AbortSignal): Promise<void> {
  const written = extractDollarFormulas(root);
  const stored = extractStoredFormulas(root);
  const blocks = [...root.querySelectorAll('pre')];
  await Promise.all([
    drawFormulas([...stored, ...written], texts.formula, signal),
    enrichCodeBlocks(blocks, texts.code, signal),
  ]);
}

const pictureAddress =
  /^(\/media\/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\.webp)(?:\?until=\d+&signature=[\w-]+)?$/;
const pictureInBody = /<img src="([^"]+)"/g;

/** Path of one of our images without the access token in its query; undefined for any other address. */
export function pictureLocation(url: string): string | undefined {
  return pictureAddress.exec(url)?.[1];
}

/** Image addresses in a body. */
function addressesIn(body: string): string[] {
  return [...body.matchAll(pictureInBody)].flatMap(([, url]) => url?.replaceAll('&amp;', '&') ?? []);
}

const withoutQuery = (url: string): string => url.replace(/\?.*$/s, '');

interface PostWithPictures {
  body: string;
  imageUrls: readonly string[];
}

/** Attached images of a post, without those shown in its text. */
export function attachedImages({ body, imageUrls }: PostWithPictures): readonly string[] {
  const within = new Set(addressesIn(body).map(withoutQuery));
  return within.size === 0 ? imageUrls : imageUrls.filter((url) => !within.has(withoutQuery(url)));
}

interface CodeTexts {
  label: string;
  copy: string;
  copied: string;
  copyFailed: string;
}

function copyButton(pre: HTMLElement, texts: CodeTexts): HTMLButtonElement {
  const button = document.createElement('button');
  button.type = 'button';
  button.className = classes.copy ?? '';
  button.textContent = texts.copy;
  // The label changes, and screen readers should announce it.
  button.ariaLive = 'polite';
  const say = (words: string) => {
    button.textContent = words;
    setTimeout(() => (button.textContent = texts.copy), timings.copied);
  };
  button.addEventListener('click', () => {
    // There is no clipboard outside secure contexts.
    const copied = Promise.resolve().then(() => navigator.clipboard.writeText(pre.textContent));
    copied.then(
      () => say(texts.copied),
      () => say(texts.copyFailed),
    );
  });
  return button;
}

function frame(pre: HTMLElement, texts: CodeTexts): void {
  const box = document.createElement('div');
  box.className = classes.frame ?? '';
  pre.replaceWith(box);
  box.append(pre, copyButton(pre, texts));
  // Scrollable content needs keyboard access, and then a name.
  pre.tabIndex = 0;
  pre.setAttribute('role', 'group');
  pre.ariaLabel = texts.label;
}

/** Adds copy buttons to code blocks and highlights those with a known language. */
async function enrichCodeBlocks(
  blocks: readonly HTMLElement[],
  texts: CodeTexts,
  signal: AbortSignal,
): Promise<void> {
  blocks.forEach((pre) => frame(pre, texts));
  const codes = blocks.flatMap((pre) => {
    const code = pre.querySelector('code');
    const language = languageOf(code);
    return code && language !== null ? [{ code, language }] : [];
  });
  if (codes.length === 0) return;
  const highlighting = await import('./code-highlighting').catch(() => undefined);
  if (signal.aborted) return;
  codes.forEach(({ code, language }) => highlighting?.highlight(code, language));
}

/** Languages offered for code blocks, by class name; each has a grammar. */
export const codeLanguages = {
  bash: 'Bash',
  c: 'C',
  cpp: 'C++',
  csharp: 'C#',
  css: 'CSS',
  go: 'Go',
  haskell: 'Haskell',
  html: 'HTML',
  java: 'Java',
  javascript: 'JavaScript',
  json: 'JSON',
  kotlin: 'Kotlin',
  latex: 'LaTeX',
  matlab: 'MATLAB',
  php: 'PHP',
  python: 'Python',
  r: 'R',
  ruby: 'Ruby',
  rust: 'Rust',
  sql: 'SQL',
  swift: 'Swift',
  typescript: 'TypeScript',
} as const;

export type CodeLanguage = keyof typeof codeLanguages;

export const codeLanguageNames = Object.keys(codeLanguages) as CodeLanguage[];

const shortNames: ReadonlyMap<string, string> = new Map(
  Object.entries({
    js: 'javascript',
    ts: 'typescript',
    py: 'python',
    'c++': 'cpp',
    cs: 'csharp',
    'c#': 'csharp',
    rb: 'ruby',
    sh: 'bash',
    shell: 'bash',
  }),
);

/** Class name of a language. */
export function languageName(language: string): string {
  const name = language.toLowerCase();
  return shortNames.get(name) ?? name;
}

const languageClass = /^language-([a-z0-9+#-]{1,30})$/;

/** The language in an element's class, offered or not. */
export function languageOf(element: Element | null): string | null {
  for (const name of element?.classList ?? []) {
    const language = languageClass.exec(name)?.[1];
    if (language !== undefined) return language;
  }
  return null;
}
