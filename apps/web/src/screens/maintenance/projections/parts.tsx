import { Badge, Group, Progress, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { ProjectionPartsFragment, ProjectionWorkPartsFragment } from '../../../generated/graphql';
import { wholeNumber } from '../../../lib/format';

const colours = {
  FOLLOWING: 'green',
  BEHIND: 'yellow',
  AHEAD: 'red',
  STOPPED: 'red',
  WAITING: 'gray',
} as const;

export function ProjectionStateBadge({ state }: Pick<ProjectionPartsFragment, 'state'>) {
  const { t } = useTranslation('projections');
  return (
    <Badge variant="light" color={colours[state]} miw="max-content">
      {t(`state.${state}`)}
    </Badge>
  );
}

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;

/** Locale-aware formatters for numbers, durations and sizes. */
export function useFormatters() {
  const { t, i18n } = useTranslation('projections');
  const { language } = i18n;
  const unit = (value: number, of: string) =>
    new Intl.NumberFormat(language, { style: 'unit', unit: of, maximumFractionDigits: 0 }).format(value);
  const span = (ms: number) => {
    if (ms < second) return unit(Math.round(ms), 'millisecond');
    if (ms < minute) return unit(Math.ceil(ms / second), 'second');
    return ms < hour ? unit(Math.ceil(ms / minute), 'minute') : unit(Math.ceil(ms / hour), 'hour');
  };
  return {
    whole: (value: number) => wholeNumber(value, language),
    span,
    rate: (value: number) => {
      const count = Math.round(value);
      return t('perSecond', { count, rate: wholeNumber(count, language) });
    },
    megabytes: (bytes: number) =>
      new Intl.NumberFormat(language, { style: 'unit', unit: 'megabyte', maximumFractionDigits: 1 }).format(
        bytes / 1e6,
      ),
  };
}

/** Translated purpose of a projection; the API's English text if the catalogue lacks it. */
export function usePurpose() {
  const { t, i18n } = useTranslation('projections');
  return ({ name, purpose }: Pick<ProjectionPartsFragment, 'name' | 'purpose'>): string => {
    const key = `purpose.${name}`;
    return i18n.exists(key, { ns: 'projections' }) ? t(key as 'purpose.questions') : purpose;
  };
}

interface WorkProgressProps {
  label: string;
  work: Omit<ProjectionWorkPartsFragment, '__typename'>;
}

/** Progress, rate and remaining time. */
export function WorkProgress({ label, work }: WorkProgressProps) {
  const { t } = useTranslation('projections');
  const { whole, rate, span } = useFormatters();
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
