import { skipToken, useQuery } from '@apollo/client/react';
import { useTranslation } from 'react-i18next';
import type { QuestionFilters } from '../../features/questions/question-filters';
import { SORT } from '../../features/questions/question-filters';
import { useSubjects } from '../../features/subjects/use-subjects';
import { SubjectTopicsDocument } from '../../generated/graphql';

/** What the list says it shows: its topic, its subject, or its order. */
export function useListHeading(space: string, { sort, subject, topic }: QuestionFilters): string {
  const { t } = useTranslation('ask', { keyPrefix: 'heading' });
  const { subjects } = useSubjects(subject === null ? undefined : space);
  const { data } = useQuery(
    SubjectTopicsDocument,
    subject === null || topic === null ? skipToken : { variables: { subject } },
  );
  const subjectName = subjects.find(({ _id }) => _id === subject)?.subjectName;
  const topicName = data?.getSubjectTopics.find(({ _id }) => _id === topic)?.topicName;
  if (topicName !== undefined) return t('topic', { topic: topicName });
  if (subjectName !== undefined) return t('subject', { subject: subjectName });
  return sort === SORT.answered ? t('answered') : t('recent');
}
