import { commentPieces } from './mention-text';
import classes from './comments.module.css';

/** A comment is text; React escapes it. */
export function CommentBody({ body }: { body: string }) {
  return (
    <p className={classes.body}>
      {commentPieces(body).map((piece, index) =>
        piece.kind === 'mention' ? (
          <span key={index} className={classes.mention}>
            @{piece.name}
          </span>
        ) : (
          <span key={index}>{piece.text}</span>
        ),
      )}
    </p>
  );
}
