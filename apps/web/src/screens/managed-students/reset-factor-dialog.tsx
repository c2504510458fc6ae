import { useMutation } from '@apollo/client/react';
import { zodResolver } from '@hookform/resolvers/zod';
import { Text } from '@mantine/core';
import { useForm } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import * as z from 'zod/mini';
import { FormDialog } from '../../features/managed-content/form-dialog';
import { saving } from '../../features/managed-content/use-saving';
import { ResetSecondFactorDocument, type ManagedStudentPartsFragment } from '../../generated/graphql';
import { ReasonField, useReasonSchema } from './reason-field';

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
    reason: useReasonSchema(),
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
      <ReasonField
        description={t('students.resetFactorHint')}
        error={formState.errors.reason?.message}
        field={register('reason')}
      />
    </FormDialog>
  );
}
