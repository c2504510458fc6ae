import type { CSSProperties } from 'react';
import { cssHex } from '../lib/format';
import classes from './chips.module.css';

interface SubjectChipProps {
  subject: {
    subjectName: string;
    /** Hex without #. */
    color: string;
  };
}

/** A subject's name in the subject's own colour, legible in both schemes. */
export function SubjectChip({ subject }: SubjectChipProps) {
  return (
    <span
      className={`${classes.chip} ${classes.subject}`}
      style={{ '--subject-colour': cssHex(subject.color) } as CSSProperties}
      title={subject.subjectName}
    >
      {subject.subjectName}
    </span>
  );
}

/** A topic's name; neutral, because the colour belongs to its subject. */
export function TopicChip({ topic }: { topic: { topicName: string } }) {
  return (
    <span className={`${classes.chip} ${classes.topic}`} title={topic.topicName}>
      {topic.topicName}
    </span>
  );
}
