import { Button, Group, Modal, type ModalProps, Stack, Text, Textarea } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import IconCheck from '@tabler/icons-react/dist/esm/icons/IconCheck.mjs';
import { type KeyboardEventHandler, type ReactNode, useEffect, useRef, useState } from 'react';
import type { FieldValues, Path, UseFormSetError } from 'react-hook-form';
import { useFocusReturn } from '../lib/browser/focus';
import classes from './dialogs.module.css';
import { errorField, errorText, usePending } from '../lib/api/errors';
import { FormAlert } from './notices';

interface ConfirmDialogProps {
  opened: boolean;
  title: string;
  text: string;
  /** The consequence, if the question alone does not make it clear. */
  consequence?: string | undefined;
  confirmLabel: string;
  cancelLabel?: string;
  /** Red, and without initial focus: for what cannot be undone. */
  danger?: boolean;
  /** The action is running: the buttons are disabled. */
  pending?: boolean;
  onConfirm: () => void;
  onClose: () => void;
}

/** Asks for confirmation. */
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

interface SuccessModalProps {
  opened: boolean;
  title: string;
  text: string;
  action: string;
  onAction: () => void;
}

/** Confirms success, with one button to continue. */
export function SuccessModal({ opened, title, text, action, onAction }: SuccessModalProps) {
  return (
    <Modal.Root opened={opened} onClose={onAction} size="sm" centered>
      <Modal.Overlay backgroundOpacity={0.5} />
      <Modal.Content radius="lg">
        <Modal.Body>
          <Stack align="center" gap="sm" pt="xl" ta="center">
            <span className={classes.mark} aria-hidden>
              <IconCheck size={32} stroke={2.25} />
            </span>
            <Modal.Title>{title}</Modal.Title>
            <Text c="dimmed">{text}</Text>
            <Button mt="sm" fullWidth onClick={onAction} data-autofocus>
              {action}
            </Button>
          </Stack>
        </Modal.Body>
      </Modal.Content>
    </Modal.Root>
  );
}

interface FormDialogProps extends Pick<ModalProps, 'size' | 'closeOnClickOutside' | 'closeOnEscape'> {
  title: string;
  submitLabel?: string;
  cancelLabel?: string;
  danger?: boolean;
  /** The subject of the form: a change clears the error shown. */
  subject?: string;
  /** The form cannot be submitted yet. */
  isIncomplete?: boolean;
  /** A rejection is shown above the fields. */
  onSubmit: () => Promise<unknown>;
  onClose: () => void;
  onKeyDown?: KeyboardEventHandler<HTMLFormElement>;
  children: ReactNode;
}

/** A form in a dialog, which submits itself and shows its errors. It stays open until it is saved or cancelled. */
export function FormDialog(props: FormDialogProps) {
  const { title, danger = false, isIncomplete = false, onSubmit, onClose } = props;
  const { t } = useTranslation('shell');
  const { isPending, error, setError, run } = usePending();
  useFocusReturn();
  useEffect(() => setError(undefined), [props.subject, setError]);
  return (
    <Modal
      opened
      onClose={onClose}
      title={title}
      size={props.size ?? 'md'}
      closeOnClickOutside={props.closeOnClickOutside ?? false}
      closeOnEscape={props.closeOnEscape ?? true}
    >
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- keys that work anywhere in the form */}
      <form
        noValidate
        onKeyDown={props.onKeyDown}
        onSubmit={(event) => {
          event.preventDefault();
          if (!isIncomplete && !isPending) void run(onSubmit);
        }}
      >
        <Stack gap="md">
          {error !== undefined && <FormAlert kind="error">{error}</FormAlert>}
          {props.children}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose} disabled={isPending}>
              {props.cancelLabel ?? t('action.cancel')}
            </Button>
            <Button
              type="submit"
              loading={isPending}
              disabled={isIncomplete}
              color={danger ? 'red.8' : 'accent'}
            >
              {props.submitLabel ?? t('action.save')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}

interface ReasonDialogProps extends Omit<FormDialogProps, 'onSubmit' | 'children'> {
  /** Further fields above the reason. */
  children?: ReactNode;
  text?: string;
  label: string;
  hint?: string;
  /** Error for a missing reason; without it, the form cannot be submitted until there is one. */
  missing?: string;
  isOptional?: boolean;
  maxLength?: number;
  initialReason?: string;
  onSubmit: (reason: string) => Promise<unknown>;
}

/** Asks for a reason before an action. */
export function ReasonDialog(props: ReasonDialogProps) {
  const { text, children, label, hint, missing, isOptional = false, ...more } = props;
  const { maxLength = 1_000, initialReason = '', isIncomplete = false, onSubmit, ...dialog } = more;
  const field = useRef<HTMLTextAreaElement>(null);
  const [reason, setReason] = useState(initialReason);
  const [isTried, setTried] = useState(false);
  const isMissing = !isOptional && reason.trim() === '';
  const submit = async () => {
    setTried(true);
    if (isMissing) field.current?.focus();
    else await onSubmit(reason.trim());
  };
  return (
    <FormDialog
      {...dialog}
      isIncomplete={isIncomplete || (isMissing && missing === undefined)}
      onSubmit={submit}
    >
      {text !== undefined && <Text>{text}</Text>}
      {children}
      <Textarea
        ref={field}
        label={label}
        description={hint}
        value={reason}
        maxLength={maxLength}
        error={isTried && isMissing && missing}
        required={!isOptional}
        autosize
        minRows={2}
        data-autofocus
        onChange={({ currentTarget }) => setReason(currentTarget.value)}
      />
    </FormDialog>
  );
}

/**
 * Shows an API error next to its field; an error without a field is left to the form.
 * @param fields form fields by their names in the API
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
    if (named === undefined) throw error;
    setError(named, { message: errorText(error) }, { shouldFocus: true });
  }
}

/** Only the changed fields, with their original values, so that two people who edit different fields do not conflict. */
export function changedFields<Values extends object>(values: Values, shown: Values) {
  const keys = (Object.keys(values) as (keyof Values)[]).filter((key) => values[key] !== shown[key]);
  const pick = (from: Values) => Object.fromEntries(keys.map((key) => [key, from[key]])) as Partial<Values>;
  return { change: pick(values), seen: pick(shown) };
}
