import { useMutation } from '@apollo/client/react';
import { Button, Group, Modal, Stack, Text, Textarea } from '@mantine/core';
import { useState, type FormEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { toast } from '../../components/toast';
import {
  BlockStudentDocument,
  UnblockStudentDocument,
  type StudentDetailFragment,
} from '../../generated/graphql';
import { errorText } from '../../lib/errors';
import { useFocusReturn } from '../../lib/use-focus-return';
import classes from './user-detail.module.css';

interface BlockControlsProps {
  student: StudentDetailFragment;
  space: string;
}

/** What moderators see of a student besides: whether the account is active, and the button that ends or restores that. */
export function BlockControls({ student, space }: BlockControlsProps) {
  const { t } = useTranslation('userDetail');
  const [isAsking, setIsAsking] = useState(false);
  const [unblock, { loading }] = useMutation(UnblockStudentDocument, {
    variables: { studentId: student._id, space },
    onCompleted: () => toast.success(t('unblocked')),
    onError: (error) => toast.error(errorText(error)),
  });
  if (student.accountStatus === null) return null;
  const isBlocked = student.accountStatus === 'BLOCKED';
  return (
    <Group gap="sm">
      <span className={classes.status} data-blocked={isBlocked || undefined}>
        {isBlocked ? t('blockedStatus') : t('active')}
      </span>
      {student.isBlockable &&
        (isBlocked ? (
          <Button variant="default" loading={loading} onClick={() => void unblock()}>
            {t('unblock')}
          </Button>
        ) : (
          <Button variant="default" c="var(--nimo-danger)" onClick={() => setIsAsking(true)}>
            {t('block')}
          </Button>
        ))}
      {isAsking && <BlockDialog student={student} space={space} onClose={() => setIsAsking(false)} />}
    </Group>
  );
}

function BlockDialog({ student, space, onClose }: BlockControlsProps & { onClose: () => void }) {
  const { t } = useTranslation('userDetail');
  useFocusReturn();
  const [reason, setReason] = useState('');
  const [isTried, setIsTried] = useState(false);
  const [block, { loading }] = useMutation(BlockStudentDocument, {
    onCompleted: () => {
      toast.success(t('blocked'));
      onClose();
    },
    onError: (error) => toast.error(errorText(error)),
  });
  const isMissing = reason.trim() === '';
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setIsTried(true);
    if (!isMissing) void block({ variables: { studentId: student._id, space, reason } });
  };
  return (
    <Modal
      opened
      returnFocus={false}
      onClose={onClose}
      title={t('blockTitle', { name: student.userName })}
      size="md"
    >
      <form onSubmit={submit} noValidate>
        <Stack gap="md">
          <Text>{t('blockText')}</Text>
          <Textarea
            label={t('reason')}
            description={t('reasonHint')}
            value={reason}
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
              {t('block')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
