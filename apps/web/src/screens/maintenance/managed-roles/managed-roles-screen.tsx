import { skipToken, useMutation, useQuery } from '@apollo/client/react';
import { zodResolver } from '@hookform/resolvers/zod';
import { Button, NativeSelect, Radio, Stack, TextInput } from '@mantine/core';
import IconUserPlus from '@tabler/icons-react/dist/esm/icons/IconUserPlus.mjs';
import IconUserShield from '@tabler/icons-react/dist/esm/icons/IconUserShield.mjs';
import { useState } from 'react';
import { Controller, useForm, useWatch } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import * as z from 'zod/mini';
import { ConfirmDialog, FormDialog } from '../../../components/dialogs';
import { DataTable } from '../../../components/data-table';
import { EmptyState } from '../../../components/empty-state';
import { PageHeading } from '../../../components/page-heading';
import { LoadedRows } from '../../../components/paged-rows';
import { SkeletonRows } from '../../../components/skeletons';
import { toast } from '../../../components/toast';
import {
  ChangeNote,
  type ChangeTexts,
  PersonCell,
  useLatestChange,
  useSearchText,
} from '../../../features/managed-content/managed-screen';
import classes from '../../../features/managed-content/managed.module.css';
import {
  GrantRoleDocument,
  ManagedSpacesDocument,
  type ManagedStudentPartsFragment,
  type Role,
  ManagedStudentsDocument,
  RevokeRoleDocument,
  RoleHoldersDocument,
} from '../../../generated/graphql';
import { useAuthUser } from '../../../lib/auth-storage';
import { errorText } from '../../../lib/api/errors';

interface Revocation {
  student: ManagedStudentPartsFragment;
  held: ManagedStudentPartsFragment['roles'][number];
}

/** Roles by person and space. */
export default function ManagedRolesScreen() {
  const { t } = useTranslation('content');
  const { data, error, refetch } = useQuery(RoleHoldersDocument, { fetchPolicy: 'cache-and-network' });
  const [isGranting, setGranting] = useState(false);
  const [revoking, setRevoking] = useState<Revocation>();
  const { change, showChange, clear } = useLatestChange();
  const acted = (ordinal: number | null, texts: ChangeTexts) => {
    setGranting(false);
    setRevoking(undefined);
    showChange(ordinal, texts);
    void refetch();
  };
  return (
    <div className={classes.screen}>
      <PageHeading
        actions={
          <Button leftSection={<IconUserPlus size={18} aria-hidden />} onClick={() => setGranting(true)}>
            {t('roles.grant')}
          </Button>
        }
      >
        {t('roles.title')}
      </PageHeading>
      <p className={classes.lead}>{t('roles.lead')}</p>
      <ChangeNote change={change} onClose={clear} />
      <LoadedRows
        list={{ rows: data?.getRoleHolders, error, refetch: () => void refetch() }}
        count={4}
        height={56}
        empty={<EmptyState icon={IconUserShield} title={t('roles.emptyTitle')} text={t('roles.emptyText')} />}
      >
        {(holders) => <HolderTable holders={holders} onRevoke={setRevoking} />}
      </LoadedRows>
      {isGranting && <GrantDialog onClose={() => setGranting(false)} onSaved={acted} />}
      <RevokeDialog revoking={revoking} onActed={acted} onClose={() => setRevoking(undefined)} />
    </div>
  );
}

interface HolderTableProps {
  holders: readonly ManagedStudentPartsFragment[];
  onRevoke: (revocation: Revocation) => void;
}

function HolderTable({ holders, onRevoke }: HolderTableProps) {
  const { t } = useTranslation('content');
  const rows = holders.flatMap((student) => student.roles.map((held) => ({ student, held })));
  return (
    <section className={classes.panel} aria-label={t('roles.title')}>
      <DataTable
        minWidth={560}
        verticalSpacing="sm"
        rows={rows}
        keyOf={({ student, held }) => `${student._id} ${held.role} ${held.space?._id ?? ''}`}
        columns={[
          { label: t('roles.student'), cell: ({ student }) => <PersonCell student={student} /> },
          {
            label: t('roles.role'),
            cell: ({ held }) => t(held.role === 'MAINTAINER' ? 'roles.maintainer' : 'roles.moderator'),
          },
          { label: t('roles.space'), cell: ({ held }) => held.space?.name ?? t('roles.allSpaces') },
          {
            label: t('actions'),
            isLabelHidden: true,
            cell: (row) => <HolderActions {...row} onRevoke={() => onRevoke(row)} />,
          },
        ]}
      />
    </section>
  );
}

function HolderActions({ student, held, onRevoke }: Revocation & { onRevoke: () => void }) {
  const { t } = useTranslation('content');
  const isOwnMaintainer = useAuthUser()?._id === student._id && held.role === 'MAINTAINER';
  return (
    <div className={classes.actions}>
      {isOwnMaintainer ? (
        <span className={classes.dimmed}>{t('roles.own')}</span>
      ) : (
        <Button
          variant="default"
          size="compact-sm"
          c="var(--nimo-danger)"
          aria-label={t('roles.revokeOf', { name: student.userName })}
          onClick={onRevoke}
        >
          {t('roles.revoke')}
        </Button>
      )}
    </div>
  );
}

interface RevokeDialogProps {
  revoking: Revocation | undefined;
  onActed: (act: number | null, texts: ChangeTexts) => void;
  onClose: () => void;
}

function RevokeDialog({ revoking, onActed, onClose }: RevokeDialogProps) {
  const { t } = useTranslation('content');
  const [revoke, { loading }] = useMutation(RevokeRoleDocument, {
    onError: (failure) => void toast.error(errorText(failure)),
  });
  const roleText = useRoleText();
  const confirm = async () => {
    if (!revoking) return;
    const { student, held } = revoking;
    const { data } = await revoke({
      variables: { studentId: student._id, role: held.role, space: held.space?._id ?? null },
    });
    const named = { name: student.userName, role: roleText(held.role, held.space?.name) };
    if (data)
      onActed(data.revokeRole.act ?? null, {
        saved: t('roles.revoked', named),
        unchanged: t('roles.notHeld', named),
      });
  };
  return (
    <ConfirmDialog
      opened={revoking !== undefined}
      danger
      pending={loading}
      title={t('roles.revokeTitle', { name: revoking?.student.userName ?? '' })}
      text={t('roles.revokeText')}
      confirmLabel={t('roles.revoke')}
      onConfirm={() => void confirm()}
      onClose={onClose}
    />
  );
}

/** A role with its space. */
function useRoleText() {
  const { t } = useTranslation('content');
  return (role: Role, space: string | undefined): string =>
    role === 'MAINTAINER'
      ? t('roles.maintainer')
      : [t('roles.moderator'), space ?? t('roles.allSpaces')].join(' · ');
}

const shownCandidates = 6;

function useGrantSchema() {
  const { t } = useTranslation('content');
  return z.object({
    studentId: z.string().check(z.minLength(1, t('missing.student'))),
    /** Name of the chosen student. */
    userName: z.string(),
    role: z.enum(['MODERATOR', 'MAINTAINER']),
    /** Empty: all spaces. */
    space: z.string(),
  });
}
type GrantValues = z.infer<ReturnType<typeof useGrantSchema>>;

interface GrantDialogProps {
  onSaved: (act: number | null, texts: ChangeTexts) => void;
  onClose: () => void;
}

/** Grants a student a role in one space or all. */
function GrantDialog({ onSaved, onClose }: GrantDialogProps) {
  const { t } = useTranslation('content');
  const { data } = useQuery(ManagedSpacesDocument);
  const [grant] = useMutation(GrantRoleDocument);
  const roleText = useRoleText();
  const { register, control, handleSubmit, setValue, formState } = useForm<GrantValues>({
    resolver: zodResolver(useGrantSchema()),
    defaultValues: { studentId: '', userName: '', role: 'MODERATOR', space: '' },
  });
  const role = useWatch({ control, name: 'role' });
  const spaces = data?.getManagedSpaces ?? [];
  const { errors } = formState;
  const send = async ({ studentId, userName, role: granted, space }: GrantValues) => {
    const where = granted === 'MAINTAINER' || space === '' ? null : space;
    const { data: saved } = await grant({ variables: { studentId, role: granted, space: where } });
    const spaceName = spaces.find(({ _id }) => _id === where)?.name;
    const named = { name: userName, role: roleText(granted, spaceName) };
    if (saved)
      onSaved(saved.grantRole.act ?? null, {
        saved: t('roles.granted', named),
        unchanged: t('roles.alreadyHeld', named),
      });
  };
  return (
    <FormDialog
      title={t('roles.grant')}
      submitLabel={t('roles.confirmGrant')}
      size="lg"
      onClose={onClose}
      onSubmit={handleSubmit(send)}
    >
      <Controller
        control={control}
        name="studentId"
        render={({ field }) => (
          <StudentChoice
            value={field.value}
            error={errors.studentId?.message}
            onChange={(student) => {
              field.onChange(student?._id ?? '');
              setValue('userName', student?.userName ?? '');
            }}
          />
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
          label={t('roles.space')}
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
  onChange: (student: ManagedStudentPartsFragment | undefined) => void;
}

function StudentChoice({ value, error, onChange }: StudentChoiceProps) {
  const { t } = useTranslation('content');
  const { text, setText, query } = useSearchText();
  const { data, loading } = useQuery(
    ManagedStudentsDocument,
    query === '' ? skipToken : { variables: { search: query, page: 1 }, fetchPolicy: 'network-only' },
  );
  const found = query === '' ? undefined : data?.getManagedStudents.docs.slice(0, shownCandidates);
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
          onChange(undefined);
        }}
      />
      {loading && !found && <SkeletonRows count={2} height={44} />}
      {found?.length === 0 && <p role="status">{t('noneFoundText')}</p>}
      {found && found.length > 0 && (
        <Radio.Group
          label={t('roles.student')}
          value={value}
          onChange={(id) => onChange(found.find(({ _id }) => _id === id))}
        >
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
