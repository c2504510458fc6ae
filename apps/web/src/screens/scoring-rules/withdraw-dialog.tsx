import { useMutation } from '@apollo/client/react';
import { Button, Group, Modal, Stack, Text, Textarea } from '@mantine/core';
import { useState, type FormEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { FormAlert } from '../../components/form-alert';
import { toast } from '../../components/toast';
import { WithdrawScoringVersionDocument } from '../../generated/graphql';
import { errorText } from '../../lib/errors';
import { useFocusReturn } from '../../lib/use-focus-return';
import { noteMaxLength } from './rules';

interface WithdrawDialogProps {
  version: number;
  onClose: () => void;
  onWithdrawn: () => Promise<void>;
}

/** Takes a scheduled version back before its moment, with the reason that the history keeps. */
export function WithdrawDialog({ version, onClose, onWithdrawn }: WithdrawDialogProps) {
  const { t } = useTranslation('scoringRules');
  useFocusReturn();
  const [reason, setReason] = useState('');
  const [withdraw, { loading, error }] = useMutation(WithdrawScoringVersionDocument);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    try {
      await withdraw({ variables: { version, reason: reason.trim() } });
    } catch {
      // Shown in the dialog.
      return;
    }
    toast.success(t('withdrawn', { version }));
    onClose();
    await onWithdrawn();
  };
  return (
    <Modal opened onClose={onClose} title={t('withdrawTitle', { version })}>
      <form onSubmit={(event) => void submit(event)} noValidate>
        <Stack gap="md">
          <Text>{t('withdrawText')}</Text>
          <Textarea
            label={t('withdrawReason')}
            description={t('withdrawReasonHelp')}
            value={reason}
            onChange={({ currentTarget }) => setReason(currentTarget.value)}
            maxLength={noteMaxLength}
            required
            autosize
            minRows={2}
            data-autofocus
          />
          {error && <FormAlert kind="error">{errorText(error)}</FormAlert>}
          <Group justify="flex-end" gap="sm">
            <Button variant="default" disabled={loading} onClick={onClose}>
              {t('cancel')}
            </Button>
            <Button type="submit" color="red.8" loading={loading} disabled={reason.trim() === ''}>
              {t('withdrawNow')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
