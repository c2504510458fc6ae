import { useMutation } from '@apollo/client/react';
import { Checkbox, Modal, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { FormDialog, ReasonDialog } from '../../../components/dialogs';
import { SecurityLogList } from '../../../features/security-log/security-log-list';
import {
  BlockAccountDocument,
  EraseAccountDocument,
  KeepAccountDocument,
  type ManagedStudentPartsFragment,
  ResetSecondFactorDocument,
  StaffSecurityLogDocument,
  UnblockAccountDocument,
} from '../../../generated/graphql';
import { refetchOnMount, usePagedList } from '../../../lib/api/paged-list';
import { useFocusReturn } from '../../../lib/browser/focus';

interface StudentDialogProps {
  student: ManagedStudentPartsFragment;
  onSaved: (act: number | null) => void;
  onClose: () => void;
}

/** Confirms blocking (reason required) or unblocking (reason optional). */
export function BlockDialog({ student, onSaved, onClose }: StudentDialogProps) {
  const { t } = useTranslation('content');
  const act = student.isBlocked ? 'unblock' : 'block';
  const needsReason = act === 'block';
  const [block] = useMutation(BlockAccountDocument);
  const [unblock] = useMutation(UnblockAccountDocument);
  const send = async (reason: string) => {
    const variables = { studentId: student._id, reason };
    const saved = needsReason
      ? (await block({ variables })).data?.blockAccount
      : (await unblock({ variables })).data?.unblockAccount;
    if (saved) onSaved(saved.act ?? null);
  };
  return (
    <ReasonDialog
      title={t(`students.${act}Title`, { name: student.userName })}
      text={t(`students.${act}Text`)}
      label={t(needsReason ? 'students.reason' : 'students.reasonOptional')}
      hint={t('students.reasonHint')}
      missing={t('missing.reason')}
      isOptional={!needsReason}
      submitLabel={t(`students.${act}`)}
      danger={needsReason}
      onSubmit={send}
      onClose={onClose}
    />
  );
}

/** Confirms deleting an account (reason required) or cancelling the deletion. */
export function EraseDialog(props: StudentDialogProps) {
  return props.student.erasureDueAt === null ? <EraseForm {...props} /> : <KeepForm {...props} />;
}

function EraseForm({ student, onSaved, onClose }: StudentDialogProps) {
  const { t } = useTranslation('content');
  const [withPosts, setWithPosts] = useState(false);
  const [erase] = useMutation(EraseAccountDocument);
  const send = async (reason: string) => {
    const { data } = await erase({ variables: { studentId: student._id, reason, withPosts } });
    if (data) onSaved(data.eraseAccount.act ?? null);
  };
  return (
    <ReasonDialog
      title={t('students.eraseTitle', { name: student.userName })}
      text={t('students.eraseText')}
      label={t('students.reason')}
      hint={t('students.eraseHint')}
      missing={t('missing.reason')}
      submitLabel={t('students.erase')}
      danger
      onSubmit={send}
      onClose={onClose}
    >
      <Checkbox
        label={t('students.deletePosts')}
        checked={withPosts}
        onChange={({ currentTarget }) => setWithPosts(currentTarget.checked)}
      />
    </ReasonDialog>
  );
}

function KeepForm({ student, onSaved, onClose }: StudentDialogProps) {
  const { t, i18n } = useTranslation('content');
  const [keep] = useMutation(KeepAccountDocument);
  const send = async () => {
    const { data } = await keep({ variables: { studentId: student._id } });
    if (data) onSaved(data.cancelErasure.act ?? null);
  };
  const day = new Intl.DateTimeFormat(i18n.language, { dateStyle: 'long', timeStyle: 'short' });
  return (
    <FormDialog
      title={t('students.keepTitle', { name: student.userName })}
      submitLabel={t('students.keep')}
      onClose={onClose}
      onSubmit={send}
    >
      <Text>{t('students.keepText', { at: day.format(new Date(student.erasureDueAt ?? '')) })}</Text>
    </FormDialog>
  );
}

/** Resets second factors for a student who lost the device and the recovery codes. */
export function ResetFactorDialog({ student, onSaved, onClose }: StudentDialogProps) {
  const { t } = useTranslation('content');
  const [reset] = useMutation(ResetSecondFactorDocument);
  const send = async (reason: string) => {
    const { data } = await reset({ variables: { studentId: student._id, reason } });
    if (data) onSaved(data.resetSecondFactor.act ?? null);
  };
  return (
    <ReasonDialog
      title={t('students.resetFactorTitle', { name: student.userName })}
      text={t('students.resetFactorText')}
      label={t('students.reason')}
      hint={t('students.resetFactorHint')}
      missing={t('missing.reason')}
      submitLabel={t('students.resetFactor')}
      danger
      onSubmit={send}
      onClose={onClose}
    />
  );
}

interface SecurityLogDialogProps {
  /** Holds a role. */
  student: ManagedStudentPartsFragment;
  onClose: () => void;
}

/** Security log of a staff account. */
export function SecurityLogDialog({ student, onClose }: SecurityLogDialogProps) {
  const { t } = useTranslation('content');
  const { _id: studentId, userName: name } = student;
  useFocusReturn();
  const log = usePagedList(
    StaffSecurityLogDocument,
    { studentId, page: 1 },
    'getStaffSecurityLog',
    refetchOnMount,
  );
  return (
    <Modal opened onClose={onClose} title={t('students.securityLogTitle', { name })} size="lg">
      <Stack gap="md">
        <Text c="dimmed">{t('students.securityLogText')}</Text>
        <SecurityLogList log={log} />
      </Stack>
    </Modal>
  );
}
