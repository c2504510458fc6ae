import { Button, Chip, Select } from '@mantine/core';
import { useQuery } from '@apollo/client/react';
import IconFilterOff from '@tabler/icons-react/dist/esm/icons/IconFilterOff.mjs';
import IconPlus from '@tabler/icons-react/dist/esm/icons/IconPlus.mjs';
import { useTranslation } from 'react-i18next';
import { SubjectTopicsDocument } from '../../generated/graphql';
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
  const { subjects } = useSubjects(space);
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
      <Select
        className={classes.select}
        size="sm"
        aria-label={t('subject')}
        placeholder={t('subject')}
        data={subjects.map(({ _id, subjectName }) => ({ value: _id, label: subjectName }))}
        value={filters.subject}
        clearable
        maxDropdownHeight={LIST_HEIGHT}
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
  const { data } = useQuery(SubjectTopicsDocument, { variables: { subject } });
  const topics = data?.getSubjectTopics ?? [];
  return (
    <Select
      className={classes.select}
      size="sm"
      aria-label={t('topic')}
      placeholder={t('topic')}
      data={topics.map(({ _id, topicName }) => ({ value: _id, label: topicName }))}
      value={filters.topic}
      clearable
      searchable
      maxDropdownHeight={LIST_HEIGHT}
      onChange={(value) => onChange({ ...filters, topic: value })}
    />
  );
}
