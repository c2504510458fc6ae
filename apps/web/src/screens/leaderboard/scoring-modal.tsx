import { useQuery } from '@apollo/client/react';
import { Modal, Table, Text, Title } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { ErrorNotice } from '../../components/error-notice';
import { SkeletonRows } from '../../components/skeletons';
import { RuleChanges } from '../../features/scoring/rule-changes';
import { ScoringRulesDocument, type ScoreReasonKind, type ScoringRulesQuery } from '../../generated/graphql';
import { signedNumber } from '../../lib/format';
import { useFocusReturn } from '../../lib/use-focus-return';

/** In the order of the specification. */
const merit = [
  'QUESTION_UPVOTED',
  'ANSWER_UPVOTED',
  'ANSWER_ACCEPTED',
  'ACCEPTED_AN_ANSWER',
  'QUESTION_DOWNVOTED',
  'ANSWER_DOWNVOTED',
  'DOWNVOTE_CAST',
  'POST_REPORTED',
] as const satisfies readonly ScoreReasonKind[];
const impact = [
  'QUESTION_POSTED',
  'ANSWER_POSTED',
  'COMMENT_POSTED',
  'UPVOTE_CAST',
] as const satisfies readonly ScoreReasonKind[];
const everything: readonly ScoreReasonKind[] = [...merit, ...impact];

interface Row {
  kind: ScoreReasonKind;
  points: number;
}

/** What earns points and what costs them, by the rules that hold now. */
export function ScoringModal({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const { t } = useTranslation('leaderboard');
  useFocusReturn(opened);
  return (
    <Modal opened={opened} onClose={onClose} title={t('scores.title')} size="lg">
      <Text c="dimmed">{t('scores.intro')}</Text>
      <Rules />
    </Modal>
  );
}

function Rules() {
  const { t } = useTranslation('leaderboard');
  const { data, error, refetch } = useQuery(ScoringRulesDocument, { fetchPolicy: 'cache-and-network' });
  if (error && !data) return <ErrorNotice error={error} onRetry={() => void refetch()} />;
  if (!data) return <SkeletonRows count={12} height={32} />;
  const { weights, reportThreshold, changes } = data.getScoringRules;
  return (
    <>
      <RuleChanges changes={changes} />
      <ScoringTable
        heading={t('scores.merit')}
        note={t('scores.meritNote')}
        rows={rowsOf(weights, merit, 'merit')}
        threshold={reportThreshold}
      />
      <ScoringTable
        heading={t('scores.impact')}
        note={t('scores.impactNote')}
        rows={rowsOf(weights, impact, 'impact')}
        threshold={reportThreshold}
      />
    </>
  );
}

type Weights = ScoringRulesQuery['getScoringRules']['weights'];

/** The usual kinds of that column, and whatever else the rules put into it; what earns nothing is left out. */
function rowsOf(weights: Weights, usual: readonly ScoreReasonKind[], column: 'merit' | 'impact'): Row[] {
  const order = [...usual, ...everything.filter((kind) => !usual.includes(kind))];
  return order.flatMap((kind) => {
    const points = weights.find((weight) => weight.kind === kind)?.[column] ?? 0;
    return points === 0 ? [] : [{ kind, points }];
  });
}

interface ScoringTableProps {
  heading: string;
  note: string;
  rows: readonly Row[];
  threshold: number;
}

function ScoringTable({ heading, note, rows, threshold }: ScoringTableProps) {
  const { t, i18n } = useTranslation('leaderboard');
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
          {rows.map(({ kind, points }) => (
            <Table.Tr key={kind}>
              <Table.Td>{t(`scores.kind.${kind}`, { count: threshold })}</Table.Td>
              <Table.Td
                ta="end"
                fw={600}
                c={points < 0 ? 'var(--nimo-danger)' : 'var(--nimo-success)'}
                className="nimo-tabular"
              >
                {signedNumber(points, i18n.language)}
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </>
  );
}
