import { Loader, Select, SimpleGrid } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { QuietNotice } from '../../components/quiet-notice';
import { useIsPainted } from '../../lib/use-is-painted';
import { TopicField, TopicFieldBeforeSubject, type TopicChoice } from '../subjects/topic-field';
import { useSubjects } from '../subjects/use-subjects';

interface QuestionFilingProps {
  space: string;
  subject: string | null;
  topic: TopicChoice | null;
  errors: { subject: string | undefined; topic: string | undefined };
  onChange: (changes: { subject?: string | null; topic?: TopicChoice | null }) => void;
}

/** Where a question is filed, chosen when asking. */
export function QuestionFiling({ space, subject, topic, errors, onChange }: QuestionFilingProps) {
  const { t } = useTranslation('ask', { keyPrefix: 'form' });
  const { subjects, isLoading, error, refetch } = useSubjects(space);
  const isPainted = useIsPainted();
  return (
    <SimpleGrid cols={{ base: 1, xs: 2 }}>
      <div>
        <Select
          label={t('subject')}
          placeholder={t('subjectPlaceholder')}
          data={subjects.map(({ _id, subjectName }) => ({ value: _id, label: subjectName }))}
          value={subject}
          error={errors.subject}
          withAsterisk
          searchable
          // The kit makes and places the closed list, too.
          comboboxProps={{ keepMounted: isPainted }}
          selectFirstOptionOnChange
          rightSection={isLoading ? <Loader size={16} /> : undefined}
          onChange={(value) => onChange({ subject: value, topic: null })}
        />
        {error && !isLoading && <QuietNotice error={error} onRetry={refetch} />}
      </div>
      {subject === null ? (
        <TopicFieldBeforeSubject error={errors.topic} />
      ) : (
        <TopicField
          key={subject}
          space={space}
          subject={subject}
          value={topic}
          error={errors.topic}
          onChange={(choice) => onChange({ topic: choice })}
        />
      )}
    </SimpleGrid>
  );
}
