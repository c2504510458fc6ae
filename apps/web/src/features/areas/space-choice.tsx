import { Select } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router-dom';
import { useCurrentSpace } from '../../lib/auth-storage';
import { type ModeratedSpace, useModeratedSpaces } from './use-moderated-spaces';

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

/**
 * The space that the address names; without one, that in which the caller just was, or else the first that the caller
 * moderates. Undefined until it is known, or where there is none.
 * @param fits which of them to begin with, as far as there is one
 */
export function useChosenSpace(fits: (space: ModeratedSpace) => boolean = () => true) {
  const [search, setSearch] = useSearchParams();
  const current = useCurrentSpace()?._id;
  const { spaces, error, refetch } = useModeratedSpaces();
  const fitting = spaces?.filter(fits) ?? [];
  const offered = fitting.length > 0 ? fitting : spaces;
  const standard = offered?.find(({ _id }) => _id === current) ?? offered?.[0];
  return {
    spaces,
    chosen: search.get('space') || standard?._id,
    /** What the address says beside it was about the former space. */
    choose: (space: string) => setSearch({ space }, { replace: true }),
    error,
    refetch,
  };
}
