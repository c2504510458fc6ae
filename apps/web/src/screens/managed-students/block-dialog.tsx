import { useMutation } from '@apollo/client/react';
import { zodResolver } from '@hookform/resolvers/zod';
import { Text } from '@mantine/core';
import { useForm } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import * as z from 'zod/mini';
import { FormDialog } from '../../features/managed-content/form-dialog';
import { saving } from '../../features/managed-content/use-saving';
import {
  BlockAccountDocument,
  type ManagedStudentPartsFragment,
  UnblockAccountDocument,
} from '../../generated/graphql';
import { ReasonField, useReasonSchema } from './reason-field';

const useBlockSchema = (needsReason: boolean) => z.object({ reason: useReasonSchema(needsReason) });
type BlockValues = z.infer<ReturnType<typeof useBlockSchema>>;

interface BlockDialogProps {
  student: ManagedStudentPartsFragment;
  onSaved: (act: number | null) => void;
  onClose: () => void;
}

/** Asks before a student is blocked, which needs a reason, or unblocked, which takes one. */
export function BlockDialog({ student, onSaved, onClose }: BlockDialogProps) {
  const { t } = useTranslation('content');
  const act = student.isBlocked ? 'unblock' : 'block';
  const needsReason = act === 'block';
  const [block] = useMutation(BlockAccountDocument);
  const [unblock] = useMutation(UnblockAccountDocument);
  const { register, handleSubmit, setError, formState } = useForm<BlockValues>({
    resolver: zodResolver(useBlockSchema(needsReason)),
    defaultValues: { reason: '' },
  });
  const send = async ({ reason }: BlockValues) => {
    const variables = { studentId: student._id, reason };
    const saved = needsReason
      ? (await block({ variables })).data?.blockAccount
      : (await unblock({ variables })).data?.unblockAccount;
    if (saved) onSaved(saved.act ?? null);
  };
  return (
    <FormDialog
      title={t(`students.${act}Title`, { name: student.userName })}
      submitLabel={t(`students.${act}`)}
      danger={needsReason}
      error={formState.errors.root?.message}
      isSaving={formState.isSubmitting}
      onClose={onClose}
      onSubmit={handleSubmit((values) => saving(() => send(values), setError, ['reason']))}
    >
      <Text>{t(`students.${act}Text`)}</Text>
      <ReasonField
        description={t('students.reasonHint')}
        isNeeded={needsReason}
        error={formState.errors.reason?.message}
        field={register('reason')}
      />
    </FormDialog>
  );
}
