import { useTranslation } from 'react-i18next';
import { useIsStuck } from '../../lib/browser/viewport';
import barClasses from '../questions/filter-controls.module.css';
import { ClearFilters, FilingSelects, SortSelect, ToggleChips } from '../questions/filter-controls';
import { toggles } from '../questions/question-filters';
import { isAnySearchFilterActive, noSearchFilters, type SearchFilters } from './search-address';
import classes from './search-filter-bar.module.css';

const offered = toggles.filter((toggle) => toggle !== 'savedQuestions');

interface SearchFilterBarProps {
  space: string;
  filters: SearchFilters;
  /** Whether to show toggles, which only apply to questions. */
  hasToggles: boolean;
  onChange: (filters: SearchFilters) => void;
}

/** Filters of the results. The search box is in the header. */
export function SearchFilterBar({ space, filters, hasToggles, onChange }: SearchFilterBarProps) {
  const { t } = useTranslation(['ask', 'search']);
  const isStuck = useIsStuck();
  return (
    <div
      className={`${barClasses.bar} ${classes.bar}`}
      data-stuck={isStuck || undefined}
      role="group"
      aria-label={t('filters.label')}
    >
      <SortSelect
        value={filters.sort}
        fallback={null}
        placeholder={t('search:bestMatch')}
        onChange={(sort) => onChange({ ...filters, sort })}
      />
      <FilingSelects space={space} filters={filters} onChange={onChange} />
      {hasToggles && <ToggleChips offered={offered} filters={filters} onChange={onChange} />}
      {isAnySearchFilterActive(filters) && <ClearFilters onClear={() => onChange(noSearchFilters)} />}
    </div>
  );
}
