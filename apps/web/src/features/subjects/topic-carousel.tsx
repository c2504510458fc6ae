import { useQuery } from '@apollo/client/react';
import type { CSSProperties } from 'react';
import { useTranslation } from 'react-i18next';
import { PopularTopicsDocument, type PopularTopicsQuery } from '../../generated/graphql';
import { CardCarousel } from '../../components/card-carousel';
import classes from './topic-tile.module.css';

interface TopicCarouselProps {
  id: string;
  title: string;
  space: string;
  subject: string | null;
  selectedTopic: string | null;
  onChoose: (subject: string, topic: string) => void;
}

/** Topics of the space or a subject, popular ones first. Choosing one filters the list. */
export function TopicCarousel({ id, title, space, subject, selectedTopic, onChoose }: TopicCarouselProps) {
  const { t } = useTranslation('ask', { keyPrefix: 'topics' });
  const { data, error, refetch } = useQuery(PopularTopicsDocument, {
    variables: { spaceId: space, subjectIds: subject === null ? null : [subject] },
  });
  const cards = data?.getPopularTopics.map((topic) => (
    <li key={topic._id}>
      <TopicTile
        topic={topic}
        isSelected={topic._id === selectedTopic}
        onChoose={() => onChoose(topic.subject._id, topic._id)}
      />
    </li>
  ));
  return (
    <CardCarousel
      id={id}
      title={title}
      perRow="topics"
      cards={cards}
      emptyText={t('none')}
      error={error}
      onRetry={() => void refetch()}
    />
  );
}

type PopularTopic = PopularTopicsQuery['getPopularTopics'][number];

interface TopicTileProps {
  topic: PopularTopic;
  isSelected: boolean;
  onChoose: () => void;
}

/** Button for a topic in its subject's colour. */
function TopicTile({ topic, isSelected, onChoose }: TopicTileProps) {
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
