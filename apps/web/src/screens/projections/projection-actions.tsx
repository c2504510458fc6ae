import { Button, Group } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ConfirmDialog } from '../../components/confirm-dialog';
import type { ProjectionDetailsFragment } from '../../generated/graphql';
import { useProjectionActs } from './use-projection-acts';

type Asked = 'rebuild' | 'hold' | 'cancel' | 'switch' | 'verify' | 'cancelVerification';

/** The buttons that fit how the projection stands; each asks first and says what will happen. */
export function ProjectionActions({ projection }: { projection: ProjectionDetailsFragment }) {
  const { t } = useTranslation('projections');
  const [asked, setAsked] = useState<Asked>();
  const acts = useProjectionActs(projection.name);
  const { rebuild, verification } = projection;
  const offered: Asked[] = rebuild
    ? [...(rebuild.isHeld && rebuild.isReady ? (['switch'] as const) : []), 'cancel']
    : ['rebuild', 'hold'];
  offered.push(verification ? 'cancelVerification' : 'verify');
  const carryOut = async (act: Asked) => {
    if (act === 'switch') await acts.switchTo(rebuild?.generation ?? 0);
    else if (act === 'rebuild' || act === 'hold') await acts.rebuild(act === 'hold');
    else await acts[act]();
    setAsked(undefined);
  };
  return (
    <Group gap="sm">
      {offered.map((act) => (
        <Button
          key={act}
          variant={act === 'rebuild' || act === 'switch' ? 'filled' : 'default'}
          onClick={() => setAsked(act)}
        >
          {t(`action.${act}`)}
        </Button>
      ))}
      <ConfirmDialog
        opened={asked !== undefined}
        title={asked ? t(`action.${asked}`) : ''}
        text={asked ? t(`ask.${asked}`) : ''}
        confirmLabel={asked ? t(`action.${asked}`) : ''}
        cancelLabel={t('close')}
        danger={asked === 'cancel'}
        pending={acts.isPending}
        onConfirm={() => {
          if (asked) void carryOut(asked);
        }}
        onClose={() => setAsked(undefined)}
      />
    </Group>
  );
}
