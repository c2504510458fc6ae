import { Button, Chip, Loader, Select, type SelectProps } from '@mantine/core';
import { useQuery } from '@apollo/client/react';
import IconFilterOff from '@tabler/icons-react/dist/esm/icons/IconFilterOff.mjs';
import IconRefresh from '@tabler/icons-react/dist/esm/icons/IconRefresh.mjs';
import IconX from '@tabler/icons-react/dist/esm/icons/IconX.mjs';
import { useTranslation } from 'react-i18next';
import { SubjectTopicsDocument } from '../../generated/graphql';
import { errorText } from '../../lib/api/errors';
import { useOneTabStop } from '../../lib/browser/use-one-tab-stop';
import { useSubjects } from '../subjects/use-subjects';
import classes from './filter-controls.module.css';
import { SORT, withSubject, withToggle, type Filing, type Sort, type Toggle } from './question-filters';

// In pixels. `maxDropdownHeight` requires Mantine's scroll area, which the theme disables.
const listStyles = { options: { maxHeight: 130 } };

/** Text key of each toggle. */
export const toggleLabels = {
  unsolvedQuestions: 'unsolved',
  myQuestions: 'myQuestions',
  savedQuestions: 'saved',
  solvedQuestions: 'solved',
} as const satisfies Record<Toggle, string>;

/** Mantine hides its clear button from keyboards and screen readers. */
const clearButton = (label: string) => ({ 'aria-label': label, 'aria-hidden': false, tabIndex: 0 });

interface SortSelectProps<S extends Sort | null> {
  value: S;
  /** Default order; null for a separate one, labelled by `placeholder`. */
  fallback: S;
  placeholder?: string;
  onChange: (sort: Sort | S) => void;
}

export function SortSelect<S extends Sort | null>({
  value,
  fallback,
  placeholder,
  onChange,
}: SortSelectProps<S>) {
  const { t } = useTranslation('ask', { keyPrefix: 'filters' });
  const sorts = [
    { value: String(SORT.recent), label: t('recentlyPosted') },
    { value: String(SORT.answered), label: t('mostAnswered') },
  ];
  const isOptional = fallback === null;
  const change = (chosen: string | null) =>
    onChange(chosen === null ? fallback : Number(chosen) === SORT.answered ? SORT.answered : SORT.recent);
  return (
    <Select
      className={classes.select}
      size="sm"
      aria-label={t('sort')}
      placeholder={placeholder}
      data={sorts}
      value={value === null ? null : String(value)}
      allowDeselect={isOptional}
      clearable={isOptional}
      clearButtonProps={clearButton(t('clearOne', { filter: t('sort') }))}
      styles={listStyles}
      onChange={change}
    />
  );
}

interface FilingProps<T extends Filing> {
  filters: T;
  onChange: (filters: T) => void;
}

/** Selects a subject, and then one of its topics. */
export function FilingSelects<T extends Filing>({
  space,
  filters,
  onChange,
}: FilingProps<T> & { space: string }) {
  const { t } = useTranslation('ask', { keyPrefix: 'filters' });
  const { subjects, isLoading, error, refetch } = useSubjects(space);
  return (
    <>
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
        <TopicSelect
          subject={filters.subject}
          topic={filters.topic}
          onChange={(topic) => onChange({ ...filters, topic })}
        />
      )}
    </>
  );
}

interface TopicSelectProps {
  subject: string;
  topic: string | null;
  onChange: (topic: string | null) => void;
}

function TopicSelect({ subject, topic, onChange }: TopicSelectProps) {
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
      value={topic}
      searchable
      onChange={onChange}
    />
  );
}

interface ToggleChipsProps<T extends Filing> extends FilingProps<T> {
  offered: readonly Toggle[];
}

/** Toggle filters. An active one shows a cross and is cleared by clicking it again. */
export function ToggleChips<T extends Filing>({ offered, filters, onChange }: ToggleChipsProps<T>) {
  const { t } = useTranslation('ask', { keyPrefix: 'filters' });
  const row = useOneTabStop<HTMLDivElement>();
  return (
    <div ref={row} className={classes.toggles}>
      {offered.map((toggle) => {
        const isOn = filters.toggles.has(toggle);
        const label = t(toggleLabels[toggle]);
        return (
          <Chip
            key={toggle}
            size="sm"
            variant="light"
            icon={<IconX size={14} aria-hidden />}
            checked={isOn}
            title={isOn ? t('clearOne', { filter: label }) : undefined}
            onChange={() => onChange(withToggle(filters, toggle))}
          >
            {label}
          </Chip>
        );
      })}
    </div>
  );
}

/** Shown while any filter is active. */
export function ClearFilters({ onClear }: { onClear: () => void }) {
  const { t } = useTranslation('ask', { keyPrefix: 'filters' });
  return (
    <Button
      variant="subtle"
      size="compact-sm"
      leftSection={<IconFilterOff size={16} aria-hidden />}
      onClick={onClear}
    >
      {t('clear')}
    </Button>
  );
}

interface LoadedSelectProps extends Pick<SelectProps, 'data' | 'value' | 'searchable' | 'onChange'> {
  label: string;
  isLoading: boolean;
  error: Error | undefined;
  onRetry: () => void;
}

/** Select whose options are loaded. After a failure, a button of the same size retries. */
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
      selectFirstOptionOnChange={select.searchable}
      clearable
      clearButtonProps={clearButton(t('clearOne', { filter: label }))}
      styles={listStyles}
    />
  );
}
