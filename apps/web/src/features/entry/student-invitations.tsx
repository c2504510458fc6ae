import { useMutation, useQuery } from '@apollo/client/react';
import { Button, Group, Stack, Text, TextInput, Title } from '@mantine/core';
import { useState, type FormEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { ErrorNotice } from '../../components/notices';
import { SkeletonRows } from '../../components/skeletons';
import { toast } from '../../components/toast';
import {
  InvitedStudentsDocument,
  InviteStudentDocument,
  RevokeStudentInvitationDocument,
} from '../../generated/graphql';
import { errorText } from '../../lib/api/errors';

/** Invitations of individual students to a space that is not open. */
export function StudentInvitations({ spaceId }: { spaceId: string }) {
  const { t } = useTranslation('entry');
  const { data, error, refetch } = useQuery(InvitedStudentsDocument, {
    variables: { space: spaceId },
    fetchPolicy: 'cache-and-network',
  });
  const [revoke] = useMutation(RevokeStudentInvitationDocument);
  const revokeInvitation = async (studentId: string, name: string) => {
    try {
      await revoke({ variables: { space: spaceId, studentId } });
      toast.success(t('revoked', { name }));
    } catch (failure) {
      toast.error(errorText(failure));
    }
    void refetch();
  };
  const students = data?.getInvitedStudents;
  return (
    <Stack component="section" gap="sm" aria-labelledby="student-invitations">
      <Title order={2} size="h3" id="student-invitations">
        {t('invitations')}
      </Title>
      <Text>{t('invitationsLead')}</Text>
      <InviteForm spaceId={spaceId} onInvited={() => void refetch()} />
      {error && !data && <ErrorNotice error={error} onRetry={() => void refetch()} />}
      {!error && !data && <SkeletonRows count={2} height={40} />}
      {students?.length === 0 && <Text c="dimmed">{t('noInvitations')}</Text>}
      {students && students.length > 0 && (
        <Stack component="ul" gap="xs" p={0} m={0}>
          {students.map(({ _id, userName, firstName, lastName }) => (
            <Group component="li" key={_id} justify="space-between">
              <Text>
                {userName}{' '}
                <Text span c="dimmed">
                  {firstName} {lastName}
                </Text>
              </Text>
              <Button
                variant="default"
                size="compact-sm"
                aria-label={t('revokeName', { name: userName })}
                onClick={() => void revokeInvitation(_id, userName)}
              >
                {t('revoke')}
              </Button>
            </Group>
          ))}
        </Stack>
      )}
    </Stack>
  );
}

function InviteForm({ spaceId, onInvited }: { spaceId: string; onInvited: () => void }) {
  const { t } = useTranslation('entry');
  const [name, setName] = useState('');
  const [failure, setFailure] = useState<string>();
  const [invite, { loading }] = useMutation(InviteStudentDocument);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    try {
      await invite({ variables: { space: spaceId, userName: name } });
      toast.success(t('invited', { name }));
      setName('');
      setFailure(undefined);
      onInvited();
    } catch (error) {
      setFailure(errorText(error));
    }
  };
  return (
    <form onSubmit={(event) => void submit(event)} noValidate>
      <Group align="flex-start">
        <TextInput
          label={t('userName')}
          error={failure}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <Button type="submit" mt="1.5rem" loading={loading} disabled={name.trim() === ''}>
          {t('invite')}
        </Button>
      </Group>
    </form>
  );
}
