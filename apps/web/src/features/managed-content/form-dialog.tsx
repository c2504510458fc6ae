import { Button, Group, Modal, Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { FormAlert } from '../../components/form-alert';
import { useFocusReturn } from '../../lib/use-focus-return';

interface FormDialogProps {
  title: string;
  submitLabel?: string;
  danger?: boolean;
  /** What the form has to say as a whole. */
  error: string | undefined;
  isSaving: boolean;
  size?: string;
  onSubmit: () => Promise<void>;
  onClose: () => void;
  children: ReactNode;
}

/** A form over the screen. It stays until it is saved or given up. */
export function FormDialog(props: FormDialogProps) {
  const { title, submitLabel, danger = false, error, isSaving, size = 'md', onSubmit, onClose } = props;
  const { t } = useTranslation('content');
  useFocusReturn();
  return (
    <Modal opened onClose={onClose} title={title} size={size} closeOnClickOutside={false}>
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          void onSubmit();
        }}
      >
        <Stack gap="md">
          {error !== undefined && <FormAlert kind="error">{error}</FormAlert>}
          {props.children}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose} disabled={isSaving}>
              {t('cancel')}
            </Button>
            <Button type="submit" loading={isSaving} color={danger ? 'red.8' : 'accent'}>
              {submitLabel ?? t('save')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
