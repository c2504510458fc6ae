import { Badge, Button } from '@mantine/core';
import IconAdjustmentsHorizontal from '@tabler/icons-react/dist/esm/icons/IconAdjustmentsHorizontal.mjs';
import IconPlus from '@tabler/icons-react/dist/esm/icons/IconPlus.mjs';
import { type ReactNode, useCallback, useMemo, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useSearchParams } from 'react-router-dom';
import { paths } from '../../../lib/paths';
import { FoldButton, useFolded } from '../../../components/fold-button';
import { useIsNarrow } from '../../../lib/browser/device';
import { useIsStuck } from '../../../lib/browser/viewport';
import classes from '../../../features/questions/filter-controls.module.css';
import {
  ClearFilters,
  FilingSelects,
  SortSelect,
  ToggleChips,
} from '../../../features/questions/filter-controls';
import {
  activeCount,
  filtersFrom,
  noFilters,
  type QuestionFilters,
  searchParamsOf,
  SORT,
  toggles,
} from '../../../features/questions/question-filters';
import { useSpaceStanding } from '../../../lib/api/space-standing';

interface FilterBarProps {
  space: string;
  filters: QuestionFilters;
  onChange: (filters: QuestionFilters) => void;
  /** Buttons that open the strips between the bar and the list. */
  strips: ReactNode;
}

/** The row above the list: filters, strips and the button to ask a question. */
export function FilterBar({ space, filters, onChange, strips }: FilterBarProps) {
  const { t } = useTranslation('ask');
  const { onlyReads } = useSpaceStanding();
  const fold = useFolded('filters');
  const opener = useRef<HTMLButtonElement>(null);
  const active = activeCount(filters);
  // Scroll the end of the row into view.
  const isNarrow = useIsNarrow();
  const clear = () => {
    onChange(noFilters);
    // The button disappears, and the focus with it.
    opener.current?.focus();
  };
  const clearFilters = active > 0 && <ClearFilters onClear={clear} />;
  return (
    <div className={classes.stack} data-stuck={useIsStuck() || undefined}>
      {/* Browsers do not scroll to a button that is partly visible. */}
      <div
        className={classes.row}
        onFocus={({ target }) => target.scrollIntoView({ block: 'nearest', inline: 'nearest' })}
      >
        <FoldButton
          ref={opener}
          label={t('filters.label')}
          name={active === 0 ? undefined : t('filters.active', { number: active })}
          icon={
            active === 0 ? (
              <IconAdjustmentsHorizontal size={18} aria-hidden />
            ) : (
              <ActiveBadge count={active} />
            )
          }
          fold={fold}
        />
        {isNarrow && clearFilters}
        {strips}
        {!isNarrow && clearFilters}
        {!onlyReads && (
          <Button
            component={Link}
            to={paths.ask}
            className={classes.ask}
            size="sm"
            leftSection={<IconPlus size={16} aria-hidden />}
          >
            {t('askQuestion')}
          </Button>
        )}
      </div>
      {!fold.isFolded && (
        <div id={fold.id} className={classes.band} role="group" aria-label={t('filters.label')} data-filters>
          <div className={classes.selects}>
            <SortSelect
              value={filters.sort}
              fallback={SORT.recent}
              onChange={(sort) => onChange({ ...filters, sort })}
            />
            <FilingSelects space={space} filters={filters} onChange={onChange} />
          </div>
          <ToggleChips offered={toggles} filters={filters} onChange={onChange} />
        </div>
      )}
    </div>
  );
}

/** As wide as the icon it replaces, so that nothing moves. */
function ActiveBadge({ count }: { count: number }) {
  return (
    <Badge size="sm" circle aria-hidden>
      {count}
    </Badge>
  );
}

const SELECTED = 'question';

interface FilterState {
  filters: QuestionFilters;
  /** New filters clear the selected question. */
  setFilters: (filters: QuestionFilters) => void;
  selectedId: string | null;
  /** The same list with a question selected. */
  searchFor: (questionId: string) => string;
  deselect: () => void;
}

/** Filters and selected question, kept in the URL, so that links and Back restore them. */
export function useQuestionFilters(): FilterState {
  const [params, setParams] = useSearchParams();
  const filters = useMemo(() => filtersFrom(params), [params]);
  const setFilters = useCallback((next: QuestionFilters) => setParams(searchParamsOf(next)), [setParams]);
  const searchFor = (questionId: string) => {
    const next = searchParamsOf(filters);
    next.set(SELECTED, questionId);
    return `?${next.toString()}`;
  };
  const deselect = useCallback(
    () => setParams(searchParamsOf(filters), { replace: true }),
    [filters, setParams],
  );
  return { filters, setFilters, selectedId: params.get(SELECTED), searchFor, deselect };
}
