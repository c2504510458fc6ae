import type { TypedDocumentNode } from '@apollo/client';
import { useApolloClient, useMutation } from '@apollo/client/react';
import { Button, Group, Modal, Stack, Text, Textarea } from '@mantine/core';
import { useState, type FormEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { toast } from '../../../components/toast';
import {
  BlockStudentDocument,
  type BlockStudentMutationVariables,
  DismissReportsDocument,
  ReverseUpholdingDocument,
  UnblockStudentDocument,
  UpholdReportsDocument,
  type ModerationCaseFragment,
} from '../../../generated/graphql';
import { errorCode, errorText } from '../../../lib/errors';
import { useFocusReturn } from '../../../lib/use-focus-return';

export type ReasonedAct = 'uphold' | 'dismiss' | 'reverse' | 'block' | 'unblock';
const mostCharacters = 1_000;

interface ReasonDialogProps {
  act: ReasonedAct;
  /** The case as it was when the dialog was opened. */
  seen: ModerationCaseFragment;
  onClose: () => void;
  onDecided: () => void;
}

/** Asks for the reason of an act, which unblocking alone can do without, and does it. */
export function ReasonDialog({ act, seen, onClose, onDecided }: ReasonDialogProps) {
  const { t } = useTranslation('moderation');
  useFocusReturn();
  const [reason, setReason] = useState('');
  const [isTried, setIsTried] = useState(false);
  const { run, isRunning } = useAct(act, seen, onClose, onDecided);
  const name = seen.author?.userName ?? '';
  const needsReason = act !== 'unblock';
  const isMissing = needsReason && reason.trim() === '';
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setIsTried(true);
    if (!isMissing) void run(reason);
  };
  return (
    <Modal opened onClose={onClose} title={t(`dialogs.${act}.title`, { name })} size="md">
      <form onSubmit={submit} noValidate>
        <Stack gap="md">
          <Text>{t(`dialogs.${act}.text`)}</Text>
          <Textarea
            label={t(needsReason ? 'reason' : 'reasonOptional')}
            description={t(`dialogs.${act}.hint`)}
            value={reason}
            maxLength={mostCharacters}
            error={isTried && isMissing ? t('reasonMissing') : undefined}
            required={needsReason}
            autosize
            minRows={2}
            data-autofocus
            onChange={({ currentTarget }) => setReason(currentTarget.value)}
          />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose} disabled={isRunning}>
              {t('cancel')}
            </Button>
            <Button
              type="submit"
              color={act === 'uphold' || act === 'block' ? 'red.8' : 'accent'}
              loading={isRunning}
            >
              {t(`actions.${act}`)}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}

type Blocking = TypedDocumentNode<unknown, BlockStudentMutationVariables>;
const blocking: Record<'block' | 'unblock', Blocking> = {
  block: BlockStudentDocument,
  unblock: UnblockStudentDocument,
};
const rulings = {
  uphold: UpholdReportsDocument,
  dismiss: DismissReportsDocument,
  reverse: ReverseUpholdingDocument,
} as const;

function useAct(act: ReasonedAct, seen: ModerationCaseFragment, onClose: () => void, onDecided: () => void) {
  const { t } = useTranslation('moderation');
  const client = useApolloClient();
  const { _id: postId, revision, openReports, author, spaceId } = seen;
  const isBlocking = act === 'block' || act === 'unblock';
  const [block, blockState] = useMutation(blocking[isBlocking ? act : 'block'], {
    refetchQueries: ['ModerationCase'],
  });
  const [rule, ruling] = useMutation(rulings[isBlocking ? 'uphold' : act], {
    refetchQueries: ['ModerationQueue'],
  });
  const run = async (reason: string): Promise<void> => {
    try {
      if (isBlocking) await block({ variables: { studentId: author?._id ?? '', space: spaceId, reason } });
      else await rule({ variables: { postId, reason, seen: { revision, openReports } } });
      toast.success(t(`done.${act}`, { name: author?.userName ?? '' }));
      onClose();
      if (act === 'uphold' || act === 'dismiss') onDecided();
    } catch (error) {
      toast.error(errorCode(error) === 'CONFLICT' ? t('conflict') : errorText(error));
      if (errorCode(error) !== 'CONFLICT') return;
      // The case on the screen then tells who did what.
      onClose();
      await client.refetchQueries({ include: ['ModerationQueue', 'ModerationCase'] });
    }
  };
  return { run, isRunning: blockState.loading || ruling.loading };
}
