import IconCircleCheck from '@tabler/icons-react/dist/esm/icons/IconCircleCheck.mjs';
import IconCircleX from '@tabler/icons-react/dist/esm/icons/IconCircleX.mjs';
import { useTranslation } from 'react-i18next';
import classes from './proof.module.css';

const proven = ['content', 'order', 'line'] as const;
const unproven = ['tail', 'key', 'truth'] as const;

/** In plain words: a proof that is believed to say more than it does is worse than none. */
export function Meaning() {
  const { t } = useTranslation('proof');
  return (
    <div className={classes.meaning}>
      <section className={classes.card} aria-labelledby="proof-proves">
        <h2 id="proof-proves" className={classes.title}>
          {t('proves.title')}
        </h2>
        <ul className={classes.points}>
          {proven.map((point) => (
            <li key={point}>
              <IconCircleCheck size={18} stroke={1.75} className={classes.yes} aria-hidden />
              <span>{t(`proves.${point}`)}</span>
            </li>
          ))}
        </ul>
      </section>
      <section className={classes.card} aria-labelledby="proof-not">
        <h2 id="proof-not" className={classes.title}>
          {t('provesNot.title')}
        </h2>
        <ul className={classes.points}>
          {unproven.map((point) => (
            <li key={point}>
              <IconCircleX size={18} stroke={1.75} className={classes.no} aria-hidden />
              <span>{t(`provesNot.${point}`)}</span>
            </li>
          ))}
        </ul>
      </section>
    </div>
  );
}
