import { Radio, Stack, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { typedMinute } from '../../features/narrowing/narrowing';
import { exactTime } from '../../lib/format';
import type { EffectiveFrom } from './rules';

interface ScopeChoiceProps {
  /** Undefined: a moment is still to be chosen. */
  scope: EffectiveFrom | undefined;
  onChange: (scope: EffectiveFrom | undefined) => void;
}

/** Which part of history the rules are for, and what that means. */
export function ScopeChoice({ scope, onChange }: ScopeChoiceProps) {
  const { t, i18n } = useTranslation('scoringRules');
  const [moment, setMoment] = useState(typedMinute(scope ?? null));
  const isAll = scope === null;
  const chooseMoment = (text: string) => {
    setMoment(text);
    const time = new Date(text);
    onChange(Number.isNaN(time.getTime()) ? undefined : time.toISOString());
  };
  return (
    <Stack gap="xs" mt="lg">
      <Radio.Group
        label={t('scope')}
        value={isAll ? 'all' : 'from'}
        onChange={(value) => (value === 'all' ? onChange(null) : chooseMoment(moment))}
      >
        <Stack gap="xs" mt="xs">
          <Radio value="all" label={t('forAllChoice')} />
          <Radio value="from" label={t('fromChoice')} />
        </Stack>
      </Radio.Group>
      {!isAll && (
        <TextInput
          type="datetime-local"
          maw={280}
          label={t('moment')}
          value={moment}
          onChange={({ currentTarget }) => chooseMoment(currentTarget.value)}
        />
      )}
      <Text size="sm" c="dimmed">
        {isAll
          ? t('forAllMeans')
          : scope === undefined
            ? t('chooseMoment')
            : t('fromMeans', { moment: exactTime(new Date(scope), i18n.language) })}
      </Text>
    </Stack>
  );
}
