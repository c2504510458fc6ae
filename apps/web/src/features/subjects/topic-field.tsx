import { Combobox, Loader, TextInput, useCombobox } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import IconPlus from '@tabler/icons-react/dist/esm/icons/IconPlus.mjs';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { QuietNotice } from '../../components/quiet-notice';
import { timings } from '../../lib/timings';
import { useTopicSuggestions } from './use-topic-suggestions';

/** A topic that exists, or the name of one to be made. */
export type TopicChoice = { _id: string; topicName: string } | { newTopicName: string };

interface TopicFieldProps {
  space: string;
  subject: string | null;
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

/** Suggests the subject's topics while one types, and offers to add a new one. */
export function TopicField({ space, subject, value, error, onChange }: TopicFieldProps) {
  const { t } = useTranslation('ask', { keyPrefix: 'form' });
  const combobox = useCombobox({ onDropdownClose: () => combobox.resetSelectedOption() });
  const [text, setText] = useState(nameOf(value));
  const [search] = useDebouncedValue(text.trim(), timings.suggestionDebounce);
  const suggestions = useTopicSuggestions(space, subject, value === null ? search : '');
  const wanted = text.trim().toLocaleLowerCase();
  // The api finds mistyped names as well; until it was asked for this text, only those that contain it.
  const isCurrent = value !== null || search === text.trim();
  const topics = suggestions.topics.filter(
    ({ topicName }) => isCurrent || topicName.toLocaleLowerCase().includes(wanted),
  );
  const isKnown = topics.some(({ topicName }) => topicName.toLocaleLowerCase() === wanted);
  const choose = (option: string) => {
    const topic = topics.find(({ _id }) => _id === option);
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
            disabled={subject === null}
            rightSection={suggestions.isLoading ? <Loader size={16} /> : null}
            value={text}
            onChange={(event) => {
              setText(event.currentTarget.value);
              onChange(null);
              combobox.openDropdown();
              combobox.updateSelectedOptionIndex();
            }}
            onClick={() => combobox.openDropdown()}
            onFocus={() => combobox.openDropdown()}
            onBlur={() => combobox.closeDropdown()}
          />
        </Combobox.Target>
        <Combobox.Dropdown>
          <Combobox.Options mah={LIST_HEIGHT} style={{ overflowY: 'auto' }}>
            {topics.map(({ _id, topicName }) => (
              <Combobox.Option key={_id} value={_id}>
                {topicName}
              </Combobox.Option>
            ))}
            {wanted !== '' && !isKnown && value === null && (
              <Combobox.Option value={NEW}>
                <IconPlus size={14} aria-hidden /> {t('addTopic')}: “{text.trim()}”
              </Combobox.Option>
            )}
            {topics.length === 0 && wanted === '' && !suggestions.isLoading && !suggestions.error && (
              <Combobox.Empty>{t('typeToAddTopic')}</Combobox.Empty>
            )}
          </Combobox.Options>
        </Combobox.Dropdown>
      </Combobox>
      {suggestions.error && <QuietNotice error={suggestions.error} onRetry={suggestions.refetch} />}
    </div>
  );
}
