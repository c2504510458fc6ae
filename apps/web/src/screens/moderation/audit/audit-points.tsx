import { useTranslation } from 'react-i18next';
import { PointCount } from '../../../components/point-count';
import type { AuditLineFragment } from '../../../generated/graphql';
import classes from './audit.module.css';

type SideOfPoints = Pick<AuditLineFragment['points'][number], 'side' | 'merit' | 'impact'>;

/** An entry for several votes has points of several kinds on one side. */
const sumsBySide = (points: readonly SideOfPoints[]) =>
  (['RECEIVER', 'VOTER'] as const).map((side) => {
    const ofSide = points.filter((point) => point.side === side);
    const sumOf = (metal: 'merit' | 'impact') => ofSide.reduce((sum, point) => sum + point[metal], 0);
    return { side, merit: sumOf('merit'), impact: sumOf('impact') };
  });

/** Points of the author and the voter: merit (gold) and impact (silver). */
export function AuditPoints({ points }: { points: readonly SideOfPoints[] }) {
  const { t } = useTranslation('audit');
  const countOf = (metal: 'gold' | 'silver', count: number) =>
    count !== 0 && (
      <PointCount metal={metal} size={16} points={count} nameOf={(shown) => t(metal, { points: shown })} />
    );
  const moved = sumsBySide(points).filter(({ merit, impact }) => merit !== 0 || impact !== 0);
  if (moved.length === 0) return points.length > 0 ? <span className={classes.nothing}>0</span> : null;
  return (
    <span className={classes.points}>
      {moved.map((point) => (
        <span key={point.side} className={classes.side}>
          <span className={classes.sideName}>{t(`side.${point.side}`)}</span>
          {countOf('gold', point.merit)}
          {countOf('silver', point.impact)}
        </span>
      ))}
    </span>
  );
}
