import { formulaPieces } from '../../components/rich-text/formula-source';
import { InlineText } from '../../components/rich-text/inline-text';
import type { MarkedTextFragment } from '../../generated/graphql';
import classes from './marked-text.module.css';

/** A found text with its matches marked; its formulas are drawn, and what matches inside one is not marked. */
export function MarkedText({ parts }: { parts: readonly MarkedTextFragment[] }) {
  const whole = parts.map(({ text }) => text).join('');
  if (whole.includes('$') && formulaPieces(whole).some(({ kind }) => kind === 'formula'))
    return <InlineText text={whole} />;
  return parts.map(({ text, isMatch }, index) =>
    isMatch ? (
      <mark key={index} className={classes.match}>
        {text}
      </mark>
    ) : (
      text
    ),
  );
}
