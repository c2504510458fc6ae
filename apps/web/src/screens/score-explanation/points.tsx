import { useTranslation } from 'react-i18next';
import { Medal } from '../../components/medal';
import { signedNumber } from '../../lib/format';
import classes from './score-explanation.module.css';

interface Moved {
  reputations: number;
  commitments: number;
}

/** What gave or took points, as +50 or −5, each beside the medal it counts for. */
export function Points({ reputations, commitments }: Moved) {
  return (
    <span className={classes.points}>
      {reputations !== 0 && <Counted metal="gold" points={reputations} />}
      {commitments !== 0 && <Counted metal="silver" points={commitments} />}
    </span>
  );
}

function Counted({ metal, points }: { metal: 'gold' | 'silver'; points: number }) {
  const { t, i18n } = useTranslation('score');
  const shown = signedNumber(points, i18n.language);
  return (
    <span
      className={classes.counted}
      data-loss={points < 0}
      role="img"
      aria-label={t(metal, { points: shown })}
    >
      <Medal metal={metal} size={18} />
      {shown}
    </span>
  );
}
