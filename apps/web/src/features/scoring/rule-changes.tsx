import { Alert } from '@mantine/core';
import IconInfoCircle from '@tabler/icons-react/dist/esm/icons/IconInfoCircle.mjs';
import { useTranslation } from 'react-i18next';
import type { ScoringRulesQuery } from '../../generated/graphql';
import { exactTime, longDay } from '../../lib/format';
import classes from './rule-changes.module.css';

type Change = ScoringRulesQuery['getScoringRules']['changes'][number];

interface RuleChangesProps {
  /** Newest first. */
  changes: readonly Change[];
  /** Shows only the latest change. */
  isBrief?: boolean;
}

/** Maintainers' notes on new rules, scheduled ones included. Empty while the first rules are in force. */
export function RuleChanges({ changes, isBrief = false }: RuleChangesProps) {
  const { t } = useTranslation('leaderboard');
  const [latest] = changes;
  if (!latest) return null;
  const earlier = changes.slice(1);
  return (
    <Alert mt="md" variant="light" icon={<IconInfoCircle />} title={t('scores.changes')} role="note">
      <RuleChange change={latest} />
      {!isBrief && earlier.length > 0 && (
        <details>
          <summary>{t('scores.earlier')}</summary>
          {earlier.map((change) => (
            <RuleChange key={change.version} change={change} />
          ))}
        </details>
      )}
    </Alert>
  );
}

function RuleChange({ change: { note, publishedAt, effectiveFrom, isScheduled } }: { change: Change }) {
  const { t, i18n } = useTranslation('leaderboard');
  const { language } = i18n;
  return (
    <p className={classes.change}>
      <strong>
        {t(isScheduled ? 'scores.announced' : 'scores.changed', {
          day: longDay(publishedAt.slice(0, 10), language),
        })}
      </strong>{' '}
      <span className={classes.note}>{note}</span>{' '}
      {effectiveFrom === null
        ? t('scores.changedAll')
        : t(isScheduled ? 'scores.scheduledFrom' : 'scores.changedFrom', {
            moment: exactTime(new Date(effectiveFrom), language),
          })}
    </p>
  );
}
