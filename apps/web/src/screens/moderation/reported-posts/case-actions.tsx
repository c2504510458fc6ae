import { Button, Group, Kbd } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router-dom';
import { paths } from '../../../lib/paths';
import type { ShortcutId } from '../../../features/shortcuts/shortcut-list';
import { SuspendDialog } from '../../../features/suspension/suspend-dialog';
import { WarnDialog } from '../../../features/warning/warn-dialog';
import { useShortcuts } from '../../../features/shortcuts/use-shortcuts';
import type { ModerationCaseFragment } from '../../../generated/graphql';
import { ActionDialog, AssignDialog, type ReasonedAction } from './action-dialogs';

interface CaseActionsProps {
  shown: ModerationCaseFragment;
  onDecided: () => void;
}

type Dialog = ReasonedAction | 'handOver' | 'suspend' | 'warn';
type CaseAction = Dialog | 'open';

interface AvailableAction {
  action: CaseAction;
  shortcut: ShortcutId;
  /** The key bound to `shortcut`. */
  keyName: string;
  color?: string;
}

/** Actions available in the current state of the case. */
function availableActions({
  openReports,
  isUpheld,
  isDeleted,
  record,
}: ModerationCaseFragment): AvailableAction[] {
  const isOpen = openReports > 0;
  const isBlocked = record.accountStatus === 'BLOCKED';
  // Moderators of single spaces suspend instead of blocking the account.
  const blocks = record.isBlockable && (isBlocked || record.blockScope === 'ACCOUNT');
  const actions: ReadonlyArray<AvailableAction | false> = [
    isOpen && { action: 'uphold', shortcut: 'uphold', keyName: 'u', color: 'red.8' },
    isOpen && { action: 'dismiss', shortcut: 'dismiss', keyName: 'd', color: 'accent' },
    isOpen && { action: 'handOver', shortcut: 'handOver', keyName: 'h' },
    isUpheld && { action: 'reverse', shortcut: 'reverse', keyName: 'r' },
    blocks && { action: isBlocked ? 'unblock' : 'block', shortcut: 'block', keyName: 'b' },
    record.isWarnable && { action: 'warn', shortcut: 'warn', keyName: 'w' },
    record.isSuspendable && { action: 'suspend', shortcut: 'suspend', keyName: 's' },
    !isUpheld && !isDeleted && { action: 'open', shortcut: 'open', keyName: 'o' },
  ];
  return actions.filter((action) => action !== false);
}

/** Only for an author who can be suspended, which a blocked account cannot. */
const isSuspended = ({ record }: ModerationCaseFragment): boolean => record.accountStatus === 'BLOCKED';

/** Action buttons of a case, with their keyboard shortcuts. */
export function CaseActions({ shown, onDecided }: CaseActionsProps) {
  const { t } = useTranslation('moderation');
  const navigate = useNavigate();
  // Snapshot taken when the dialog opens: later changes are not part of the decision.
  const [opened, setOpened] = useState<{ dialog: Dialog; seen: ModerationCaseFragment }>();
  const [draft, setDraft] = useState<{ dialog: Dialog; text: string }>();
  const close = (kept?: typeof draft) => {
    setOpened(undefined);
    setDraft(kept);
  };
  const actions = availableActions(shown);
  const start = (action: CaseAction) => {
    if (action === 'open') void navigate(paths.singleQuestion(shown.questionId, 'home'));
    else setOpened({ dialog: action, seen: shown });
  };
  useShortcuts(Object.fromEntries(actions.map(({ action, shortcut }) => [shortcut, () => start(action)])));
  return (
    <>
      <Group gap="sm" role="group" aria-label={t('actions.label')}>
        {actions.map(({ action, keyName, color }) => (
          <ActionButton key={action} name={keyName} onClick={() => start(action)} {...(color && { color })}>
            {t(`actions.${action === 'suspend' && isSuspended(shown) ? 'changeSuspension' : action}`)}
          </ActionButton>
        ))}
      </Group>
      {opened && (
        <CaseDialog
          {...opened}
          draft={draft?.dialog === opened.dialog ? draft.text : ''}
          onClose={() => close()}
          onDecided={onDecided}
          onConflict={(text) => close({ dialog: opened.dialog, text })}
        />
      )}
    </>
  );
}

interface CaseDialogProps {
  dialog: Dialog;
  seen: ModerationCaseFragment;
  draft: string;
  onClose: () => void;
  onDecided: () => void;
  onConflict: (text: string) => void;
}

function CaseDialog({ dialog, seen, ...after }: CaseDialogProps) {
  if (dialog === 'handOver') return <AssignDialog seen={seen} {...after} />;
  if (dialog !== 'suspend' && dialog !== 'warn')
    return <ActionDialog action={dialog} seen={seen} {...after} />;
  if (!seen.author) return null;
  const about = { student: seen.author, space: seen.spaceId, onClose: after.onClose };
  return dialog === 'warn' ? (
    <WarnDialog {...about} postId={seen._id} />
  ) : (
    <SuspendDialog {...about} isSuspended={isSuspended(seen)} />
  );
}

interface ActionProps {
  name: string;
  color?: string;
  onClick: () => void;
  children: ReactNode;
}

function ActionButton({ name, color, onClick, children }: ActionProps) {
  return (
    <Button
      variant={color === undefined ? 'default' : 'filled'}
      {...(color !== undefined && { color })}
      onClick={onClick}
      aria-keyshortcuts={name}
      rightSection={
        <Kbd size="xs" aria-hidden>
          {name}
        </Kbd>
      }
    >
      {children}
    </Button>
  );
}
