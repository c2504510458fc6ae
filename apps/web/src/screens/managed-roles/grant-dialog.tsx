import { skipToken, useMutation, useQuery } from '@apollo/client/react';
import { zodResolver } from '@hookform/resolvers/zod';
import { NativeSelect, Radio, Stack, TextInput } from '@mantine/core';
import { Controller, useForm, useWatch } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import * as z from 'zod/mini';
import { SkeletonRows } from '../../components/skeletons';
import { FormDialog } from '../../features/managed-content/form-dialog';
import { PersonCell } from '../../features/managed-content/person-cell';
import { useSearchText } from '../../features/managed-content/use-search-text';
import { saving } from '../../features/managed-content/use-saving';
import { GrantRoleDocument, ManagedSpacesDocument, ManagedStudentsDocument } from '../../generated/graphql';

const shownCandidates = 6;

function useGrantSchema() {
  const { t } = useTranslation('content');
  return z.object({
    studentId: z.string().check(z.minLength(1, t('missing.student'))),
    role: z.enum(['MODERATOR', 'MAINTAINER']),
    /** Empty: all spaces. */
    space: z.string(),
  });
}
type GrantValues = z.infer<ReturnType<typeof useGrantSchema>>;

interface GrantDialogProps {
  onSaved: (act: number | null) => void;
  onClose: () => void;
}

/** Finds a student and gives a role: of one space, or of all. */
export function GrantDialog({ onSaved, onClose }: GrantDialogProps) {
  const { t } = useTranslation('content');
  const { data } = useQuery(ManagedSpacesDocument);
  const [grant] = useMutation(GrantRoleDocument);
  const { register, control, handleSubmit, setError, formState } = useForm<GrantValues>({
    resolver: zodResolver(useGrantSchema()),
    defaultValues: { studentId: '', role: 'MODERATOR', space: '' },
  });
  const role = useWatch({ control, name: 'role' });
  const { errors } = formState;
  const send = async ({ studentId, role: granted, space }: GrantValues) => {
    const where = granted === 'MAINTAINER' || space === '' ? null : space;
    const { data: saved } = await grant({ variables: { studentId, role: granted, space: where } });
    if (saved) onSaved(saved.grantRole.act ?? null);
  };
  const spaces = data?.getManagedSpaces ?? [];
  return (
    <FormDialog
      title={t('roles.grant')}
      submitLabel={t('roles.give')}
      error={errors.root?.message}
      isSaving={formState.isSubmitting}
      size="lg"
      onClose={onClose}
      onSubmit={handleSubmit((values) => saving(() => send(values), setError, []))}
    >
      <Controller
        control={control}
        name="studentId"
        render={({ field }) => (
          <StudentChoice value={field.value} error={errors.studentId?.message} onChange={field.onChange} />
        )}
      />
      <NativeSelect
        label={t('roles.role')}
        data={[
          { value: 'MODERATOR', label: t('roles.moderator') },
          { value: 'MAINTAINER', label: t('roles.maintainer') },
        ]}
        {...register('role')}
      />
      {role === 'MODERATOR' && (
        <NativeSelect
          label={t('roles.where')}
          data={[
            { value: '', label: t('roles.allSpaces') },
            ...spaces.map(({ _id, name }) => ({ value: _id, label: name })),
          ]}
          {...register('space')}
        />
      )}
    </FormDialog>
  );
}

interface StudentChoiceProps {
  value: string;
  error: string | undefined;
  onChange: (studentId: string) => void;
}

function StudentChoice({ value, error, onChange }: StudentChoiceProps) {
  const { t } = useTranslation('content');
  const { text, setText, asked } = useSearchText();
  const { data, loading } = useQuery(
    ManagedStudentsDocument,
    asked === '' ? skipToken : { variables: { search: asked, page: 1 }, fetchPolicy: 'network-only' },
  );
  const found = asked === '' ? undefined : data?.getManagedStudents.docs.slice(0, shownCandidates);
  return (
    <Stack gap="xs">
      <TextInput
        type="search"
        label={t('students.search')}
        description={t('students.searchHint')}
        withAsterisk
        data-autofocus
        value={text}
        error={error}
        onChange={(event) => {
          setText(event.currentTarget.value);
          onChange('');
        }}
      />
      {loading && !found && <SkeletonRows count={2} height={44} />}
      {found?.length === 0 && <p role="status">{t('noneFoundText')}</p>}
      {found && found.length > 0 && (
        <Radio.Group label={t('roles.student')} value={value} onChange={onChange}>
          <Stack gap={6} mt={6}>
            {found.map((student) => (
              <Radio key={student._id} value={student._id} label={<PersonCell student={student} />} />
            ))}
          </Stack>
        </Radio.Group>
      )}
    </Stack>
  );
}
