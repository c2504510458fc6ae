import { useMutation } from '@apollo/client/react';
import { zodResolver } from '@hookform/resolvers/zod';
import { Text, Textarea } from '@mantine/core';
import { useForm } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import * as z from 'zod/mini';
import { FormDialog } from '../../features/managed-content/form-dialog';
import { saving } from '../../features/managed-content/use-saving';
import { BlockAccountDocument, type ManagedStudentPartsFragment } from '../../generated/graphql';

function useBlockSchema() {
  const { t } = useTranslation('content');
  return z.object({
    reason: z
      .string()
      .check(z.trim(), z.minLength(1, t('missing.reason')), z.maxLength(1000, t('tooLong', { max: 1000 }))),
  });
}
type BlockValues = z.infer<ReturnType<typeof useBlockSchema>>;

interface BlockDialogProps {
  student: ManagedStudentPartsFragment;
  onSaved: (act: number | null) => void;
  onClose: () => void;
}

export function BlockDialog({ student, onSaved, onClose }: BlockDialogProps) {
  const { t } = useTranslation('content');
  const [block] = useMutation(BlockAccountDocument);
  const { register, handleSubmit, setError, formState } = useForm<BlockValues>({
    resolver: zodResolver(useBlockSchema()),
    defaultValues: { reason: '' },
  });
  const send = async ({ reason }: BlockValues) => {
    const { data } = await block({ variables: { studentId: student._id, reason } });
    if (data) onSaved(data.blockAccount.act ?? null);
  };
  return (
    <FormDialog
      title={t('students.blockTitle', { name: student.userName })}
      submitLabel={t('students.block')}
      danger
      error={formState.errors.root?.message}
      isSaving={formState.isSubmitting}
      onClose={onClose}
      onSubmit={handleSubmit((values) => saving(() => send(values), setError, ['reason']))}
    >
      <Text>{t('students.blockText')}</Text>
      <Textarea
        label={t('students.reason')}
        description={t('students.reasonHint')}
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
