import type { CSSProperties } from 'react';
import classes from './subject-chip.module.css';

interface SubjectChipProps {
  subject: {
    subjectName: string;
    /** Hex without #. */
    color: string;
  };
}

const hex = /^(?:[0-9a-f]{3}|[0-9a-f]{6})$/i;
const withoutColour = '64748b';

/** A subject's name in the subject's own colour, legible in both schemes. */
export function SubjectChip({ subject }: SubjectChipProps) {
  const colour = hex.test(subject.color) ? subject.color : withoutColour;
  return (
    <span
      className={`${classes.chip} ${classes.subject}`}
      style={{ '--subject-colour': `#${colour}` } as CSSProperties}
      title={subject.subjectName}
    >
      {subject.subjectName}
    </span>
  );
}
