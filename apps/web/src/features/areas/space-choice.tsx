import { Select } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router-dom';
import { useCurrentSpace } from '../../lib/auth-storage';
import { type ModeratedSpace, useModeratedSpaces } from './use-moderated-spaces';

type SpaceChoiceProps = Pick<ReturnType<typeof useChosenSpace>, 'spaces' | 'chosen' | 'choose'>;

/** Selects one of the spaces the caller moderates. */
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
 * The space in the URL; otherwise the caller's current space, or the first one they moderate. Undefined while loading,
 * or if there is none.
 * @param fits preferred spaces for the default
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
    /** Drops other URL parameters: they belong to the previous space. */
    choose: (space: string) => setSearch({ space }, { replace: true }),
    error,
    refetch,
  };
}
