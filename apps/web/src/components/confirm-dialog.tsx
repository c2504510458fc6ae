import { Button, Group, Modal, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useFocusReturn } from '../lib/browser/focus';

interface ConfirmDialogProps {
  opened: boolean;
  title: string;
  text: string;
  /** The consequence, where the question alone does not say it. */
  consequence?: string | undefined;
  confirmLabel: string;
  cancelLabel?: string;
  /** Red, and not chosen by a mere Enter: for what cannot be undone. */
  danger?: boolean;
  /** While the confirmed action runs: the buttons wait. */
  pending?: boolean;
  onConfirm: () => void;
  onClose: () => void;
}

/** Asks before something is done. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const { opened, title, text, confirmLabel, danger = false, pending = false, onConfirm, onClose } = props;
  const { t } = useTranslation('shell');
  useFocusReturn(opened);
  return (
    <Modal opened={opened} onClose={onClose} title={title} size="sm">
      <Text>{text}</Text>
      {props.consequence !== undefined && (
        <Text mt="xs" c="dimmed">
          {props.consequence}
        </Text>
      )}
      <Group justify="flex-end" mt="lg" gap="sm">
        <Button variant="default" onClick={onClose} disabled={pending} data-autofocus={danger || undefined}>
          {props.cancelLabel ?? t('action.cancel')}
        </Button>
        <Button
          color={danger ? 'red.8' : 'accent'}
          onClick={onConfirm}
          loading={pending}
          data-autofocus={!danger || undefined}
        >
          {confirmLabel}
        </Button>
      </Group>
    </Modal>
  );
}
