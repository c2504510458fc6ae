import { enrichCodeBlocks, type CodeTexts } from './code-blocks';
import { drawFormulas, newFormula, type FormulaTexts } from './formula-element';
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

function textsWithDollars(root: Element): Text[] {
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
