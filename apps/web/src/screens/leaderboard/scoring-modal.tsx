import { Modal, Table, Text, Title } from '@mantine/core';
import { useTranslation } from 'react-i18next';

const merit = [
  { event: 'questionUpvoted', points: 50 },
  { event: 'answerUpvoted', points: 70 },
  { event: 'answerAccepted', points: 100 },
  { event: 'acceptingAnswer', points: 15 },
  { event: 'questionDownvoted', points: -50 },
  { event: 'answerDownvoted', points: -50 },
  { event: 'castingDownvote', points: -5 },
  { event: 'reported', points: -200 },
] as const;

const impact = [
  { event: 'postQuestion', points: 10 },
  { event: 'postAnswer', points: 10 },
  { event: 'comment', points: 2 },
  { event: 'castUpvote', points: 1 },
] as const;

type ScoredEvent = (typeof merit | typeof impact)[number];

function signed(points: number): string {
  return points < 0 ? `−${-points}` : `+${points}`;
}

/** What earns points and what costs them. */
export function ScoringModal({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const { t } = useTranslation('leaderboard');
  return (
    <Modal opened={opened} onClose={onClose} title={t('scores.title')} size="lg">
      <Text c="dimmed">{t('scores.intro')}</Text>
      <ScoringTable heading={t('scores.merit')} note={t('scores.meritNote')} rows={merit} />
      <ScoringTable heading={t('scores.impact')} note={t('scores.impactNote')} rows={impact} />
    </Modal>
  );
}

interface ScoringTableProps {
  heading: string;
  note: string;
  rows: readonly ScoredEvent[];
}

function ScoringTable({ heading, note, rows }: ScoringTableProps) {
  const { t } = useTranslation('leaderboard');
  return (
    <>
      <Title order={3} mt="lg">
        {heading}
      </Title>
      <Text size="sm" c="dimmed">
        {note}
      </Text>
      <Table mt="xs" verticalSpacing={6}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t('scores.what')}</Table.Th>
            <Table.Th ta="end">{t('scores.points')}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map(({ event, points }) => (
            <Table.Tr key={event}>
              <Table.Td>{t(`scores.${event}`)}</Table.Td>
              <Table.Td
                ta="end"
                fw={600}
                c={points < 0 ? 'var(--nimo-danger)' : 'var(--nimo-success)'}
                className="nimo-tabular"
              >
                {signed(points)}
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </>
  );
}
