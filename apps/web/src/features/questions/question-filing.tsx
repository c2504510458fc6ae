import { Group, Loader, Select, SimpleGrid } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { QuietNotice } from '../../components/quiet-notice';
import { SubjectChip } from '../../components/subject-chip';
import { TopicChip } from '../../components/topic-chip';
import type { QuestionDetailFragment } from '../../generated/graphql';
import { TopicField, type TopicChoice } from '../subjects/topic-field';
import { useSubjects } from '../subjects/use-subjects';

interface QuestionFilingProps {
  space: string;
  question: QuestionDetailFragment | undefined;
  subject: string | null;
  topic: TopicChoice | null;
  errors: { subject: string | undefined; topic: string | undefined };
  onChange: (changes: { subject?: string | null; topic?: TopicChoice | null }) => void;
}

/** Where a question is filed: chosen when asking, only shown when editing. */
export function QuestionFiling({ question, ...rest }: QuestionFilingProps) {
  if (question) {
    return (
      <Group gap="xs">
        <SubjectChip subject={question.subject} />
        <TopicChip topic={question.topic} />
      </Group>
    );
  }
  return <FilingFields {...rest} />;
}

function FilingFields({ space, subject, topic, errors, onChange }: Omit<QuestionFilingProps, 'question'>) {
  const { t } = useTranslation('ask', { keyPrefix: 'form' });
  const { subjects, isLoading, error, refetch } = useSubjects(space);
  return (
    <SimpleGrid cols={2}>
      <div>
        <Select
          label={t('subject')}
          placeholder={t('subjectPlaceholder')}
          data={subjects.map(({ _id, subjectName }) => ({ value: _id, label: subjectName }))}
          value={subject}
          error={errors.subject}
          withAsterisk
          searchable
          rightSection={isLoading ? <Loader size={16} /> : undefined}
          onChange={(value) => onChange({ subject: value, topic: null })}
        />
        {error && !isLoading && <QuietNotice error={error} onRetry={refetch} />}
      </div>
      <TopicField
        key={subject}
        space={space}
        subject={subject}
        value={topic}
        error={errors.topic}
        onChange={(choice) => onChange({ topic: choice })}
      />
    </SimpleGrid>
  );
}
