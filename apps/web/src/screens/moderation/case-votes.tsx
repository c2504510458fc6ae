import { Anchor, Button, Group, Skeleton, Table, Title, VisuallyHidden } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import { paths } from '../../app/paths';
import type { ModerationCaseFragment } from '../../generated/graphql';
import { longDay, wholeNumber } from '../../lib/format';
import { auditPath } from '../audit/audit-links';
import { lazyPart } from '../../lib/lazy-part';
import classes from './moderation.module.css';

/** The library of charts comes with the first chart. */
const VoteChart = lazyPart(async () => ({ default: (await import('./vote-chart')).VoteChart }));

type Days = ModerationCaseFragment['voteDays'];

/** How votes on the post came and went, as a chart and as a table. */
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
          <Anchor component={Link} to={paths.votesToJudge({ space: spaceId, post: _id })}>
            {t('votes.judge')}
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
    <Table aria-labelledby="case-votes" className="nimo-tabular">
      <Table.Thead>
        <Table.Tr>
          <Table.Th>{t('votes.day')}</Table.Th>
          <Table.Th>{t('votes.up')}</Table.Th>
          <Table.Th>{t('votes.down')}</Table.Th>
          <Table.Th>{t('votes.withdrawn')}</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {days.map(({ day, up, down, withdrawn }) => (
          <Table.Tr key={day}>
            <Table.Th scope="row" fw={400}>
              {longDay(day, i18n.language)}
            </Table.Th>
            <Table.Td>{number(up)}</Table.Td>
            <Table.Td>{number(down)}</Table.Td>
            <Table.Td>{number(withdrawn)}</Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}
