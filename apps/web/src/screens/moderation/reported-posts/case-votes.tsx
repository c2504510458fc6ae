import { Anchor, Button, Group, Skeleton, Title, VisuallyHidden } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import { paths } from '../../../lib/paths';
import { DataTable } from '../../../components/data-table';
import type { ModerationCaseFragment } from '../../../generated/graphql';
import { longDay, wholeNumber } from '../../../lib/format';
import { auditPath } from '../audit/audit-address';
import { lazyPart } from '../../../lib/browser/loading';
import classes from './moderation.module.css';

/** Loads the chart library with the first chart. */
const VoteChart = lazyPart(async () => ({ default: (await import('./vote-chart')).VoteChart }));

type Days = ModerationCaseFragment['voteDays'];

/** Votes per day, as a chart and a table. */
export function CaseVotes({ shown: { _id, spaceId, voteDays: days } }: { shown: ModerationCaseFragment }) {
  const { t } = useTranslation('moderation');
  const [isShown, table] = useDisclosure();
  return (
    <section aria-labelledby="case-votes">
      <Group justify="space-between">
        <Title order={3} size="h4" id="case-votes">
          {t('votes.title')}
        </Title>
        {days.length > 0 && (
          <Button variant="default" size="compact-sm" aria-expanded={isShown} onClick={table.toggle}>
            {t(isShown ? 'votes.hide' : 'votes.show')}
          </Button>
        )}
      </Group>
      {days.length === 0 ? (
        <p className={classes.hint}>{t('votes.none')}</p>
      ) : (
        <>
          <div aria-hidden className={classes.chart}>
            <Suspense fallback={<Skeleton height={160} radius="md" />}>
              <VoteChart days={days} />
            </Suspense>
          </div>
          {isShown ? (
            <VoteTable days={days} />
          ) : (
            <VisuallyHidden>
              <VoteTable days={days} />
            </VisuallyHidden>
          )}
        </>
      )}
      <Group gap="lg" mt="sm">
        <Anchor component={Link} to={auditPath({ view: 'post', of: _id })}>
          {t('votes.history')}
        </Anchor>
        {days.length > 0 && (
          <Anchor component={Link} to={paths.votesToReview({ space: spaceId, post: _id })}>
            {t('votes.selectToInvalidate')}
          </Anchor>
        )}
        <Anchor component={Link} to={`${paths.votePatterns}?${new URLSearchParams({ space: spaceId })}`}>
          {t('votes.patterns')}
        </Anchor>
      </Group>
    </section>
  );
}

function VoteTable({ days }: { days: Days }) {
  const { t, i18n } = useTranslation('moderation');
  const number = (value: number) => wholeNumber(value, i18n.language);
  return (
    <DataTable
      aria-labelledby="case-votes"
      className="nimo-tabular"
      rows={days}
      keyOf={({ day }) => day}
      columns={[
        { label: t('votes.day'), isRowHeader: true, cell: ({ day }) => longDay(day, i18n.language) },
        { label: t('votes.up'), cell: ({ up }) => number(up) },
        { label: t('votes.down'), cell: ({ down }) => number(down) },
        { label: t('votes.withdrawn'), cell: ({ withdrawn }) => number(withdrawn) },
      ]}
    />
  );
}
