import { skipToken, useQuery } from '@apollo/client/react';
import { Combobox, Loader, TextInput, useCombobox } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import IconPlus from '@tabler/icons-react/dist/esm/icons/IconPlus.mjs';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { QuietNotice } from '../../components/notices';
import { SearchTopicsDocument, SubjectTopicsDocument } from '../../generated/graphql';
import { timings } from '../../lib/timings';

/** An existing topic, or the name of a new one. */
export type TopicChoice = { _id: string; topicName: string } | { newTopicName: string };

interface TopicFieldProps {
  space: string;
  subject: string;
  value: TopicChoice | null;
  error?: string | undefined;
  onChange: (choice: TopicChoice | null) => void;
}

const NEW = 'new-topic';
const LIST_HEIGHT = 200;

function nameOf(choice: TopicChoice | null): string {
  if (choice === null) return '';
  return '_id' in choice ? choice.topicName : choice.newTopicName;
}

/** Disabled placeholder until a subject is chosen. */
export function TopicFieldBeforeSubject({ error }: Pick<TopicFieldProps, 'error'>) {
  const { t } = useTranslation('ask', { keyPrefix: 'form' });
  return (
    <Combobox>
      <Combobox.Target>
        <TextInput
          label={t('topic')}
          placeholder={t('topicPlaceholder')}
          error={error}
          withAsterisk
          disabled
        />
      </Combobox.Target>
    </Combobox>
  );
}

/** Suggests the subject's topics while typing, and offers to add a new one. */
export function TopicField({ space, subject, value, error, onChange }: TopicFieldProps) {
  const { t } = useTranslation('ask', { keyPrefix: 'form' });
  const combobox = useCombobox({ onDropdownClose: () => combobox.resetSelectedOption() });
  const [text, setText] = useState(nameOf(value));
  // The name of a chosen topic is not a query.
  const query = value === null ? text.trim() : '';
  const [paused] = useDebouncedValue(query, timings.suggestionDebounce);
  const suggestions = useTopicSuggestions({ space, subject }, query, paused);
  const { matching, similar, canAdd } = suggestions;
  useHighlightForEnter(combobox, query, suggestions);
  const choose = (option: string) => {
    const topic = [...matching, ...similar].find(({ _id }) => _id === option);
    const choice = topic ? { _id: topic._id, topicName: topic.topicName } : { newTopicName: text.trim() };
    onChange(choice);
    setText(nameOf(choice));
    combobox.closeDropdown();
  };
  return (
    <div>
      <Combobox store={combobox} onOptionSubmit={choose} withinPortal>
        <Combobox.Target>
          <TextInput
            label={t('topic')}
            placeholder={t('topicPlaceholder')}
            description={value && 'newTopicName' in value ? t('newTopic') : undefined}
            inputWrapperOrder={['label', 'input', 'description', 'error']}
            error={error}
            withAsterisk
            rightSection={suggestions.isLoading ? <Loader size={16} /> : null}
            value={text}
            onChange={(event) => {
              setText(event.currentTarget.value);
              onChange(null);
              combobox.openDropdown();
            }}
            onKeyDown={(event) => {
              // Enter must not submit the question before a topic is chosen.
              if (event.key === 'Enter' && query !== '') event.preventDefault();
            }}
            onClick={() => combobox.openDropdown()}
            onFocus={() => combobox.openDropdown()}
            onBlur={() => combobox.closeDropdown()}
          />
        </Combobox.Target>
        <Combobox.Dropdown>
          {/* Fixed height: a growing list could flip to the other side of the field, or move away from the pointer. */}
          <Combobox.Options aria-label={t('topic')} h={LIST_HEIGHT} style={{ overflowY: 'auto' }}>
            <Topics topics={matching} />
            {canAdd && (
              <Combobox.Option value={NEW}>
                <IconPlus size={14} aria-hidden /> {t('addTopic')}: “{text.trim()}”
              </Combobox.Option>
            )}
            {/* These load later, so they go after the options already shown. */}
            <Topics topics={similar} />
            {matching.length === 0 && text.trim() === '' && !suggestions.isLoading && !suggestions.error && (
              <Combobox.Empty>{t('typeToAddTopic')}</Combobox.Empty>
            )}
          </Combobox.Options>
        </Combobox.Dropdown>
      </Combobox>
      {suggestions.error && <QuietNotice error={suggestions.error} onRetry={suggestions.refetch} />}
    </div>
  );
}

/** Highlights the option that Enter selects: the first topic that contains the text, or the new one if nothing is similar. */
function useHighlightForEnter(
  { selectFirstOption, resetSelectedOption }: ReturnType<typeof useCombobox>,
  query: string,
  { matching, similar, canAdd, isLoading }: ReturnType<typeof useTopicSuggestions>,
) {
  const added = canAdd && !isLoading && similar.length === 0 ? NEW : undefined;
  const marked = query === '' ? undefined : (matching[0]?._id ?? added);
  useEffect(() => {
    if (marked === undefined) resetSelectedOption();
    else selectFirstOption();
  }, [query, marked, selectFirstOption, resetSelectedOption]);
}

function Topics({ topics }: { topics: readonly { _id: string; topicName: string }[] }) {
  return topics.map(({ _id, topicName }) => (
    <Combobox.Option key={_id} value={_id}>
      {topicName}
    </Combobox.Option>
  ));
}

const SUGGESTIONS = 10;

const folded = (text: string): string => text.trim().toLocaleLowerCase();

const isRead = ({ data, error }: { data?: unknown; error?: unknown }): boolean =>
  data !== undefined || error !== undefined;

/** Sort key of names that contain the text: exact match, prefix, other. */
const rank = (name: string, query: string): number => {
  if (name === query) return 0;
  return name.startsWith(query) ? 1 : 2;
};

function matchingTopics<Topic extends { name: string }>(
  topics: readonly Topic[],
  query: string,
): readonly Topic[] {
  if (query === '') return topics;
  return topics
    .filter(({ name }) => name.includes(query))
    .sort((one, other) => rank(one.name, query) - rank(other.name, query))
    .slice(0, SUGGESTIONS);
}

/**
 * Topics of a subject to choose from: at first all of them. With a text, those that contain it at once, followed by similar ones
 * once the API has found them.
 */
function useTopicSuggestions(
  { space, subject }: { space: string; subject: string },
  text: string,
  /** The text after a pause in typing. */
  paused: string,
) {
  const query = folded(text);
  const all = useQuery(SubjectTopicsDocument, { variables: { subject } });
  const found = useQuery(
    SearchTopicsDocument,
    paused === ''
      ? skipToken
      : { variables: { search: paused, space, subject, skip: 0, limit: SUGGESTIONS } },
  );
  const topics = (all.data?.getSubjectTopics ?? []).map((topic) => ({
    ...topic,
    name: folded(topic.topicName),
  }));
  const matching = matchingTopics(topics, query);
  const shown = new Set(matching.map(({ _id }) => _id));
  const hits = query !== '' && folded(paused) === query ? (found.data?.searchTopics.hits ?? []) : [];
  const current = paused === '' ? all : found;
  return {
    matching,
    similar: hits.filter(({ _id }) => !shown.has(_id)).slice(0, SUGGESTIONS - matching.length),
    /** Only once all topics are loaded, so that its position in the list is final. */
    canAdd: query !== '' && isRead(all) && !topics.some(({ name }) => name === query),
    isLoading: current.loading,
    error: current.data ? undefined : current.error,
    refetch: () => void current.refetch(),
  };
}
