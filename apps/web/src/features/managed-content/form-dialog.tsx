import { Button, Group, Modal, Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import type { FieldValues, Path, UseFormSetError } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { FormAlert } from '../../components/form-alert';
import { errorField, errorText } from '../../lib/errors';
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

/**
 * Runs what a form sends and shows beside the field what the api says of it; what is of no field stands above the form.
 * @param fields of the form, by their names on the wire
 */
export async function saving<Values extends FieldValues>(
  send: () => Promise<void>,
  setError: UseFormSetError<Values>,
  fields: readonly Path<Values>[],
): Promise<void> {
  try {
    await send();
  } catch (error) {
    const named = fields.find((field) => field === errorField(error));
    setError(named ?? 'root', { message: errorText(error) }, { shouldFocus: named !== undefined });
  }
}

/** What differs from what the form showed, and what it showed there: two who change different things do not meet. */
export function changedFields<Values extends object>(values: Values, shown: Values) {
  const keys = (Object.keys(values) as (keyof Values)[]).filter((key) => values[key] !== shown[key]);
  const pick = (from: Values) => Object.fromEntries(keys.map((key) => [key, from[key]])) as Partial<Values>;
  return { change: pick(values), seen: pick(shown) };
}
