import { NumberInput, Table, Text, VisuallyHidden } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { ScoreReasonKind } from '../../../generated/graphql';
import { signedNumber } from '../../../lib/format';
import { mayCost, mayScore, problemOf, thresholdMax, type Rules, type Side } from './rules';
import classes from './scoring-rules.module.css';
import type { DraftEditor } from './use-draft';

interface DraftTableProps {
  draft: DraftEditor;
  /** The version the draft is based on. */
  base: Rules | undefined;
}

/** Points per action, editable. */
export function DraftTable({ draft, base }: DraftTableProps) {
  const { t, i18n } = useTranslation('scoringRules');
  const { threshold } = draft;
  const isThresholdWrong =
    threshold === undefined || !Number.isInteger(threshold) || threshold < 1 || threshold > thresholdMax;
  return (
    <>
      <Table verticalSpacing={4} aria-label={t('draft')}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t('action')}</Table.Th>
            <Table.Th ta="end">{t('merit')}</Table.Th>
            <Table.Th ta="end">{t('impact')}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {draft.stored.weights.map(({ kind }) => (
            <Table.Tr key={kind}>
              <Table.Th scope="row" fw={400}>
                {t(`kind.${kind}`)}
              </Table.Th>
              <PointsCell draft={draft} base={base} kind={kind} side="merit" />
              <PointsCell draft={draft} base={base} kind={kind} side="impact" />
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      <NumberInput
        mt="md"
        maw={280}
        label={t('thresholdLabel')}
        description={
          base && base.reportThreshold !== threshold
            ? t('was', { points: signedNumber(base.reportThreshold, i18n.language).replace('+', '') })
            : undefined
        }
        value={threshold ?? ''}
        onChange={(value) => draft.changeThreshold(typeof value === 'number' ? value : undefined)}
        allowDecimal={false}
        allowNegative={false}
        error={isThresholdWrong ? t('problem.threshold', { most: thresholdMax }) : undefined}
      />
    </>
  );
}

interface PointsCellProps extends DraftTableProps {
  kind: ScoreReasonKind;
  side: Side;
}

function PointsCell({ draft, base, kind, side }: PointsCellProps) {
  const { t, i18n } = useTranslation('scoringRules');
  if (!mayScore(kind, side)) {
    return (
      <Table.Td ta="end">
        <Text span c="dimmed" aria-hidden>
          –
        </Text>
        <VisuallyHidden>{t(side === 'merit' ? 'neverMerit' : 'neverImpact')}</VisuallyHidden>
      </Table.Td>
    );
  }
  const points = draft.pointsOf(kind, side);
  const before = base?.weights.find((weight) => weight.kind === kind)?.[side];
  const problem = problemOf(points, kind, side);
  return (
    <Table.Td>
      <NumberInput
        className={classes.points}
        size="sm"
        aria-label={`${t(`kind.${kind}`)}: ${t(side)}`}
        value={points ?? ''}
        onChange={(value) => draft.change(kind, side, typeof value === 'number' ? value : undefined)}
        allowDecimal={false}
        allowNegative={mayCost(kind, side)}
        error={problem && t(`problem.${problem}`)}
        description={
          before !== undefined && before !== points
            ? t('was', { points: signedNumber(before, i18n.language) })
            : undefined
        }
        inputWrapperOrder={['label', 'input', 'description', 'error']}
      />
    </Table.Td>
  );
}
