import { useQuery } from '@apollo/client/react';
import { Modal, Stack, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { joinedPages } from '../../features/security-log/joined-pages';
import { SecurityLogList } from '../../features/security-log/security-log-list';
import { StaffSecurityLogDocument, type ManagedStudentPartsFragment } from '../../generated/graphql';
import { useFocusReturn } from '../../lib/use-focus-return';
import { useNextPage } from '../../lib/use-next-page';

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
  const { data, error, fetchMore, refetch } = useQuery(StaffSecurityLogDocument, {
    variables: { studentId, page: 1 },
    fetchPolicy: 'network-only',
    nextFetchPolicy: 'cache-first',
  });
  const log = data?.getStaffSecurityLog;
  const nextPage = useNextPage(studentId, () =>
    fetchMore({
      variables: { page: (log?.page ?? 0) + 1 },
      updateQuery: (before, { fetchMoreResult: more }) => ({
        getStaffSecurityLog: joinedPages(before.getStaffSecurityLog, more.getStaffSecurityLog),
      }),
    }),
  );
  return (
    <Modal opened onClose={onClose} title={t('students.securityLogTitle', { name })} size="lg">
      <Stack gap="md">
        <Text c="dimmed">{t('students.securityLogText')}</Text>
        <SecurityLogList log={log} error={error} nextPage={nextPage} onRetry={() => void refetch()} />
      </Stack>
    </Modal>
  );
}
