import { useMutation, useQuery } from '@apollo/client/react';
import { Button } from '@mantine/core';
import IconUserPlus from '@tabler/icons-react/dist/esm/icons/IconUserPlus.mjs';
import IconUserShield from '@tabler/icons-react/dist/esm/icons/IconUserShield.mjs';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ConfirmDialog } from '../../components/confirm-dialog';
import { DataTable } from '../../components/data-table';
import { EmptyState } from '../../components/empty-state';
import { LoadedRows } from '../../components/paged-rows';
import { PageHeading } from '../../components/page-heading';
import { toast } from '../../components/toast';
import { ActNote, useLatestAct } from '../../features/managed-content/act-note';
import classes from '../../features/managed-content/managed.module.css';
import { PersonCell } from '../../features/managed-content/person-cell';
import {
  RevokeRoleDocument,
  RoleHoldersDocument,
  type ManagedStudentPartsFragment,
} from '../../generated/graphql';
import { useAuthUser } from '../../lib/auth-storage';
import { errorText } from '../../lib/errors';
import { GrantDialog } from './grant-dialog';

interface Revocation {
  student: ManagedStudentPartsFragment;
  held: ManagedStudentPartsFragment['roles'][number];
}

/** Who holds which role where. */
export default function ManagedRolesScreen() {
  const { t } = useTranslation('content');
  const { data, error, refetch } = useQuery(RoleHoldersDocument, { fetchPolicy: 'cache-and-network' });
  const [isGranting, setGranting] = useState(false);
  const [revoking, setRevoking] = useState<Revocation>();
  const { act, tell, clear } = useLatestAct();
  const acted = (ordinal: number | null) => {
    setGranting(false);
    setRevoking(undefined);
    tell(ordinal);
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
      <ActNote act={act} onClose={clear} />
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
          { label: t('roles.where'), cell: ({ held }) => held.space?.name ?? t('roles.allSpaces') },
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
  onActed: (act: number | null) => void;
  onClose: () => void;
}

function RevokeDialog({ revoking, onActed, onClose }: RevokeDialogProps) {
  const { t } = useTranslation('content');
  const [revoke, { loading }] = useMutation(RevokeRoleDocument, {
    onError: (failure) => void toast.error(errorText(failure)),
    onCompleted: ({ revokeRole }) => onActed(revokeRole.act ?? null),
  });
  const confirm = () => {
    if (!revoking) return;
    const { student, held } = revoking;
    void revoke({ variables: { studentId: student._id, role: held.role, space: held.space?._id ?? null } });
  };
  return (
    <ConfirmDialog
      opened={revoking !== undefined}
      danger
      pending={loading}
      title={t('roles.revokeTitle', { name: revoking?.student.userName ?? '' })}
      text={t('roles.revokeText')}
      confirmLabel={t('roles.revoke')}
      onConfirm={confirm}
      onClose={onClose}
    />
  );
}
