import { useDebouncedValue } from '@mantine/hooks';
import { useId, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { SafeHtml } from '../../components/safe-html';
import { timings } from '../../lib/timings';
import { isBlankBody } from '../questions/truncate';
import { allowedHtml } from './allowed-html';
import classes from './body-preview.module.css';

/** How a body will look, after a pause in typing. It was not at the api yet, and a restored draft not even in the editor. */
export function BodyPreview({ html }: { html: string }) {
  const { t } = useTranslation('ask', { keyPrefix: 'form' });
  const id = useId();
  const [shown] = useDebouncedValue(html, timings.previewDebounce);
  const safe = useMemo(() => allowedHtml(shown), [shown]);
  return (
    <section aria-labelledby={id}>
      <p id={id} className={classes.heading}>
        {t('preview')}
      </p>
      <div className={classes.frame}>
        {isBlankBody(safe) ? <p className={classes.empty}>{t('previewEmpty')}</p> : <SafeHtml html={safe} />}
      </div>
    </section>
  );
}
