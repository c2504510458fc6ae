import type { MarkedTextFragment } from '../../generated/graphql';
import classes from './marked-text.module.css';

/** A found text with its matches marked. */
export function MarkedText({ parts }: { parts: readonly MarkedTextFragment[] }) {
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
