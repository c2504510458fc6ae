import { useMutation, useQuery } from '@apollo/client/react';
import { Button, Table, VisuallyHidden } from '@mantine/core';
import IconUserPlus from '@tabler/icons-react/dist/esm/icons/IconUserPlus.mjs';
import IconUserShield from '@tabler/icons-react/dist/esm/icons/IconUserShield.mjs';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ConfirmDialog } from '../../components/confirm-dialog';
import { EmptyState } from '../../components/empty-state';
import { ErrorNotice } from '../../components/error-notice';
import { PageHeading } from '../../components/page-heading';
import { SkeletonRows } from '../../components/skeletons';
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
  const holders = data?.getRoleHolders;
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
      {error && !holders && <ErrorNotice error={error} onRetry={() => void refetch()} />}
      {!holders && !error && <SkeletonRows count={4} height={56} />}
      {holders?.length === 0 && (
        <EmptyState icon={IconUserShield} title={t('roles.emptyTitle')} text={t('roles.emptyText')} />
      )}
      {holders && holders.length > 0 && <HolderTable holders={holders} onRevoke={setRevoking} />}
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
      <Table.ScrollContainer minWidth={560}>
        <Table verticalSpacing="sm">
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{t('roles.student')}</Table.Th>
              <Table.Th>{t('roles.role')}</Table.Th>
              <Table.Th>{t('roles.where')}</Table.Th>
              <Table.Th>
                <VisuallyHidden>{t('actions')}</VisuallyHidden>
              </Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {rows.map((row) => (
              <HolderRow
                key={`${row.student._id} ${row.held.role} ${row.held.space?._id ?? ''}`}
                {...row}
                onRevoke={() => onRevoke(row)}
              />
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
    </section>
  );
}

function HolderRow({ student, held, onRevoke }: Revocation & { onRevoke: () => void }) {
  const { t } = useTranslation('content');
  const isOwnMaintainer = useAuthUser()?._id === student._id && held.role === 'MAINTAINER';
  return (
    <Table.Tr>
      <Table.Td>
        <PersonCell student={student} />
      </Table.Td>
      <Table.Td>{t(held.role === 'MAINTAINER' ? 'roles.maintainer' : 'roles.moderator')}</Table.Td>
      <Table.Td>{held.space?.name ?? t('roles.allSpaces')}</Table.Td>
      <Table.Td>
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
      </Table.Td>
    </Table.Tr>
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
