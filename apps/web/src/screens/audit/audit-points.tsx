import { useTranslation } from 'react-i18next';
import { Medal } from '../../components/medal';
import type { AuditLineFragment } from '../../generated/graphql';
import { signedNumber } from '../../lib/format';
import classes from './audit.module.css';

type Moved = AuditLineFragment['points'][number];

/** What a line moved for whose post it is and for who voted: merit beside gold, impact beside silver. */
export function AuditPoints({ points }: { points: readonly Moved[] }) {
  const { t } = useTranslation('audit');
  const moved = points.filter(({ merit, impact }) => merit !== 0 || impact !== 0);
  if (moved.length === 0) return points.length > 0 ? <span className={classes.nothing}>0</span> : null;
  return (
    <span className={classes.points}>
      {moved.map((point) => (
        <span key={point.side} className={classes.side}>
          <span className={classes.sideName}>{t(`side.${point.side}`)}</span>
          {point.merit !== 0 && <Counted metal="gold" points={point.merit} />}
          {point.impact !== 0 && <Counted metal="silver" points={point.impact} />}
        </span>
      ))}
    </span>
  );
}

function Counted({ metal, points }: { metal: 'gold' | 'silver'; points: number }) {
  const { t, i18n } = useTranslation('audit');
  const shown = signedNumber(points, i18n.language);
  return (
    <span
      className={classes.counted}
      data-loss={points < 0}
      role="img"
      aria-label={t(metal, { points: shown })}
    >
      <Medal metal={metal} size={16} />
      {shown}
    </span>
  );
}
