import { Formula } from './inline-text';
import { markedFormulas, markedWords } from './formula-source';
import type { MarkedTextFragment } from '../../generated/graphql';
import classes from './marked-text.module.css';

/** A search result with highlighted matches and rendered formulas. A match inside a formula is not highlighted. */
export function MarkedText({ parts }: { parts: readonly MarkedTextFragment[] }) {
  return Array.from(piecesOf(parts), ({ text, kind }, index) => {
    if (kind === 'formula') return <Formula key={index} source={text} isBlock={false} />;
    if (kind === 'words') return markedWords(text);
    return (
      <mark key={index} className={classes.match}>
        {markedWords(text)}
      </mark>
    );
  });
}

interface Piece {
  text: string;
  kind: 'formula' | 'match' | 'words';
}

/** A formula may span several parts. */
function* piecesOf(parts: readonly MarkedTextFragment[]): Generator<Piece> {
  const formulas = markedFormulas(parts.map(({ text }) => text).join(''));
  let start = 0;
  for (const { text, isMatch } of parts) {
    const end = start + text.length;
    const kind = isMatch ? 'match' : 'words';
    let done = start;
    for (const formula of formulas) {
      if (formula.end <= start || formula.start >= end) continue;
      if (formula.start > done) yield { text: text.slice(done - start, formula.start - start), kind };
      if (formula.start >= start) yield { text: formula.source, kind: 'formula' };
      done = formula.end;
    }
    if (done < end) yield { text: text.slice(done - start), kind };
    start = end;
  }
}
