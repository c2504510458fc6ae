import { useQuery } from '@apollo/client/react';
import { SemiCircleProgress, Skeleton } from '@mantine/core';
import { useReducedMotion } from '@mantine/hooks';
import { useTranslation } from 'react-i18next';
import { QuietNotice } from '../../components/quiet-notice';
import { SolvedShareDocument } from '../../generated/graphql';
import { wholeNumber } from '../../lib/format';
import { timings } from '../../lib/timings';
import classes from './nimo-sense.module.css';

interface GaugeProps {
  space: string;
  subjectIds: string[] | null;
}

const size = 240;
const isHidden = () => document.visibilityState === 'hidden';

/** How much of what was asked is solved, looked at again every two seconds while somebody can see it. */
export function Gauge({ space, subjectIds }: GaugeProps) {
  const { t, i18n } = useTranslation('sense');
  const isStill = useReducedMotion();
  const { data, error, refetch } = useQuery(SolvedShareDocument, {
    variables: { space, subjectIds },
    fetchPolicy: 'cache-and-network',
    pollInterval: timings.gaugeRefresh,
    skipPollAttempt: isHidden,
  });
  if (!data) {
    if (error) return <QuietNotice error={error} onRetry={() => void refetch()} />;
    return <Skeleton width={size} height={`calc(${size / 2}px + 0.5rem + 1lh)`} radius="lg" />;
  }
  const { questions, solved } = data.getSolvedShare;
  const percent = questions === 0 ? 0 : Math.round((solved / questions) * 100);
  const share = new Intl.NumberFormat(i18n.language, { style: 'percent' }).format(percent / 100);
  const counts = t('solvedOf', {
    solved: wholeNumber(solved, i18n.language),
    count: questions,
    questions: wholeNumber(questions, i18n.language),
  });
  return (
    <div className={classes.gauge}>
      <SemiCircleProgress
        role="meter"
        aria-label={t('gauge')}
        aria-valuenow={percent}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuetext={`${share}. ${counts}`}
        size={size}
        thickness={18}
        value={percent}
        transitionDuration={isStill ? 0 : timings.transition}
        label={<span className={classes.percent}>{share}</span>}
        labelPosition="center"
      />
      <p>{counts}</p>
    </div>
  );
}
