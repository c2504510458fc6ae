import { Button } from '@mantine/core';
import IconPlus from '@tabler/icons-react/dist/esm/icons/IconPlus.mjs';
import { useTranslation } from 'react-i18next';
import { useFolded } from '../../lib/use-folded';
import { FoldButton } from '../../components/fold-button';
import classes from './filter-bar.module.css';
import { ClearFilters, FilingSelects, SortSelect, ToggleChips } from './filter-controls';
import { isAnyFilterActive, noFilters, SORT, toggles, type QuestionFilters } from './question-filters';

interface FilterBarProps {
  space: string;
  filters: QuestionFilters;
  onChange: (filters: QuestionFilters) => void;
  onAsk: () => void;
}

/** Which questions the list shows, and the way to ask one. */
export function FilterBar({ space, filters, onChange, onAsk }: FilterBarProps) {
  const { t } = useTranslation('ask');
  const [isFolded, toggle] = useFolded('filters');
  return (
    <div className={classes.bar} role="group" aria-label={t('filters.label')}>
      <FoldButton label={t('filters.label')} isFolded={isFolded} onToggle={toggle} />
      {isFolded && <span aria-hidden>{t('filters.label')}</span>}
      {!isFolded && (
        <>
          <SortSelect
            value={filters.sort}
            fallback={SORT.recent}
            onChange={(sort) => onChange({ ...filters, sort })}
          />
          <FilingSelects space={space} filters={filters} onChange={onChange} />
          <ToggleChips offered={toggles} filters={filters} onChange={onChange} />
        </>
      )}
      {isAnyFilterActive(filters) && <ClearFilters onClear={() => onChange(noFilters)} />}
      <Button
        className={classes.ask}
        size="sm"
        leftSection={<IconPlus size={16} aria-hidden />}
        onClick={onAsk}
      >
        {t('askQuestion')}
      </Button>
    </div>
  );
}
