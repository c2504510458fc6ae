import { Badge, Group, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { ExactTime } from '../../../components/exact-time';
import { exactTime } from '../../../lib/format';
import type { Version } from './rules';
import { shownName } from '../../../lib/api/erased';

const colours = { SCHEDULED: 'accent', IN_FORCE: 'green', WITHDRAWN: 'gray' } as const;

/** State of a version; renders nothing for a replaced one. */
export function VersionState({ version: { state } }: { version: Version }) {
  const { t } = useTranslation('scoringRules');
  if (state === 'REPLACED') return null;
  return (
    <Badge variant="light" color={colours[state]}>
      {t(`state.${state}`)}
    </Badge>
  );
}

/** Publisher, date and scope of a version, and the withdrawal with its reason. */
export function VersionOrigin({ version }: { version: Version }) {
  const { t, i18n } = useTranslation('scoringRules');
  const { publishedAt, publishedBy, effectiveFrom, withdrawnAt, withdrawnBy, withdrawalReason } = version;
  if (publishedAt === null) return null;
  const scope =
    effectiveFrom === null
      ? t('forEntireHistory')
      : t('fromMoment', { moment: exactTime(new Date(effectiveFrom), i18n.language) });
  return (
    <>
      <Text size="sm" c="dimmed">
        {publishedBy ? t('by', { name: shownName(publishedBy) }) : t('byOperator')} ·{' '}
        <ExactTime at={publishedAt} /> · {scope}
      </Text>
      {withdrawnAt !== null && (
        <Group gap={4}>
          <Text size="sm" c="dimmed">
            {withdrawnBy ? t('withdrawnBy', { name: shownName(withdrawnBy) }) : t('withdrawnByOperator')} ·{' '}
            <ExactTime at={withdrawnAt} />
          </Text>
          <Text size="sm">{withdrawalReason}</Text>
        </Group>
      )}
    </>
  );
}
