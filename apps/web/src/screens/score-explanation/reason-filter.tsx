import { Chip, Group } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { ScoreExplanationQuery, ScoreReasonKind } from '../../generated/graphql';
import { signedNumber } from '../../lib/format';
import classes from './score-explanation.module.css';

interface ReasonFilterProps {
  reasons: ScoreExplanationQuery['getScoreExplanation']['reasons'];
  chosen: ScoreReasonKind | undefined;
  onChoose: (kind: ScoreReasonKind | undefined) => void;
}

const ALL = '';

/** One reason or all of them, each with what it came to. */
export function ReasonFilter({ reasons, chosen, onChoose }: ReasonFilterProps) {
  const { t, i18n } = useTranslation('score');
  // One at a time, though the kit's type allows for several.
  const choose = (value: string | string[]) => onChoose(reasons.find(({ kind }) => kind === value)?.kind);
  return (
    <Chip.Group value={chosen ?? ALL} onChange={choose}>
      <Group className={classes.reasons} gap="xs" role="radiogroup" aria-label={t('filter')}>
        <Chip value={ALL} size="sm">
          {t('all')}
        </Chip>
        {reasons.map(({ kind, reputations, commitments }) => (
          <Chip key={kind} value={kind} size="sm">
            {t('reasonSum', {
              reason: t(`reason.${kind}`),
              points: signedNumber(reputations + commitments, i18n.language),
            })}
          </Chip>
        ))}
      </Group>
    </Chip.Group>
  );
}
