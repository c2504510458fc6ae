import { skipToken, useQuery } from '@apollo/client/react';
import { Combobox, Loader, TextInput, useCombobox } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import IconPlus from '@tabler/icons-react/dist/esm/icons/IconPlus.mjs';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { QuietNotice } from '../../components/notices';
import { SearchTopicsDocument, SubjectTopicsDocument } from '../../generated/graphql';
import { timings } from '../../lib/timings';

/** A topic that exists, or the name of one to be made. */
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

/** In place of the field while there is no subject to take topics from. */
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

/** Suggests the subject's topics while one types, and offers to add a new one. */
export function TopicField({ space, subject, value, error, onChange }: TopicFieldProps) {
  const { t } = useTranslation('ask', { keyPrefix: 'form' });
  const combobox = useCombobox({ onDropdownClose: () => combobox.resetSelectedOption() });
  const [text, setText] = useState(nameOf(value));
  // What was chosen is no text to look for.
  const wanted = value === null ? text.trim() : '';
  const [paused] = useDebouncedValue(wanted, timings.suggestionDebounce);
  const suggestions = useTopicSuggestions({ space, subject }, wanted, paused);
  const { holding, like, mayAdd } = suggestions;
  useMarkForEnter(combobox, wanted, suggestions);
  const choose = (option: string) => {
    const topic = [...holding, ...like].find(({ _id }) => _id === option);
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
              // A text that is no topic yet is not to send the question.
              if (event.key === 'Enter' && wanted !== '') event.preventDefault();
            }}
            onClick={() => combobox.openDropdown()}
            onFocus={() => combobox.openDropdown()}
            onBlur={() => combobox.closeDropdown()}
          />
        </Combobox.Target>
        <Combobox.Dropdown>
          {/* As high from the start as it will be: growing, it could go to the other side of the field, or up from under a pointer. */}
          <Combobox.Options aria-label={t('topic')} h={LIST_HEIGHT} style={{ overflowY: 'auto' }}>
            <Topics topics={holding} />
            {mayAdd && (
              <Combobox.Option value={NEW}>
                <IconPlus size={14} aria-hidden /> {t('addTopic')}: “{text.trim()}”
              </Combobox.Option>
            )}
            {/* They come later, so they stand behind what can be chosen already. */}
            <Topics topics={like} />
            {holding.length === 0 && text.trim() === '' && !suggestions.isLoading && !suggestions.error && (
              <Combobox.Empty>{t('typeToAddTopic')}</Combobox.Empty>
            )}
          </Combobox.Options>
        </Combobox.Dropdown>
      </Combobox>
      {suggestions.error && <QuietNotice error={suggestions.error} onRetry={suggestions.refetch} />}
    </div>
  );
}

/** Marks what Enter takes: the first topic that holds the text, or the new one where nothing is like it. */
function useMarkForEnter(
  { selectFirstOption, resetSelectedOption }: ReturnType<typeof useCombobox>,
  wanted: string,
  { holding, like, mayAdd, isLoading }: ReturnType<typeof useTopicSuggestions>,
) {
  const added = mayAdd && !isLoading && like.length === 0 ? NEW : undefined;
  const marked = wanted === '' ? undefined : (holding[0]?._id ?? added);
  useEffect(() => {
    if (marked === undefined) resetSelectedOption();
    else selectFirstOption();
  }, [wanted, marked, selectFirstOption, resetSelectedOption]);
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

/** Of names that hold the text: itself, then those that begin with it. */
const rank = (name: string, wanted: string): number => {
  if (name === wanted) return 0;
  return name.startsWith(wanted) ? 1 : 2;
};

function holdingOf<Topic extends { name: string }>(
  topics: readonly Topic[],
  wanted: string,
): readonly Topic[] {
  if (wanted === '') return topics;
  return topics
    .filter(({ name }) => name.includes(wanted))
    .sort((one, other) => rank(one.name, wanted) - rank(other.name, wanted))
    .slice(0, SUGGESTIONS);
}

/**
 * Topics of a subject to choose from: all of them at first. Once one types: at once those that hold the text, and those that are like it when
 * the api has found them. What is shown stays where it is when they come.
 */
function useTopicSuggestions(
  { space, subject }: { space: string; subject: string },
  text: string,
  /** The text, once typing has paused. */
  paused: string,
) {
  const wanted = folded(text);
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
  const holding = holdingOf(topics, wanted);
  const shown = new Set(holding.map(({ _id }) => _id));
  const hits = wanted !== '' && folded(paused) === wanted ? (found.data?.searchTopics.hits ?? []) : [];
  const current = paused === '' ? all : found;
  return {
    holding,
    like: hits.filter(({ _id }) => !shown.has(_id)).slice(0, SUGGESTIONS - holding.length),
    /** Nobody can say where in the list it will stand before all are read. */
    mayAdd: wanted !== '' && isRead(all) && !topics.some(({ name }) => name === wanted),
    isLoading: current.loading,
    error: current.data ? undefined : current.error,
    refetch: () => void current.refetch(),
  };
}
