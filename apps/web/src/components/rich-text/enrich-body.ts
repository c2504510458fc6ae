import { timings } from '../../lib/timings';
import classes from './code-blocks.module.css';
import { drawFormulas, type FormulaTexts, newFormula } from './formula-element';
import { formulaPieces } from './formula-source';

export interface BodyTexts {
  formula: FormulaTexts;
  code: CodeTexts;
}

/** How the api stores a formula: its TeX in an element of its own, readable where nothing draws it. */
export const FORMULA_CLASS = 'nimo-math';
const storedFormula = `code.${FORMULA_CLASS}, pre.${FORMULA_CLASS}`;
const verbatim = 'pre, code, kbd';

function takeStoredFormulas(root: Element): HTMLElement[] {
  return [...root.querySelectorAll(storedFormula)]
    .filter((element) => element.parentElement?.closest(storedFormula) == null)
    .map((element) => {
      const formula = newFormula(element.textContent.trim(), element.localName === 'pre');
      element.replaceWith(formula);
      return formula;
    });
}

/** The texts in which formulas may be written; not those in code. */
export function textsWithDollars(root: Element): Text[] {
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  const texts: Text[] = [];
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const text = node as Text;
    if (text.data.includes('$') && text.parentElement?.closest(verbatim) === null) texts.push(text);
  }
  return texts;
}

/** Posts from elsewhere have their formulas between dollar signs in the text. */
function takeWrittenFormulas(root: Element): HTMLElement[] {
  return textsWithDollars(root).flatMap((text) => {
    const pieces = formulaPieces(text.data).map((piece) =>
      piece.kind === 'text' ? piece.text : newFormula(piece.source, piece.isBlock),
    );
    const formulas = pieces.filter((piece) => piece instanceof HTMLElement);
    if (formulas.length > 0) text.replaceWith(...pieces);
    return formulas;
  });
}

/** Draws the formulas of a body and makes its code blocks what they are. The page holds what the api sent until then. */
export async function enrichBody(root: HTMLElement, texts: BodyTexts, signal: AbortSignal): Promise<void> {
  const written = takeWrittenFormulas(root);
  const stored = takeStoredFormulas(root);
  const blocks = [...root.querySelectorAll('pre')];
  await Promise.all([
    drawFormulas([...stored, ...written], texts.formula, signal),
    enrichCodeBlocks(blocks, texts.code, signal),
  ]);
}

const pictureAddress =
  /^(\/media\/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\.webp)(?:\?until=\d+&signature=[\w-]+)?$/;
const pictureInBody = /<img src="([^"]+)"/g;

/** Where a picture of ours lies, without the right to see it that its address may carry; nothing for any other address. */
export function pictureLocation(url: string): string | undefined {
  return pictureAddress.exec(url)?.[1];
}

/** Addresses of the pictures in a body of the api. */
function addressesIn(body: string): string[] {
  return [...body.matchAll(pictureInBody)].flatMap(([, url]) => url?.replaceAll('&amp;', '&') ?? []);
}

const placeOf = (url: string): string => url.replace(/\?.*$/s, '');

interface PostWithPictures {
  body: string;
  imageUrls: readonly string[];
}

/** The pictures of a post that stand beside its text; those in it are shown there. */
export function picturesBeside({ body, imageUrls }: PostWithPictures): readonly string[] {
  const within = new Set(addressesIn(body).map(placeOf));
  return within.size === 0 ? imageUrls : imageUrls.filter((url) => !within.has(placeOf(url)));
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
  // The word on the button changes, and that is to be heard.
  button.ariaLive = 'polite';
  const say = (words: string) => {
    button.textContent = words;
    setTimeout(() => (button.textContent = texts.copy), timings.copied);
  };
  button.addEventListener('click', () => {
    // Without a secure context there is no clipboard at all.
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
  // What scrolls has to be reachable with the keyboard, and then has a name.
  pre.tabIndex = 0;
  pre.setAttribute('role', 'group');
  pre.ariaLabel = texts.label;
}

/** Gives the code blocks of a body their copy button, and colours those whose language is known. */
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

/** The languages offered for a code block, by the name that stands in its class; every one of them has a grammar. */
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

/** The name of a language as the class of a code block has it. */
export function languageName(given: string): string {
  const name = given.toLowerCase();
  return shortNames.get(name) ?? name;
}

const languageClass = /^language-([a-z0-9+#-]{1,30})$/;

/** The language that an element's class names, whether offered or not. */
export function languageOf(element: Element | null): string | null {
  for (const name of element?.classList ?? []) {
    const language = languageClass.exec(name)?.[1];
    if (language !== undefined) return language;
  }
  return null;
}
