import { FORMULA_CLASS, textNodesWithDollars } from '../../../components/rich-text/enrich-body';
import { formulaPieces } from '../../../components/rich-text/formula-source';

/** Element of a stored formula. */
export function newFormula(owner: Node, source: string, isBlock: boolean): HTMLElement {
  const element = (owner.ownerDocument ?? document).createElement(isBlock ? 'pre' : 'code');
  element.className = FORMULA_CLASS;
  element.append(source.trim());
  return element;
}

const parsed = (html: string): HTMLElement => new DOMParser().parseFromString(html, 'text/html').body;

/** Moves a block out of a paragraph by splitting the paragraph. */
function splitParagraphAt(block: Element): void {
  const paragraph = block.parentElement;
  if (paragraph?.localName !== 'p') return;
  const rest = paragraph.cloneNode() as Element;
  while (block.nextSibling) rest.append(block.nextSibling);
  paragraph.after(block, rest);
  for (const part of [paragraph, rest]) if (!part.hasChildNodes()) part.remove();
}

/** Converts the dollar formulas of an imported post into editable ones, as readers see them. */
export function withStoredFormulas(html: string): string {
  if (!html.includes('$')) return html;
  const body = parsed(html);
  for (const text of textNodesWithDollars(body)) {
    const isInParagraph = text.parentElement?.localName === 'p';
    const pieces = formulaPieces(text.data).map((piece) =>
      piece.kind === 'text' ? piece.text : newFormula(body, piece.source, piece.isBlock && isInParagraph),
    );
    text.replaceWith(...pieces);
    for (const piece of pieces)
      if (piece instanceof Element && piece.localName === 'pre') splitParagraphAt(piece);
  }
  return body.innerHTML;
}
