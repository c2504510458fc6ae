import { Fieldset, List, NumberInput, Stack, Switch, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { areForfeitHours, forfeitHoursDefault, forfeitHoursMax, type Safeguards } from './rules';
import type { DraftEditor } from './use-draft';

const switches = ['acceptancePaysOncePerQuestion', 'downvotesNeedMerit', 'upheldReportsCount'] as const;

/** Rules against farming points, editable. */
export function SafeguardFields({ draft }: { draft: DraftEditor }) {
  const { t } = useTranslation('scoringRules');
  const { safeguards, changeSafeguards } = draft;
  const hours = safeguards.deletionForfeitsWithinHours;
  return (
    <Fieldset mt="lg" legend={t('safeguards')}>
      <Stack gap="md">
        {switches.map((name) => (
          <Switch
            key={name}
            label={t(`safeguard.${name}`)}
            description={t(`safeguardHint.${name}`)}
            checked={safeguards[name]}
            onChange={({ currentTarget }) => changeSafeguards({ [name]: currentTarget.checked })}
          />
        ))}
        <Switch
          label={t('safeguard.deletionForfeitsWithinHours')}
          description={t('safeguardHint.deletionForfeitsWithinHours')}
          checked={hours !== 0}
          onChange={({ currentTarget }) =>
            changeSafeguards({
              deletionForfeitsWithinHours: currentTarget.checked ? forfeitHoursDefault : 0,
            })
          }
        />
        {hours !== 0 && (
          <NumberInput
            maw={280}
            label={t('hours')}
            value={Number.isNaN(hours) ? '' : hours}
            onChange={(value) =>
              changeSafeguards({
                deletionForfeitsWithinHours: typeof value === 'number' ? value : Number.NaN,
              })
            }
            allowDecimal={false}
            allowNegative={false}
            error={areForfeitHours(hours) ? undefined : t('problem.threshold', { most: forfeitHoursMax })}
          />
        )}
      </Stack>
    </Fieldset>
  );
}

/** Rules against farming points that are on; nothing if all are off. */
export function ActiveSafeguards({ safeguards }: { safeguards: Safeguards }) {
  const { t } = useTranslation('scoringRules');
  const hours = safeguards.deletionForfeitsWithinHours;
  const active = [
    ...switches.filter((name) => safeguards[name]).map((name) => t(`safeguard.${name}`)),
    ...(hours > 0 ? [t('forfeit', { count: hours })] : []),
  ];
  if (active.length === 0) return null;
  return (
    <>
      <Text mt="md" size="sm" fw={600}>
        {t('safeguards')}
      </Text>
      <List size="sm">
        {active.map((text) => (
          <List.Item key={text}>{text}</List.Item>
        ))}
      </List>
    </>
  );
}
