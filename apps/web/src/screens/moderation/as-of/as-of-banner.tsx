import IconHistory from '@tabler/icons-react/dist/esm/icons/IconHistory.mjs';
import { useTranslation } from 'react-i18next';
import { wholeNumber } from '../../../lib/format';
import classes from './as-of.module.css';
import { exactMoment, type Point } from './point';

/** States the point in time, so that nobody mistakes it for the current state. */
export function AsOfBanner({ point, note }: { point: Point; note?: string | undefined }) {
  const { t, i18n } = useTranslation('asOf');
  return (
    <div className={classes.banner} role="status">
      <IconHistory size={20} stroke={1.75} aria-hidden />
      <p>
        <strong>
          {point.by === 'moment'
            ? t('banner.moment', { moment: exactMoment(point.at, i18n.language) })
            : t('banner.ordinal', { ordinal: wholeNumber(point.ordinal, i18n.language) })}
        </strong>{' '}
        {t('banner.pastState')} {note}
      </p>
    </div>
  );
}
