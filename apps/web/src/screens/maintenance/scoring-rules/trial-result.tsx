import { skipToken, useQuery } from '@apollo/client/react';
import { NativeSelect, Text, Title } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { DataTable } from '../../../components/data-table';
import { QuietNotice } from '../../../components/notices';
import { ChartFigure } from '../../../features/charts/chart-figure';
import { Bars } from '../../../features/charts/lazy-charts';
import {
  ScoringTrialOfSpaceDocument,
  SpacesDocument,
  type ScoringTrialFieldsFragment,
} from '../../../generated/graphql';
import { signedNumber, wholeNumber } from '../../../lib/format';
import { MovesTable } from './moves-table';
import classes from './scoring-rules.module.css';

type Trial = ScoringTrialFieldsFragment;

const right = { ta: 'end' } as const;

/** Preview of the draft: totals, threshold changes, score distribution and affected students. */
export function TrialResult({ trial }: { trial: Trial }) {
  const { t, i18n } = useTranslation('scoringRules');
  const [space, setSpace] = useState('');
  const spaces = useQuery(SpacesDocument);
  const narrowed = useQuery(
    ScoringTrialOfSpaceDocument,
    space === '' ? skipToken : { variables: { trial: trial._id, space } },
  );
  const shown =
    space === ''
      ? trial
      : (narrowed.data?.getScoringTrial ?? narrowed.previousData?.getScoringTrial ?? trial);
  const seconds = new Intl.NumberFormat(i18n.language, { maximumFractionDigits: 1 }).format(
    trial.durationMs / 1000,
  );
  return (
    <section aria-labelledby="trial">
      <div className={classes.filters}>
        <Title order={3} id="trial" mr="auto">
          {t('result')}
        </Title>
        <NativeSelect
          label={t('space')}
          value={space}
          onChange={({ currentTarget }) => setSpace(currentTarget.value)}
          data={[
            { value: '', label: t('allSpaces') },
            ...(spaces.data?.getSpaces ?? []).map(({ _id, name }) => ({ value: _id, label: name })),
          ]}
        />
      </div>
      <Text size="sm" c="dimmed" mb="md">
        {t('resultNote', { seconds })}
      </Text>
      {narrowed.error && <QuietNotice error={narrowed.error} onRetry={() => void narrowed.refetch()} />}
      <Figures trial={shown} />
      <Lines lines={shown.lines} />
      <Distribution classes={shown.distribution} />
      <MovesTable trial={trial._id} space={space === '' ? null : space} />
    </section>
  );
}

function Figures({ trial }: { trial: Trial }) {
  const { t, i18n } = useTranslation('scoringRules');
  const number = (value: number) => wholeNumber(value, i18n.language);
  const figures = [
    ['movers', t('ofAll', { part: number(trial.movers), all: number(trial.students) })],
    ['gainers', number(trial.gainers)],
    ['losers', number(trial.losers)],
    ['reranked', number(trial.reranked)],
    ['total', signedNumber(trial.pointsAfter - trial.pointsBefore, i18n.language)],
    ['refused', number(trial.refusedDownvotes)],
  ] as const;
  return (
    <dl className={classes.numbers}>
      {figures.map(([name, value]) => (
        <div key={name}>
          <dt>{t(`figure.${name}`)}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

function Lines({ lines }: { lines: Trial['lines'] }) {
  const { t, i18n } = useTranslation('scoringRules');
  return (
    <DataTable
      mt="lg"
      mb="md"
      className="nimo-tabular"
      aria-label={t('thresholdChanges')}
      rows={lines}
      keyOf={({ line }) => line}
      columns={[
        { label: t('thresholdChanges'), isRowHeader: true, cell: ({ line }) => t(`boundary.${line}`) },
        { label: t('entered'), cellProps: right, cell: ({ entered }) => wholeNumber(entered, i18n.language) },
        { label: t('left'), cellProps: right, cell: ({ left }) => wholeNumber(left, i18n.language) },
      ]}
    />
  );
}

function Distribution({ classes: found }: { classes: Trial['distribution'] }) {
  const { t, i18n } = useTranslation('scoringRules');
  const number = (value: number) => wholeNumber(value, i18n.language);
  const labelOf = ({ from, to }: Trial['distribution'][number]) => {
    if (to === null) return t('orMore', { from: number(from) });
    return from === to ? number(from) : `${number(from)}–${number(to)}`;
  };
  const rows = found.map((row) => ({ ...row, label: labelOf(row) }));
  return (
    <ChartFigure
      title={t('distribution')}
      columns={[t('score'), t('before'), t('after')]}
      rows={rows.map(({ label, before, after }) => ({
        key: label,
        cells: [label, number(before), number(after)],
      }))}
    >
      <Bars
        data={rows.map(({ label, before, after }) => ({ label, before, after }))}
        series={[
          { name: 'before', label: t('before'), color: 'gray.5' },
          { name: 'after', label: t('after'), color: 'accent.6' },
        ]}
        valueFormatter={number}
      />
    </ChartFigure>
  );
}
