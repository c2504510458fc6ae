import { Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { RelativeTime } from '../../components/relative-time';
import type { ProjectionDetailsFragment } from '../../generated/graphql';
import classes from './projections.module.css';
import { useAmounts } from './use-amounts';

type Entry = ProjectionDetailsFragment['history'][number];

/** Who did what, the newest first. */
export function ProjectionHistory({ history }: { history: readonly Entry[] }) {
  const { t } = useTranslation('projections');
  if (history.length === 0) return <Text c="dimmed">{t('noHistory')}</Text>;
  return (
    <ol className={classes.list}>
      {history.map((entry) => (
        <HistoryEntry key={entry._id} entry={entry} />
      ))}
    </ol>
  );
}

function HistoryEntry({ entry }: { entry: Entry }) {
  const { t } = useTranslation('projections');
  const { whole } = useAmounts();
  const { kind, at, actor, actorKind, operator, generation, outcome, eventType, ordinal, reason, hold } =
    entry;
  const office = t(actorKind === 'operator' ? 'actor.operator' : 'actor.system');
  const who = actor ? actor.userName : [office, operator].filter((part) => part !== null).join(' · ');
  return (
    <li>
      <Text fw={600}>
        {kind === 'ProjectionRebuildStarted' && hold
          ? t('act.held')
          : t(`act.${kind}`, {
              generation: generation ?? '',
              outcome: outcome === null ? '' : t(`outcome.${outcome}`),
              eventType: eventType ?? '',
              ordinal: whole(ordinal ?? 0),
            })}
      </Text>
      {reason !== null && <Text size="sm">{reason}</Text>}
      <Text size="sm" c="dimmed">
        {who} · <RelativeTime at={at} />
      </Text>
    </li>
  );
}
