import { Formula } from './formula';
import { formulaPieces, type TextPiece } from './formula-source';

/** A text of one line with its formulas drawn; React escapes the words. */
export function InlineText({ text }: { text: string | readonly TextPiece[] }) {
  const pieces = typeof text === 'string' ? formulaPieces(text) : text;
  return pieces.map((piece, index) =>
    piece.kind === 'formula' ? (
      // A card has one line: what stands on a line of its own elsewhere is drawn in it.
      <Formula key={index} source={piece.source} isBlock={false} />
    ) : (
      piece.text
    ),
  );
}
