import { Formula } from './formula';
import classes from './marked-words.module.css';
import { writtenPieces } from './written-text';

/** Plain text with the code and the formulas that are marked in it drawn; React escapes the words. */
export function MarkedWords({ text }: { text: string }) {
  return writtenPieces(text).map((piece, index) => {
    if (piece.kind === 'formula')
      return <Formula key={index} source={piece.source} isBlock={piece.isBlock} />;
    if (piece.kind === 'code')
      return (
        <code key={index} className={classes.code} data-block={piece.isBlock || undefined}>
          {piece.text}
        </code>
      );
    return <span key={index}>{piece.text}</span>;
  });
}
