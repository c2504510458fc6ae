import { VisuallyHidden } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useTranslation } from 'react-i18next';
import { useIsLoading } from '../lib/loading';
import { timings } from '../lib/timings';

/** Says once that something loads, however many outlines stand for it, and nothing of what comes soon or follows at once. */
export function LoadingStatus() {
  const { t } = useTranslation('shell');
  const [isLoading] = useDebouncedValue(useIsLoading(), timings.loadingSaid);
  return <VisuallyHidden aria-live="polite">{isLoading && t('loading')}</VisuallyHidden>;
}
