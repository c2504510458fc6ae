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
