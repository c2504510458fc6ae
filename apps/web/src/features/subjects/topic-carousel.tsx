import { useQuery } from '@apollo/client/react';
import { useTranslation } from 'react-i18next';
import { PopularTopicsDocument } from '../../generated/graphql';
import { CardCarousel } from '../questions/card-carousel';
import { TopicTile } from './topic-tile';

interface TopicCarouselProps {
  id: string;
  title: string;
  space: string;
  subject: string | null;
  selectedTopic: string | null;
  onChoose: (subject: string, topic: string) => void;
}

/** The topics of the space or of a subject, the popular ones first; choosing one filters the list by it. */
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
