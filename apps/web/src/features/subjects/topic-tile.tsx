import type { CSSProperties } from 'react';
import { useTranslation } from 'react-i18next';
import type { PopularTopicsQuery } from '../../generated/graphql';
import classes from './topic-tile.module.css';

type PopularTopic = PopularTopicsQuery['getPopularTopics'][number];

interface TopicTileProps {
  topic: PopularTopic;
  isSelected: boolean;
  onChoose: () => void;
}

/** A topic as a button, marked with its subject's colour. */
export function TopicTile({ topic, isSelected, onChoose }: TopicTileProps) {
  const { t } = useTranslation('ask', { keyPrefix: 'topics' });
  return (
    <button
      type="button"
      className={classes.tile}
      style={{ '--topic-colour': `#${topic.subject.color}` } as CSSProperties}
      aria-pressed={isSelected}
      aria-label={t('filterBy', { topic: topic.topicName })}
      title={topic.topicName}
      onClick={onChoose}
    >
      {topic.imageS3Url === null ? (
        <span className={classes.mark} aria-hidden />
      ) : (
        <img className={classes.picture} src={topic.imageS3Url} alt="" />
      )}
      <span className={classes.name}>{topic.topicName}</span>
    </button>
  );
}
