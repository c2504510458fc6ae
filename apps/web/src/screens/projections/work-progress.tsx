import { Group, Progress, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { ProjectionWorkPartsFragment } from '../../generated/graphql';
import { useAmounts } from './use-amounts';

interface WorkProgressProps {
  label: string;
  work: Omit<ProjectionWorkPartsFragment, '__typename'>;
}

/** How far something is, how fast, and how long it will take. */
export function WorkProgress({ label, work }: WorkProgressProps) {
  const { t } = useTranslation('projections');
  const { whole, rate, span } = useAmounts();
  const { done, total, eventsPerSecond, secondsLeft } = work;
  const percent = total === 0 ? 100 : Math.floor((done / total) * 100);
  return (
    <div>
      <Group justify="space-between" gap="md" mb={6}>
        <Text size="sm" fw={600}>
          {label}
        </Text>
        <Text size="sm" c="dimmed">
          {t('progress', { done: whole(done), total: whole(total) })} · {rate(eventsPerSecond)}
          {secondsLeft !== null && ` · ${t('left', { span: span(secondsLeft * 1000) })}`}
        </Text>
      </Group>
      <Progress.Root size="lg">
        <Progress.Section value={percent} aria-label={label} />
      </Progress.Root>
    </div>
  );
}
