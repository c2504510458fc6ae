import { NativeSelect } from '@mantine/core';
import IconLanguage from '@tabler/icons-react/dist/esm/icons/IconLanguage.mjs';
import { useState, type ChangeEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { chooseLanguage } from '../i18n/i18n';
import { isLanguage, languageCodes, languages } from '../i18n/languages';
import classes from './language-choice.module.css';

// Each in its own language, so that everyone finds theirs.
const choices = languageCodes.map((code) => ({ value: code, label: languages[code] }));

interface LanguageChoiceProps {
  /** For headers: the label is for screen readers only. */
  compact?: boolean;
  /** Id of a heading that already labels it. */
  labelledBy?: string;
}

/** Changes the language of the whole product at once. */
export function LanguageChoice({ compact = false, labelledBy }: LanguageChoiceProps) {
  const { t, i18n } = useTranslation('shell');
  const [hasFailed, setFailed] = useState(false);
  const choose = ({ currentTarget }: ChangeEvent<HTMLSelectElement>) => {
    const { value } = currentTarget;
    if (!isLanguage(value)) return;
    setFailed(false);
    chooseLanguage(value).catch(() => setFailed(true));
  };
  return (
    <NativeSelect
      {...(compact
        ? { 'aria-label': t('language'), variant: 'unstyled', size: 'sm', className: classes.compact ?? '' }
        : { 'aria-labelledby': labelledBy, maw: 320 })}
      leftSection={<IconLanguage size={20} stroke={1.75} aria-hidden />}
      leftSectionPointerEvents="none"
      data={choices}
      value={i18n.language}
      error={hasFailed && t('error.unreachable')}
      onChange={choose}
    />
  );
}
