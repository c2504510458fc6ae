import { useTranslation } from 'react-i18next';
import classes from './logo.module.css';

/** The mark and the name; its colour is the surrounding text's. */
export function Logo() {
  const { t } = useTranslation('shell');
  return (
    <span className={classes.logo}>
      <img className={classes.mark} src="/favicon.svg" alt="" width={32} height={32} />
      {t('productName')}
    </span>
  );
}
