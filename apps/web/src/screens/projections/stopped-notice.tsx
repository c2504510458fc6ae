import { Alert, Button, Group, Modal, Stack, Text, Textarea } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ProjectionDetailsFragment } from '../../generated/graphql';
import { useFocusReturn } from '../../lib/use-focus-return';
import classes from './projections.module.css';
import { useAmounts } from './use-amounts';
import { useProjectionActs } from './use-projection-acts';

/** The event at which it stopped, why, and the two ways on. */
export function StoppedNotice({ projection }: { projection: ProjectionDetailsFragment }) {
  const { t } = useTranslation('projections');
  const { whole } = useAmounts();
  const [isSkipping, setSkipping] = useState(false);
  const [reason, setReason] = useState('');
  const acts = useProjectionActs(projection.name);
  useFocusReturn(isSkipping);
  const { error } = projection;
  if (!error) return null;
  const skip = async () => {
    if (!(await acts.skip(error.eventId, reason))) return;
    setSkipping(false);
    setReason('');
  };
  return (
    <Alert color="red" variant="light" title={t('stopped')} role="alert">
      <Text size="sm">
        {t('stoppedEvent', { ordinal: whole(error.ordinal), eventType: error.eventType })}
      </Text>
      <Text size="sm" className={classes.hash}>
        {error.eventId}
      </Text>
      <Text size="sm" my="xs" className={classes.error}>
        {error.message}
      </Text>
      <Group gap="sm">
        <Button size="xs" loading={acts.isPending} onClick={() => void acts.retry()}>
          {t('action.retry')}
        </Button>
        <Button size="xs" variant="default" onClick={() => setSkipping(true)}>
          {t('action.skip')}
        </Button>
      </Group>
      <Modal opened={isSkipping} onClose={() => setSkipping(false)} title={t('action.skip')}>
        <Stack gap="md">
          <Text>{t('ask.skip')}</Text>
          <Textarea
            label={t('reason')}
            required
            maxLength={1000}
            autosize
            minRows={2}
            data-autofocus
            value={reason}
            onChange={(event) => setReason(event.currentTarget.value)}
          />
          <Group justify="flex-end" gap="sm">
            <Button variant="default" onClick={() => setSkipping(false)}>
              {t('close')}
            </Button>
            <Button
              color="red.8"
              disabled={reason.trim() === ''}
              loading={acts.isPending}
              onClick={() => void skip()}
            >
              {t('action.skip')}
            </Button>
          </Group>
        </Stack>
      </Modal>
    </Alert>
  );
}
