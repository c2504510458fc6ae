import { useTranslation } from 'react-i18next';
import classes from './skip-link.module.css';
import { contentId } from '../lib/browser/focus';

/** The first tab stop: skips what every screen begins with. */
export function SkipLink() {
  const { t } = useTranslation('shortcuts');
  return (
    <a className={classes.skip} href={`#${contentId}`}>
      {t('skipToContent')}
    </a>
  );
}
