import { useTranslation } from 'react-i18next';
import { signedNumber } from '../lib/format';
import { Medal, type MedalProps } from './medal';
import classes from './point-count.module.css';

interface PointCountProps extends MedalProps {
  points: number;
  /** Accessible name, with the signed number. */
  nameOf: (shown: string) => string;
}

/** Points next to their medal: +50 or −5. */
export function PointCount({ points, nameOf, ...medal }: PointCountProps) {
  const { i18n } = useTranslation();
  const shown = signedNumber(points, i18n.language);
  return (
    <span className={classes.counted} data-loss={points < 0} role="img" aria-label={nameOf(shown)}>
      <Medal {...medal} />
      {shown}
    </span>
  );
}
