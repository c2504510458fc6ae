import { Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { RelativeTime } from '../../components/relative-time';
import type { ProjectionDetailsFragment } from '../../generated/graphql';
import classes from './projections.module.css';
import { useAmounts } from './use-amounts';

/** The events that the live generation left out, each with its reason. */
export function SkippedEvents({ skipped }: Pick<ProjectionDetailsFragment, 'skipped'>) {
  const { t } = useTranslation('projections');
  const { whole } = useAmounts();
  if (skipped.length === 0) return <Text c="dimmed">{t('noneSkipped')}</Text>;
  return (
    <ul className={classes.list}>
      {skipped.map(({ eventId, eventType, ordinal, reason, at }) => (
        <li key={eventId}>
          <Text fw={600}>{t('stoppedEvent', { ordinal: whole(ordinal), eventType })}</Text>
          <Text>{reason}</Text>
          <Text size="sm" c="dimmed">
            <RelativeTime at={at} /> · <span className={classes.hash}>{eventId}</span>
          </Text>
        </li>
      ))}
    </ul>
  );
}
