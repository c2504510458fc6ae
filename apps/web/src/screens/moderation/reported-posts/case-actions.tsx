import { useApolloClient, useMutation, useQuery } from '@apollo/client/react';
import { Button, Group, Kbd, Modal, Select, Stack, Textarea } from '@mantine/core';
import { type FormEvent, type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router-dom';
import { paths } from '../../../lib/paths';
import { toast } from '../../../components/toast';
import type { ShortcutId } from '../../../features/shortcuts/shortcut-list';
import { useShortcuts } from '../../../features/shortcuts/use-shortcuts';
import {
  HandOverReportsDocument,
  type ModerationCaseFragment,
  SpaceModeratorsDocument,
} from '../../../generated/graphql';
import { useAuthUser } from '../../../lib/auth-storage';
import { errorCode, errorText } from '../../../lib/errors';
import { useFocusReturn } from '../../../lib/use-focus-return';
import { ReasonDialog, type ReasonedAct } from './reason-dialog';

interface CaseActionsProps {
  shown: ModerationCaseFragment;
  onDecided: () => void;
}

type Dialog = ReasonedAct | 'handOver';
type Act = Dialog | 'open';

interface PossibleAct {
  act: Act;
  shortcut: ShortcutId;
  /** As `shortcut` names it. */
  keyName: string;
  color?: string;
}

/** What the state of the case allows. */
function possibleActs({ openReports, isUpheld, isDeleted, record }: ModerationCaseFragment): PossibleAct[] {
  const isOpen = openReports > 0;
  const blocking = record.accountStatus === 'BLOCKED' ? 'unblock' : 'block';
  const acts: ReadonlyArray<PossibleAct | false> = [
    isOpen && { act: 'uphold', shortcut: 'uphold', keyName: 'u', color: 'red.8' },
    isOpen && { act: 'dismiss', shortcut: 'dismiss', keyName: 'd', color: 'accent' },
    isOpen && { act: 'handOver', shortcut: 'handOver', keyName: 'h' },
    isUpheld && { act: 'reverse', shortcut: 'reverse', keyName: 'r' },
    record.isBlockable && { act: blocking, shortcut: 'block', keyName: 'b' },
    !isUpheld && !isDeleted && { act: 'open', shortcut: 'open', keyName: 'o' },
  ];
  return acts.filter((act) => act !== false);
}

/** What can be done about the case, each also by its key. */
export function CaseActions({ shown, onDecided }: CaseActionsProps) {
  const { t } = useTranslation('moderation');
  const navigate = useNavigate();
  // As it was when the moderator made up the mind: what comes while the dialog is open is not part of the decision.
  const [asked, setAsked] = useState<{ dialog: Dialog; seen: ModerationCaseFragment }>();
  const acts = possibleActs(shown);
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
      {asked && <ActDialog {...asked} onClose={() => setAsked(undefined)} onDecided={onDecided} />}
    </>
  );
}

interface ActDialogProps {
  dialog: Dialog;
  seen: ModerationCaseFragment;
  onClose: () => void;
  onDecided: () => void;
}

function ActDialog({ dialog, seen, onClose, onDecided }: ActDialogProps) {
  switch (dialog) {
    case 'handOver':
      return <HandOverDialog seen={seen} onClose={onClose} onDone={onDecided} />;
    default:
      return <ReasonDialog act={dialog} seen={seen} onClose={onClose} onDecided={onDecided} />;
  }
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

const toEverybody = '';

interface HandOverDialogProps {
  seen: ModerationCaseFragment;
  onClose: () => void;
  onDone: () => void;
}

/** To a colleague of the space, to oneself, or back to everybody. */
function HandOverDialog({ seen, onClose, onDone }: HandOverDialogProps) {
  const { t } = useTranslation('moderation');
  const user = useAuthUser();
  const client = useApolloClient();
  useFocusReturn();
  const [to, setTo] = useState<string | null>(null);
  const [note, setNote] = useState('');
  const { data } = useQuery(SpaceModeratorsDocument, { variables: { space: seen.spaceId } });
  const people = (data?.getSpaceModerators ?? []).filter(
    ({ _id }) => _id !== seen.assignee?._id && _id !== seen.author?._id,
  );
  const [handOver, { loading }] = useMutation(HandOverReportsDocument, {
    refetchQueries: ['ModerationQueue'],
    onCompleted: () => {
      toast.success(t('done.handOver'));
      onClose();
      if (to !== user?._id) onDone();
    },
    onError: (error) => {
      const isConflict = errorCode(error) === 'CONFLICT';
      toast.error(isConflict ? t('conflict') : errorText(error));
      if (!isConflict) return;
      onClose();
      void client.refetchQueries({ include: ['ModerationQueue', 'ModerationCase'] });
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (to === null) return;
    const { _id: postId, revision, openReports } = seen;
    const toModeratorId = to === toEverybody ? null : to;
    void handOver({ variables: { postId, toModeratorId, note, seen: { revision, openReports } } });
  };
  const nameOf = ({ _id, userName }: (typeof people)[number]) =>
    _id === user?._id ? t('myself', { name: userName }) : userName;
  return (
    <Modal opened onClose={onClose} title={t('dialogs.handOver.title')} size="md">
      <form onSubmit={submit} noValidate>
        <Stack gap="md">
          <Select
            label={t('dialogs.handOver.to')}
            placeholder={t('dialogs.handOver.choose')}
            value={to}
            onChange={setTo}
            searchable
            required
            data-autofocus
            data={[
              ...people.map((person) => ({ value: person._id, label: nameOf(person) })),
              ...(seen.assignee ? [{ value: toEverybody, label: t('everybody') }] : []),
            ]}
          />
          <Textarea
            label={t('dialogs.handOver.note')}
            value={note}
            maxLength={1_000}
            autosize
            minRows={2}
            onChange={({ currentTarget }) => setNote(currentTarget.value)}
          />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose} disabled={loading}>
              {t('cancel')}
            </Button>
            <Button type="submit" disabled={to === null} loading={loading}>
              {t('actions.handOver')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
