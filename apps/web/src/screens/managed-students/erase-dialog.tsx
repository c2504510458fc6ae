import { useMutation } from '@apollo/client/react';
import { zodResolver } from '@hookform/resolvers/zod';
import { Checkbox, Text } from '@mantine/core';
import { useForm } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import * as z from 'zod/mini';
import { FormDialog } from '../../features/managed-content/form-dialog';
import { saving } from '../../features/managed-content/use-saving';
import {
  EraseAccountDocument,
  KeepAccountDocument,
  type ManagedStudentPartsFragment,
} from '../../generated/graphql';
import { ReasonField, useReasonSchema } from './reason-field';

interface EraseDialogProps {
  student: ManagedStudentPartsFragment;
  onSaved: (act: number | null) => void;
  onClose: () => void;
}

/** Asks before an account is to be deleted, which needs a reason, or takes that back. */
export function EraseDialog(props: EraseDialogProps) {
  return props.student.erasureDueAt === null ? <EraseForm {...props} /> : <KeepForm {...props} />;
}

function EraseForm({ student, onSaved, onClose }: EraseDialogProps) {
  const { t } = useTranslation('content');
  const [erase] = useMutation(EraseAccountDocument);
  const schema = z.object({
    reason: useReasonSchema(),
    withWords: z.boolean(),
  });
  const { register, handleSubmit, setError, formState } = useForm<z.infer<typeof schema>>({
    resolver: zodResolver(schema),
    defaultValues: { reason: '', withWords: false },
  });
  const send = async ({ reason, withWords }: z.infer<typeof schema>) => {
    const { data } = await erase({ variables: { studentId: student._id, reason, withWords } });
    if (data) onSaved(data.eraseAccount.act ?? null);
  };
  return (
    <FormDialog
      title={t('students.eraseTitle', { name: student.userName })}
      submitLabel={t('students.erase')}
      danger
      error={formState.errors.root?.message}
      isSaving={formState.isSubmitting}
      onClose={onClose}
      onSubmit={handleSubmit((values) => saving(() => send(values), setError, ['reason', 'withWords']))}
    >
      <Text>{t('students.eraseText')}</Text>
      <Checkbox label={t('students.eraseWords')} {...register('withWords')} />
      <ReasonField
        description={t('students.eraseHint')}
        error={formState.errors.reason?.message}
        field={register('reason')}
      />
    </FormDialog>
  );
}

function KeepForm({ student, onSaved, onClose }: EraseDialogProps) {
  const { t, i18n } = useTranslation('content');
  const [keep] = useMutation(KeepAccountDocument);
  const { handleSubmit, setError, formState } = useForm();
  const send = async () => {
    const { data } = await keep({ variables: { studentId: student._id } });
    if (data) onSaved(data.keepAccount.act ?? null);
  };
  const day = new Intl.DateTimeFormat(i18n.language, { dateStyle: 'long', timeStyle: 'short' });
  return (
    <FormDialog
      title={t('students.keepTitle', { name: student.userName })}
      submitLabel={t('students.keep')}
      error={formState.errors.root?.message}
      isSaving={formState.isSubmitting}
      onClose={onClose}
      onSubmit={handleSubmit(() => saving(send, setError, []))}
    >
      <Text>{t('students.keepText', { at: day.format(new Date(student.erasureDueAt ?? '')) })}</Text>
    </FormDialog>
  );
}
