import { MarkedWords } from '../../components/rich-text/inline-text';
import { commentPieces } from './mention-text';
import classes from './comments.module.css';

/** Plain text with mentions. Bidirectional control characters do not affect the text around it. */
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
