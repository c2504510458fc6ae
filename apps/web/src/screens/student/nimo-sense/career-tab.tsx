import { useQuery } from '@apollo/client/react';
import { Anchor, Button } from '@mantine/core';
import IconChartAreaLine from '@tabler/icons-react/dist/esm/icons/IconChartAreaLine.mjs';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import { paths } from '../../../lib/paths';
import { EmptyState } from '../../../components/empty-state';
import { ErrorNotice } from '../../../components/notices';
import { SkeletonRows } from '../../../components/skeletons';
import { OwnScoreHistoryDocument } from '../../../generated/graphql';
import { wholeNumber } from '../../../lib/format';
import { ChartFigure, chartHeight } from '../../../features/charts/chart-figure';
import { StackedAreas } from '../../../features/charts/lazy-charts';
import { scoreSeries, type Span, useSpanLabel } from './spans';

/** The reader's score over time. */
export function CareerTab({ space, span }: { space: string; span: Span }) {
  const { t, i18n } = useTranslation('sense');
  const labelOf = useSpanLabel();
  const number = (value: number) => wholeNumber(value, i18n.language);
  const { data, error, refetch } = useQuery(OwnScoreHistoryDocument, {
    variables: { space },
    fetchPolicy: 'cache-and-network',
  });
  if (error && !data) return <ErrorNotice error={error} onRetry={() => void refetch()} />;
  if (!data) return <SkeletonRows count={1} height={chartHeight} />;
  if (data.getOwnScoreHistory.length === 0) return <NoScoreYet />;
  const series = scoreSeries(data.getOwnScoreHistory, span);
  return (
    <>
      <ChartFigure
        title={t('career.title')}
        columns={[t('period'), t('career.score'), t('career.reputations'), t('career.commitments')]}
        rows={series.map((piece) => ({
          key: piece.from,
          cells: [labelOf(piece), number(piece.score), number(piece.reputations), number(piece.commitments)],
        }))}
      >
        <StackedAreas
          data={series.map((piece) => ({ ...piece, label: labelOf(piece) }))}
          series={[
            { name: 'commitments', label: t('career.commitments'), color: 'gray.6' },
            { name: 'reputations', label: t('career.reputations'), color: 'yellow.6' },
          ]}
          valueFormatter={number}
        />
      </ChartFigure>
      <Anchor component={Link} to={paths.scoreExplanation}>
        {t('career.howCalculated')}
      </Anchor>
    </>
  );
}

function NoScoreYet() {
  const { t } = useTranslation('sense');
  const action = (
    <Button component={Link} to={paths.dashboard}>
      {t('toQuestions')}
    </Button>
  );
  return (
    <EmptyState
      icon={IconChartAreaLine}
      title={t('career.emptyTitle')}
      text={t('career.emptyText')}
      action={action}
    />
  );
}
