import { Formula } from '../../components/rich-text/formula';
import { formulaPieces } from '../../components/rich-text/formula-source';
import { commentPieces } from './mention-text';
import classes from './comments.module.css';

/** Words with the formulas among them; React escapes the words. */
function CommentWords({ text }: { text: string }) {
  return formulaPieces(text).map((piece, index) =>
    piece.kind === 'formula' ? (
      <Formula key={index} source={piece.source} isBlock={piece.isBlock} />
    ) : (
      <span key={index}>{piece.text}</span>
    ),
  );
}

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
          <CommentWords key={index} text={piece.text} />
        ),
      )}
    </p>
  );
}
