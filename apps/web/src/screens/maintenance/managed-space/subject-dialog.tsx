import { useMutation } from '@apollo/client/react';
import { zodResolver } from '@hookform/resolvers/zod';
import { TextInput } from '@mantine/core';
import { Controller, useForm } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import * as z from 'zod/mini';
import { changedFields, FormDialog, saving } from '../../../components/dialogs';
import { HexField } from '../../../features/managed-content/fields';
import {
  AddSubjectDocument,
  ChangeSubjectDocument,
  type ManagedSubjectPartsFragment,
} from '../../../generated/graphql';

function useSubjectSchema() {
  const { t } = useTranslation('content');
  return z.object({
    subjectName: z
      .string()
      .check(z.trim(), z.minLength(1, t('missing.name')), z.maxLength(100, t('tooLong', { max: 100 }))),
    color: z.string().check(z.regex(/^[0-9a-f]{6}$/i, t('missing.color'))),
  });
}
type SubjectValues = z.infer<ReturnType<typeof useSubjectSchema>>;

interface SubjectDialogProps {
  spaceId: string;
  /** The subject to edit; undefined to add one. */
  subject: ManagedSubjectPartsFragment | undefined;
  onSaved: (act: number | null) => void;
  onClose: () => void;
}

export function SubjectDialog({ spaceId, subject, onSaved, onClose }: SubjectDialogProps) {
  const { t } = useTranslation('content');
  const [add] = useMutation(AddSubjectDocument);
  const [change] = useMutation(ChangeSubjectDocument);
  const shown: SubjectValues = {
    subjectName: subject?.subjectName ?? '',
    color: subject?.color ?? '2563eb',
  };
  const { register, control, handleSubmit, setError, formState } = useForm<SubjectValues>({
    resolver: zodResolver(useSubjectSchema()),
    defaultValues: shown,
  });
  const { errors } = formState;
  const send = async (values: SubjectValues) => {
    const saved = subject
      ? (await change({ variables: { id: subject._id, ...changedFields(values, shown) } })).data
          ?.changeSubject
      : (await add({ variables: { space: spaceId, ...values } })).data?.addSubject;
    if (saved) onSaved(saved.act ?? null);
  };
  return (
    <FormDialog
      title={subject ? t('space.editSubject', { name: subject.subjectName }) : t('space.addSubject')}
      onClose={onClose}
      onSubmit={handleSubmit((values) => saving(() => send(values), setError, ['subjectName', 'color']))}
    >
      <TextInput
        label={t('name')}
        withAsterisk
        data-autofocus
        error={errors.subjectName?.message}
        {...register('subjectName')}
      />
      <Controller
        control={control}
        name="color"
        render={({ field }) => (
          <HexField value={field.value} error={errors.color?.message} onChange={field.onChange} />
        )}
      />
    </FormDialog>
  );
}
