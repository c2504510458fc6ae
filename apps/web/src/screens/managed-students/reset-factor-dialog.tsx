import { useMutation } from '@apollo/client/react';
import { zodResolver } from '@hookform/resolvers/zod';
import { Text, Textarea } from '@mantine/core';
import { useForm } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import * as z from 'zod/mini';
import { FormDialog } from '../../features/managed-content/form-dialog';
import { saving } from '../../features/managed-content/use-saving';
import { ResetSecondFactorDocument, type ManagedStudentPartsFragment } from '../../generated/graphql';

interface ResetFactorDialogProps {
  student: ManagedStudentPartsFragment;
  onSaved: (act: number | null) => void;
  onClose: () => void;
}

/** For somebody who lost the device and the recovery codes. */
export function ResetFactorDialog({ student, onSaved, onClose }: ResetFactorDialogProps) {
  const { t } = useTranslation('content');
  const [reset] = useMutation(ResetSecondFactorDocument);
  const schema = z.object({
    reason: z
      .string()
      .check(z.trim(), z.minLength(1, t('missing.reason')), z.maxLength(1000, t('tooLong', { max: 1000 }))),
  });
  const { register, handleSubmit, setError, formState } = useForm<z.infer<typeof schema>>({
    resolver: zodResolver(schema),
    defaultValues: { reason: '' },
  });
  const send = async ({ reason }: z.infer<typeof schema>) => {
    const { data } = await reset({ variables: { studentId: student._id, reason } });
    if (data) onSaved(data.resetSecondFactor.act ?? null);
  };
  return (
    <FormDialog
      title={t('students.resetFactorTitle', { name: student.userName })}
      submitLabel={t('students.resetFactor')}
      danger
      error={formState.errors.root?.message}
      isSaving={formState.isSubmitting}
      onClose={onClose}
      onSubmit={handleSubmit((values) => saving(() => send(values), setError, ['reason']))}
    >
      <Text>{t('students.resetFactorText')}</Text>
      <Textarea
        label={t('students.reason')}
        description={t('students.resetFactorHint')}
        withAsterisk
        autosize
        minRows={2}
        data-autofocus
        error={formState.errors.reason?.message}
        {...register('reason')}
      />
    </FormDialog>
  );
}
