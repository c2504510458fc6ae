import { useTranslation } from 'react-i18next';
import classes from './logo.module.css';

/** The logo; it inherits the text colour. */
export function Logo() {
  const { t } = useTranslation('shell');
  return (
    <span className={classes.logo}>
      <img className={classes.mark} src="/favicon.svg" alt="" width={32} height={32} />
      {t('productName')}
    </span>
  );
}
