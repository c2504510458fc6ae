import { useApolloClient, useMutation } from '@apollo/client/react';
import { Button, Group, Modal, Stack, Text, Textarea } from '@mantine/core';
import { useState, type FormEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { toast } from '../../components/toast';
import { useModeratedSpaces } from '../../features/areas/use-moderated-spaces';
import { RemoveMemberDocument, type StudentDetailFragment } from '../../generated/graphql';
import { errorText } from '../../lib/errors';
import { useFocusReturn } from '../../lib/use-focus-return';

interface RemoveMemberProps {
  student: StudentDetailFragment;
  space: string;
}

/** For those who moderate the space, where it is not open: out of an open one whoever is removed joins again. */
export function RemoveMember({ student, space }: RemoveMemberProps) {
  const { t } = useTranslation('userDetail');
  const [isAsked, setAsked] = useState(false);
  const { spaces } = useModeratedSpaces();
  const isClosed = spaces?.some(({ _id, entry }) => _id === space && entry !== 'OPEN') ?? false;
  if (!isClosed || !student.isMember || !student.isBlockable) return null;
  return (
    <>
      <Button variant="default" c="var(--nimo-danger)" onClick={() => setAsked(true)}>
        {t('remove.open')}
      </Button>
      {isAsked && <RemoveDialog student={student} space={space} onClose={() => setAsked(false)} />}
    </>
  );
}

function RemoveDialog({ student, space, onClose }: RemoveMemberProps & { onClose: () => void }) {
  const { t } = useTranslation('userDetail');
  useFocusReturn();
  const client = useApolloClient();
  const [reason, setReason] = useState('');
  const [isTried, setTried] = useState(false);
  const name = student.userName;
  const [remove, { loading }] = useMutation(RemoveMemberDocument, {
    onCompleted: () => {
      toast.success(t('remove.done', { name }));
      onClose();
      void client.refetchQueries({ include: ['UserDetail'] });
    },
    onError: (error) => toast.error(errorText(error)),
  });
  const isMissing = reason.trim() === '';
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setTried(true);
    if (!isMissing) void remove({ variables: { space, studentId: student._id, reason } });
  };
  return (
    <Modal opened onClose={onClose} title={t('remove.title', { name })} size="md">
      <form onSubmit={submit} noValidate>
        <Stack gap="md">
          <Text>{t('remove.text', { name })}</Text>
          <Textarea
            label={t('remove.reason')}
            value={reason}
            maxLength={1000}
            error={isTried && isMissing ? t('reasonMissing') : undefined}
            required
            autosize
            minRows={2}
            data-autofocus
            onChange={(event) => setReason(event.currentTarget.value)}
          />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose} disabled={loading}>
              {t('cancel')}
            </Button>
            <Button type="submit" color="red.8" loading={loading}>
              {t('remove.confirm')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
