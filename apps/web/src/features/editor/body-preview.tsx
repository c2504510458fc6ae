import { useDebouncedValue } from '@mantine/hooks';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { SafeHtml } from '../../components/safe-html';
import { timings } from '../../lib/timings';
import { plainText } from '../questions/truncate';
import classes from './body-preview.module.css';

/** How a body will look, after a pause in typing. Its HTML is the editor's own output, which its schema limits. */
export function BodyPreview({ html }: { html: string }) {
  const { t } = useTranslation('ask', { keyPrefix: 'form' });
  const id = useId();
  const [shown] = useDebouncedValue(html, timings.previewDebounce);
  return (
    <section aria-labelledby={id}>
      <h3 id={id} className={classes.heading}>
        {t('preview')}
      </h3>
      <div className={classes.frame}>
        {plainText(shown) === '' ? (
          <p className={classes.empty}>{t('previewEmpty')}</p>
        ) : (
          <SafeHtml html={shown} />
        )}
      </div>
    </section>
  );
}
