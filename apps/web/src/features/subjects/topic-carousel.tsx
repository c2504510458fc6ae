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
  const { data } = useQuery(PopularTopicsDocument, {
    variables: { spaceId: space, subjectIds: subject === null ? null : [subject] },
  });
  const topics = data?.getPopularTopics ?? [];
  if (topics.length === 0) return null;
  return (
    <CardCarousel
      title={subjectName === undefined ? t('all') : t('ofSubject', { subject: subjectName })}
      perRow="topics"
    >
      {topics.map((topic) => (
        <li key={topic._id}>
          <TopicTile
            topic={topic}
            isSelected={topic._id === selectedTopic}
            onChoose={() => onChoose(topic.subject._id, topic._id)}
          />
        </li>
      ))}
    </CardCarousel>
  );
}
