import { MarkedWords } from '../../components/rich-text/inline-text';
import { commentPieces } from './mention-text';
import classes from './comments.module.css';

/** A comment is text. Characters that turn the direction of writing act inside it alone. */
export function CommentBody({ body, mentions }: { body: string; mentions: readonly string[] }) {
  return (
    <p className={classes.body} dir="auto">
      {commentPieces(body, mentions).map((piece, index) =>
        piece.kind === 'mention' ? (
          <bdi key={index} className={classes.mention}>
            @{piece.name}
          </bdi>
        ) : (
          <MarkedWords key={index} text={piece.text} hasLinks />
        ),
      )}
    </p>
  );
}
