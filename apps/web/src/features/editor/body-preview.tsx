import { startTransition, useEffect, useId, useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { SafeHtml } from '../../components/rich-text/safe-html';
import { timings } from '../../lib/timings';
import { isBlankBody } from '../../components/rich-text/truncate';
import { allowedHtml } from './allowed-html';
import classes from './body-preview.module.css';

/** Debounces the HTML until typing pauses, counted from the last key in the form or the last change. */
function useAfterPause(html: string) {
  const ref = useRef<HTMLElement>(null);
  const [shown, setShown] = useState(html);
  const pausedAt = useRef(-Infinity);
  useEffect(() => {
    const note = () => (pausedAt.current = performance.now());
    const form = ref.current?.closest('form');
    form?.addEventListener('keydown', note);
    return () => form?.removeEventListener('keydown', note);
  }, []);
  useEffect(() => {
    if (html === shown) return undefined;
    const passed = performance.now() - pausedAt.current;
    const wait = (ms: number) => setTimeout(drawAfterPause, ms);
    const drawAfterPause = () => {
      const left = pausedAt.current + timings.previewDebounce - performance.now();
      if (left > 0) timer = wait(left);
      else startTransition(() => setShown(html));
    };
    let timer = wait(timings.previewDebounce - (passed < timings.previewDebounce ? passed : 0));
    return () => clearTimeout(timer);
  }, [html, shown]);
  return { ref, shown };
}

/** Preview of a body after a pause in typing. Sanitises it: a restored draft has been through neither API nor editor. */
export function BodyPreview({ html }: { html: string }) {
  const { t } = useTranslation('ask', { keyPrefix: 'form' });
  const id = useId();
  const { ref, shown } = useAfterPause(html);
  const safe = useMemo(() => (shown === '' ? '' : allowedHtml(shown)), [shown]);
  return (
    <section ref={ref} aria-labelledby={id}>
      <p id={id} className={classes.heading}>
        {t('preview')}
      </p>
      <div className={classes.frame}>
        {isBlankBody(safe) ? <p className={classes.empty}>{t('previewEmpty')}</p> : <SafeHtml html={safe} />}
      </div>
    </section>
  );
}
