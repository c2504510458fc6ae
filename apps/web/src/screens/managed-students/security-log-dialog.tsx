import { Modal, Stack, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { SecurityLogList } from '../../features/security-log/security-log-list';
import { StaffSecurityLogDocument, type ManagedStudentPartsFragment } from '../../generated/graphql';
import { useFocusReturn } from '../../lib/use-focus-return';
import { freshAtEachVisit, usePagedList } from '../../lib/paged-list';

interface SecurityLogDialogProps {
  /** Holds a role. */
  student: ManagedStudentPartsFragment;
  onClose: () => void;
}

/** What happened to the access to an account of staff. */
export function SecurityLogDialog({ student, onClose }: SecurityLogDialogProps) {
  const { t } = useTranslation('content');
  const { _id: studentId, userName: name } = student;
  useFocusReturn();
  const log = usePagedList(
    StaffSecurityLogDocument,
    { studentId, page: 1 },
    'getStaffSecurityLog',
    freshAtEachVisit,
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
