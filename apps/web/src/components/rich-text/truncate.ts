import { excerptPieces, formulaPieces, type TextPiece } from './formula-source';
import { graphemesOf } from '../../lib/format';

/** A title is only cut if that saves more than the ellipsis costs. */
const title = { longerThan: 78, to: 75 };
const preview = { longerThan: 100, to: 70 };

/** The same for a text with formulas, which are kept whole or left out. */
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

/** The same for a title in parts, over all of them. */
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

/** Whether there is nothing to see: an image counts without words. A letter right after a tag spares the parser. */
export const isBlankBody = (html: string): boolean =>
  !html.includes('<img ') && !/>\s*[^\s<&]/.test(html) && plainText(html) === '';

/** Text of a body with collapsed white space. */
export function plainText(html: string): string {
  // A separate document, in which nothing loads or runs.
  const { body } = new DOMParser().parseFromString(html.replace(blockEnd, '$& '), 'text/html');
  return body.textContent.replace(/\s+/g, ' ').trim();
}
