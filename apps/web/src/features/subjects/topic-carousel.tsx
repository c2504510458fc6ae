import { useQuery } from '@apollo/client/react';
import { useTranslation } from 'react-i18next';
import { PopularTopicsDocument } from '../../generated/graphql';
import { CardCarousel } from '../questions/card-carousel';
import { TopicTile } from './topic-tile';

interface TopicCarouselProps {
  space: string;
  subject: string | null;
  subjectName: string | undefined;
  selectedTopic: string | null;
  onChoose: (subject: string, topic: string) => void;
}

/** The topics of the space or of a subject, the popular ones first; choosing one filters the list by it. */
export function TopicCarousel({ space, subject, subjectName, selectedTopic, onChoose }: TopicCarouselProps) {
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
      title={subjectName === undefined ? t('all') : t('ofSubject', { subject: subjectName })}
      perRow="topics"
      cards={cards}
      emptyText={t('none')}
      error={error}
      onRetry={() => void refetch()}
    />
  );
}
