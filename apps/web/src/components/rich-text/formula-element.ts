import { MAX_FORMULA_LENGTH } from './formula-source';
import classes from './formula.module.css';
import { katexIfLoaded, loadKatex } from './lazy-katex';

/** Shown next to a source that is not TeX. */
export interface FormulaTexts {
  wrong: string;
}

/** A formula before rendering: its source, with the space it will need. */
export function newFormula(source: string, isBlock: boolean): HTMLElement {
  const element = document.createElement('span');
  element.className = classes.formula ?? '';
  element.dataset['source'] = source;
  // Its letters say nothing about the direction of the surrounding text.
  element.setAttribute('dir', 'ltr');
  if (isBlock) element.dataset['block'] = '';
  element.append(source);
  return element;
}

function showSource(element: HTMLElement, source: string, texts: FormulaTexts, reason: string): void {
  const code = document.createElement('code');
  code.textContent = source;
  const hint = document.createElement('span');
  hint.className = classes.hint ?? '';
  hint.textContent = texts.wrong;
  hint.title = reason;
  element.dataset['wrong'] = '';
  element.replaceChildren(code, ' ', hint);
}

function draw(element: HTMLElement, texts: FormulaTexts): void {
  const source = element.dataset['source'] ?? '';
  const isBlock = element.dataset['block'] !== undefined;
  const katex = katexIfLoaded();
  if (!katex) return;
  const reason =
    source.length > MAX_FORMULA_LENGTH
      ? `${source.length} > ${MAX_FORMULA_LENGTH}`
      : katex.drawFormula(element, source, isBlock);
  if (reason !== undefined) showSource(element, source, texts, reason);
  element.dataset['drawn'] = '';
  // Scrollable content needs keyboard access.
  if (isBlock && element.scrollWidth > element.clientWidth) element.tabIndex = 0;
}

/** One frame: a body with ten thousand formulas must not block the page. */
const SLICE_MS = 8;
const MAX_FORMULAS = 500;

async function drawInSlices(elements: readonly HTMLElement[], texts: FormulaTexts, signal: AbortSignal) {
  let sliceEnd = performance.now() + SLICE_MS;
  for (const element of elements) {
    if (signal.aborted) return;
    draw(element, texts);
    if (performance.now() < sliceEnd) continue;
    await new Promise((resolve) => setTimeout(resolve));
    sliceEnd = performance.now() + SLICE_MS;
  }
}

/** Renders the first five hundred formulas; synchronously if KaTeX is already loaded. */
export async function drawFormulas(
  elements: readonly HTMLElement[],
  texts: FormulaTexts,
  signal: AbortSignal,
): Promise<void> {
  if (elements.length === 0) return;
  if (!katexIfLoaded()) await loadKatex();
  if (katexIfLoaded()) await drawInSlices(elements.slice(0, MAX_FORMULAS), texts, signal);
}
