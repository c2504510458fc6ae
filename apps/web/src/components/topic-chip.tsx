import classes from './subject-chip.module.css';

/** A topic's name; neutral, because the colour belongs to its subject. */
export function TopicChip({ topic }: { topic: { topicName: string } }) {
  return (
    <span className={`${classes.chip} ${classes.topic}`} title={topic.topicName}>
      {topic.topicName}
    </span>
  );
}
