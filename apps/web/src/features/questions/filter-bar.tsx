import { Button, Chip, Loader, Select, type SelectProps } from '@mantine/core';
import { useQuery } from '@apollo/client/react';
import IconFilterOff from '@tabler/icons-react/dist/esm/icons/IconFilterOff.mjs';
import IconRefresh from '@tabler/icons-react/dist/esm/icons/IconRefresh.mjs';
import IconPlus from '@tabler/icons-react/dist/esm/icons/IconPlus.mjs';
import { useTranslation } from 'react-i18next';
import { SubjectTopicsDocument } from '../../generated/graphql';
import { errorText } from '../../lib/errors';
import { useSubjects } from '../subjects/use-subjects';
import classes from './filter-bar.module.css';
import {
  isAnyFilterActive,
  noFilters,
  SORT,
  toggles,
  withSubject,
  withToggle,
  type QuestionFilters,
  type Toggle,
} from './question-filters';

/** Height of the dropdown lists of the bar, in pixels. */
const LIST_HEIGHT = 130;

interface FilterBarProps {
  space: string;
  filters: QuestionFilters;
  onChange: (filters: QuestionFilters) => void;
  onAsk: () => void;
}

const labels = {
  unsolvedQuestions: 'unsolved',
  myQuestions: 'myQuestions',
  savedQuestions: 'saved',
  solvedQuestions: 'solved',
} as const satisfies Record<Toggle, string>;

/** Which questions the list shows, and the way to ask one. */
export function FilterBar({ space, filters, onChange, onAsk }: FilterBarProps) {
  const { t } = useTranslation('ask');
  return (
    <div className={classes.bar} role="group" aria-label={t('filters.label')}>
      <Selects space={space} filters={filters} onChange={onChange} />
      {toggles.map((toggle) => (
        <Chip
          key={toggle}
          size="sm"
          variant="light"
          checked={filters.toggles.has(toggle)}
          onChange={() => onChange(withToggle(filters, toggle))}
        >
          {t(`filters.${labels[toggle]}`)}
        </Chip>
      ))}
      {isAnyFilterActive(filters) && (
        <Button
          variant="subtle"
          size="compact-sm"
          leftSection={<IconFilterOff size={16} aria-hidden />}
          onClick={() => onChange(noFilters)}
        >
          {t('filters.clear')}
        </Button>
      )}
      <Button
        className={classes.ask}
        size="sm"
        leftSection={<IconPlus size={16} aria-hidden />}
        onClick={onAsk}
      >
        {t('askQuestion')}
      </Button>
    </div>
  );
}

function Selects({ space, filters, onChange }: Omit<FilterBarProps, 'onAsk'>) {
  const { t } = useTranslation('ask', { keyPrefix: 'filters' });
  const { subjects, isLoading, error, refetch } = useSubjects(space);
  const sorts = [
    { value: String(SORT.recent), label: t('recentlyPosted') },
    { value: String(SORT.answered), label: t('mostAnswered') },
  ];
  return (
    <>
      <Select
        className={classes.select}
        size="sm"
        aria-label={t('sort')}
        data={sorts}
        value={String(filters.sort)}
        allowDeselect={false}
        maxDropdownHeight={LIST_HEIGHT}
        onChange={(value) => onChange({ ...filters, sort: value === '2' ? SORT.answered : SORT.recent })}
      />
      <LoadedSelect
        label={t('subject')}
        data={subjects.map(({ _id, subjectName }) => ({ value: _id, label: subjectName }))}
        isLoading={isLoading}
        error={error}
        onRetry={refetch}
        value={filters.subject}
        onChange={(value) => onChange(withSubject(filters, value))}
      />
      {filters.subject !== null && (
        <TopicSelect subject={filters.subject} filters={filters} onChange={onChange} />
      )}
    </>
  );
}

interface TopicSelectProps extends Pick<FilterBarProps, 'filters' | 'onChange'> {
  subject: string;
}

function TopicSelect({ subject, filters, onChange }: TopicSelectProps) {
  const { t } = useTranslation('ask', { keyPrefix: 'filters' });
  const { data, loading, error, refetch } = useQuery(SubjectTopicsDocument, { variables: { subject } });
  const topics = data?.getSubjectTopics ?? [];
  return (
    <LoadedSelect
      label={t('topic')}
      data={topics.map(({ _id, topicName }) => ({ value: _id, label: topicName }))}
      isLoading={loading}
      error={data ? undefined : error}
      onRetry={() => void refetch()}
      value={filters.topic}
      searchable
      onChange={(value) => onChange({ ...filters, topic: value })}
    />
  );
}

interface LoadedSelectProps extends Pick<SelectProps, 'data' | 'value' | 'searchable' | 'onChange'> {
  label: string;
  isLoading: boolean;
  error: Error | undefined;
  onRetry: () => void;
}

/** A choice among what the api knows. Where that could not be read, a button of the same size tries again. */
function LoadedSelect({ label, isLoading, error, onRetry, ...select }: LoadedSelectProps) {
  const { t } = useTranslation('ask', { keyPrefix: 'filters' });
  if (error && !isLoading) {
    return (
      <Button
        className={classes.select}
        variant="default"
        size="sm"
        fw={400}
        c="var(--nimo-danger)"
        leftSection={<IconRefresh size={16} aria-hidden />}
        title={errorText(error)}
        aria-label={t('retry', { list: label })}
        onClick={onRetry}
      >
        {label}
      </Button>
    );
  }
  return (
    <Select
      {...select}
      className={classes.select}
      size="sm"
      aria-label={label}
      placeholder={label}
      rightSection={isLoading ? <Loader size={16} /> : undefined}
      clearable
      maxDropdownHeight={LIST_HEIGHT}
    />
  );
}
