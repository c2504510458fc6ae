import { Button, Group, Modal, Stack } from '@mantine/core';
import type { ClipboardEventHandler, FormEvent, ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

interface PostDialogProps {
  title: string;
  isSaving: boolean;
  onPaste: ClipboardEventHandler;
  onSubmit: (event: FormEvent) => Promise<void>;
  onClose: () => void;
  children: ReactNode;
}

/** Where a post is written. Only its buttons close it: what was written is not lost by a click beside it. */
export function PostDialog({ title, isSaving, onPaste, onSubmit, onClose, children }: PostDialogProps) {
  const { t } = useTranslation('ask', { keyPrefix: 'form' });
  return (
    <Modal
      opened
      returnFocus={false}
      onClose={onClose}
      title={title}
      size="56rem"
      closeOnClickOutside={false}
      closeOnEscape={false}
    >
      <form onSubmit={(event) => void onSubmit(event)} onPaste={onPaste} noValidate>
        <Stack gap="md">
          {children}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose} disabled={isSaving}>
              {t('cancel')}
            </Button>
            <Button type="submit" loading={isSaving}>
              {t('submit')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
