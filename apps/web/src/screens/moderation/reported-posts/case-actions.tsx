import { Button, Group, Kbd } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router-dom';
import { paths } from '../../../lib/paths';
import type { ShortcutId } from '../../../features/shortcuts/shortcut-list';
import { useShortcuts } from '../../../features/shortcuts/use-shortcuts';
import type { ModerationCaseFragment } from '../../../generated/graphql';
import { ActDialog, HandOverDialog, type ReasonedAct } from './act-dialogs';

interface CaseActionsProps {
  shown: ModerationCaseFragment;
  onDecided: () => void;
}

type Dialog = ReasonedAct | 'handOver';
type Act = Dialog | 'open';

interface AvailableAction {
  act: Act;
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
  const blocking = record.accountStatus === 'BLOCKED' ? 'unblock' : 'block';
  const acts: ReadonlyArray<AvailableAction | false> = [
    isOpen && { act: 'uphold', shortcut: 'uphold', keyName: 'u', color: 'red.8' },
    isOpen && { act: 'dismiss', shortcut: 'dismiss', keyName: 'd', color: 'accent' },
    isOpen && { act: 'handOver', shortcut: 'handOver', keyName: 'h' },
    isUpheld && { act: 'reverse', shortcut: 'reverse', keyName: 'r' },
    record.isBlockable && { act: blocking, shortcut: 'block', keyName: 'b' },
    !isUpheld && !isDeleted && { act: 'open', shortcut: 'open', keyName: 'o' },
  ];
  return acts.filter((act) => act !== false);
}

/** Action buttons of a case, with their keyboard shortcuts. */
export function CaseActions({ shown, onDecided }: CaseActionsProps) {
  const { t } = useTranslation('moderation');
  const navigate = useNavigate();
  // Snapshot taken when the dialog opens: later changes are not part of the decision.
  const [asked, setAsked] = useState<{ dialog: Dialog; seen: ModerationCaseFragment }>();
  const after = { onClose: () => setAsked(undefined), onDecided };
  const acts = availableActions(shown);
  const start = (act: Act) => {
    if (act === 'open') void navigate(paths.singleQuestion(shown.questionId, 'home'));
    else setAsked({ dialog: act, seen: shown });
  };
  useShortcuts(Object.fromEntries(acts.map(({ act, shortcut }) => [shortcut, () => start(act)])));
  return (
    <>
      <Group gap="sm" role="group" aria-label={t('actions.label')}>
        {acts.map(({ act, keyName, color }) => (
          <ActionButton key={act} name={keyName} onClick={() => start(act)} {...(color && { color })}>
            {t(`actions.${act}`)}
          </ActionButton>
        ))}
      </Group>
      {asked?.dialog === 'handOver' && <HandOverDialog seen={asked.seen} {...after} />}
      {asked && asked.dialog !== 'handOver' && <ActDialog act={asked.dialog} seen={asked.seen} {...after} />}
    </>
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
