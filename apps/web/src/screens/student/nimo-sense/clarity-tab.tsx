import { Progress, Table, Text, Title } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { SubjectChip } from '../../../components/chips';
import figure from '../../../features/charts/chart-figure.module.css';
import type { SpaceStatisticsQuery } from '../../../generated/graphql';
import { wholeNumber } from '../../../lib/format';
import classes from './nimo-sense.module.css';
import { NoQuestions } from './workload-tab';

/** Clarity per subject: the share of unsolved questions and the time to the first answer. */
export function ClarityTab({ statistics }: { statistics: SpaceStatisticsQuery['getSpaceStatistics'] }) {
  const { t } = useTranslation('sense');
  if (statistics.subjects.length === 0) return <NoQuestions />;
  return (
    <section className={figure.figure}>
      <Title order={2} size="h3">
        {t('clarity.title')}
      </Title>
      <Table verticalSpacing="sm" className="nimo-tabular">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t('clarity.subject')}</Table.Th>
            <Table.Th ta="end" className={classes.questions}>
              {t('clarity.questions')}
            </Table.Th>
            <Table.Th>{t('clarity.unsolved')}</Table.Th>
            <Table.Th>{t('clarity.firstAnswer')}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {statistics.subjects.map((clarity) => (
            <Row key={clarity.subject._id} clarity={clarity} />
          ))}
        </Table.Tbody>
      </Table>
      <Legend />
    </section>
  );
}

function Row({ clarity }: { clarity: Clarity }) {
  const { t, i18n } = useTranslation('sense');
  const number = (value: number) => wholeNumber(value, i18n.language);
  const percentOf = (count: number) => Math.round((count / clarity.questions) * 100);
  return (
    <Table.Tr>
      <Table.Th scope="row" fw={400}>
        <SubjectChip subject={clarity.subject} />
      </Table.Th>
      <Table.Td ta="end" className={classes.questions}>
        {number(clarity.questions)}
      </Table.Td>
      <Table.Td>
        <Text size="sm">
          {t('clarity.unsolvedOf', {
            percent: percentOf(clarity.unsolved),
            unsolved: number(clarity.unsolved),
          })}
        </Text>
        <Progress value={percentOf(clarity.unsolved)} color="orange.6" size="sm" aria-hidden />
      </Table.Td>
      <Table.Td>
        <Text size="sm">{t(`clarity.median.${half(clarity)}`)}</Text>
        <Progress.Root size="sm">
          {waits.map(({ name, color }) => (
            <Progress.Section
              key={name}
              value={(clarity[name] / clarity.questions) * 100}
              color={color}
              aria-label={t(`clarity.wait.${name}`)}
              aria-valuetext={number(clarity[name])}
              title={`${t(`clarity.wait.${name}`)}: ${number(clarity[name])}`}
            />
          ))}
        </Progress.Root>
      </Table.Td>
    </Table.Tr>
  );
}

function Legend() {
  const { t } = useTranslation('sense');
  return (
    <ul className={classes.legend} aria-hidden>
      {waits.map(({ name }) => (
        <li key={name} data-wait={name}>
          {t(`clarity.wait.${name}`)}
        </li>
      ))}
    </ul>
  );
}

type Clarity = SpaceStatisticsQuery['getSpaceStatistics']['subjects'][number];

/** Buckets of the time to the first answer, shortest first. */
const waits = [
  { name: 'withinHour', color: 'teal.7' },
  { name: 'withinDay', color: 'accent.5' },
  { name: 'withinWeek', color: 'grape.5' },
  { name: 'later', color: 'orange.6' },
  { name: 'unanswered', color: 'gray.5' },
] as const satisfies ReadonlyArray<{ name: keyof Clarity; color: string }>;

type Wait = (typeof waits)[number]['name'];

/** The bucket with the median time to the first answer. */
function half(clarity: Clarity): Wait {
  let answered = 0;
  for (const { name } of waits) {
    answered += clarity[name];
    if (answered * 2 >= clarity.questions) return name;
  }
  return 'unanswered';
}
