import type { TypedDocumentNode } from '@apollo/client';
import { useMutation } from '@apollo/client/react';
import { Button, Group, Text } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ReasonDialog } from '../../../components/dialogs';
import { ExactTime } from '../../../components/exact-time';
import { toast } from '../../../components/toast';
import { RemovePosts } from '../../../features/removals/remove-posts';
import { SuspendDialog } from '../../../features/suspension/suspend-dialog';
import { WarnDialog } from '../../../features/warning/warn-dialog';
import {
  BlockStudentDocument,
  type BlockStudentMutationVariables,
  UnblockStudentDocument,
  type StudentDetailFragment,
} from '../../../generated/graphql';
import messages from '../../../i18n/en/errors.json' with { type: 'json' };
import { errorText, ruleText } from '../../../lib/api/errors';
import classes from './user-detail.module.css';

interface BlockControlsProps {
  student: StudentDetailFragment;
  space: string;
}

const english: Readonly<Record<string, string>> = messages.errors;

/** The API only returns the rule, because nothing failed; English messages otherwise come with an error. */
const refusalText = (rule: string): string => ruleText(english[rule] ?? '', { rule });

/** For moderators: the account's status, and the buttons to warn, suspend, block or unblock the student. */
export function BlockControls({ student, space }: BlockControlsProps) {
  const { t } = useTranslation('userDetail');
  // The action the dialog was opened for: the student is blocked before the dialog closes.
  const [confirming, setConfirming] = useState<Control>();
  if (student.accountStatus === null) return null;
  const isBlocked = student.accountStatus === 'BLOCKED';
  const isHere = student.blockScope === 'SPACE';
  return (
    <Group gap="sm">
      <span className={classes.status} data-blocked={isBlocked || undefined}>
        {isBlocked ? t(isHere ? 'suspendedStatus' : 'blockedStatus') : t('active')}
      </span>
      {student.suspendedUntil !== null && (
        <Text size="sm">
          {t('suspend.until')} <ExactTime at={student.suspendedUntil} />
        </Text>
      )}
      {student.isWarnable && (
        <Button variant="default" onClick={() => setConfirming('warn')}>
          {t('warn.button')}
        </Button>
      )}
      {student.isSuspendable && (
        <Button
          variant="default"
          c="var(--nimo-danger)"
          onClick={() => setConfirming(isBlocked ? 'changeSuspension' : 'suspend')}
        >
          {t(isBlocked ? 'suspend.change' : 'suspend.button')}
        </Button>
      )}
      {student.isBlockable &&
        (isBlocked ? (
          <Button variant="default" onClick={() => setConfirming(isHere ? 'lift' : 'unblock')}>
            {t('unblock')}
          </Button>
        ) : (
          !isHere && (
            <Button variant="default" c="var(--nimo-danger)" onClick={() => setConfirming('block')}>
              {t('block')}
            </Button>
          )
        ))}
      {student.arePostsRemovable && <RemovePosts author={student} space={space} />}
      {student.blockRefusal !== null && (
        <Text size="sm" c="dimmed">
          {refusalText(student.blockRefusal)}
        </Text>
      )}
      {confirming && (
        <ControlDialog
          control={confirming}
          student={student}
          space={space}
          onClose={() => setConfirming(undefined)}
        />
      )}
    </Group>
  );
}

const acts = {
  block: { button: 'block', text: 'blockText', done: 'blocked' },
  unblock: { button: 'unblock', text: 'unblockText', done: 'unblocked' },
  lift: { button: 'unblock', text: 'liftText', done: 'suspensionLifted' },
} as const;
const documents: Record<'block' | 'unblock', TypedDocumentNode<unknown, BlockStudentMutationVariables>> = {
  block: BlockStudentDocument,
  unblock: UnblockStudentDocument,
};

type Control = keyof typeof acts | 'suspend' | 'changeSuspension' | 'warn';

interface DialogProps extends BlockControlsProps {
  onClose: () => void;
}

function ControlDialog({ control, ...about }: DialogProps & { control: Control }) {
  if (control === 'warn') return <WarnDialog {...about} />;
  if (control === 'suspend' || control === 'changeSuspension')
    return <SuspendDialog {...about} isSuspended={control === 'changeSuspension'} />;
  return <BlockDialog act={control} {...about} />;
}

/** A reason is required to block and optional to unblock. */
function BlockDialog({ act, student, space, onClose }: DialogProps & { act: keyof typeof acts }) {
  const { t } = useTranslation('userDetail');
  const { button, text, done } = acts[act];
  const needsReason = button === 'block';
  const [run] = useMutation(documents[button], {
    onCompleted: () => {
      toast.success(t(done));
      onClose();
    },
    onError: (error) => toast.error(errorText(error)),
  });
  return (
    <ReasonDialog
      title={t(`${button}Title`, { name: student.userName })}
      text={t(text)}
      label={t(needsReason ? 'reason' : 'reasonOptional')}
      hint={t('reasonHint')}
      missing={t('reasonMissing')}
      isOptional={!needsReason}
      submitLabel={t(button)}
      danger={needsReason}
      closeOnClickOutside
      onSubmit={(reason) => run({ variables: { studentId: student._id, space, reason } })}
      onClose={onClose}
    />
  );
}
