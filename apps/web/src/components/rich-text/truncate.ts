import { excerptPieces, formulaPieces, type TextPiece } from './formula-source';
import { graphemesOf } from '../../lib/format';

/** A title is cut only where the cut saves more than its ellipsis costs. */
const title = { longerThan: 78, to: 75 };
const preview = { longerThan: 100, to: 70 };

/** The same cut for a text with formulas: one is shown whole or not at all. */
function cutPieces(pieces: readonly TextPiece[], { longerThan, to }: { longerThan: number; to: number }) {
  const counted = pieces.map((piece) => ({ piece, characters: graphemesOf(writtenIn(piece)) }));
  if (counted.reduce((sum, { characters }) => sum + characters.length, 0) <= longerThan) return pieces;
  const kept: TextPiece[] = [];
  let left = to;
  for (const { piece, characters } of counted) {
    if (characters.length <= left) kept.push(piece);
    else if (piece.kind === 'text') kept.push({ kind: 'text', text: characters.slice(0, left).join('') });
    left -= characters.length;
    if (left <= 0) break;
  }
  return [...kept, { kind: 'text', text: '…' } as const];
}

const writtenIn = (piece: TextPiece): string => (piece.kind === 'text' ? piece.text : piece.source);

export function titleForCard(text: string): readonly TextPiece[] {
  return cutPieces(formulaPieces(text), title);
}

/** The same cut for a title in parts, over all of them together. */
export function titlePartsForCard<Part extends { text: string }>(parts: readonly Part[]): readonly Part[] {
  if (graphemesOf(parts.map(({ text }) => text).join('')).length <= title.longerThan) return parts;
  let left = title.to;
  return parts.flatMap((part) => {
    if (left === 0) return [];
    const characters = graphemesOf(part.text).slice(0, left);
    left -= characters.length;
    return [{ ...part, text: `${characters.join('')}${left === 0 ? '…' : ''}` }];
  });
}

/** The beginning of a body, from its excerpt. */
export function previewForCard(excerpt: string): readonly TextPiece[] {
  return cutPieces(excerptPieces(excerpt), preview);
}

const blockEnd = /<(?:br|\/p|\/li|\/h\d|\/pre|\/blockquote|hr|\/t[hd]|\/tr)\b[^>]*>/gi;

/** Nothing that could be seen: a picture says something without a word. A letter right behind a tag spares the parser. */
export const isBlankBody = (html: string): boolean =>
  !html.includes('<img ') && !/>\s*[^\s<&]/.test(html) && plainText(html) === '';

/** The words of a body, white space folded. */
export function plainText(html: string): string {
  // A document of its own: nothing in it is loaded or run.
  const { body } = new DOMParser().parseFromString(html.replace(blockEnd, '$& '), 'text/html');
  return body.textContent.replace(/\s+/g, ' ').trim();
}
