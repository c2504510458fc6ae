import { Select } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { useChosenSpace } from './use-chosen-space';

type SpaceChoiceProps = Pick<ReturnType<typeof useChosenSpace>, 'spaces' | 'chosen' | 'choose'>;

/** Which of the spaces that the caller moderates a screen is about. */
export function SpaceChoice({ spaces, chosen, choose }: SpaceChoiceProps) {
  const { t } = useTranslation('areas');
  return (
    <Select
      label={t('space')}
      allowDeselect={false}
      searchable
      disabled={!spaces}
      data={(spaces ?? []).map(({ _id, name }) => ({ value: _id, label: name }))}
      value={chosen ?? null}
      onChange={(space) => space !== null && choose(space)}
    />
  );
}
