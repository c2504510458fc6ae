import type { TypedDocumentNode } from '@apollo/client';
import { useApolloClient, useMutation, useQuery } from '@apollo/client/react';
import { Radio, Select, Stack, Textarea } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { FormDialog, ReasonDialog } from '../../../components/dialogs';
import { toast } from '../../../components/toast';
import {
  BlockStudentDocument,
  type BlockStudentMutationVariables,
  DismissReportsDocument,
  HandOverReportsDocument,
  type Penalty,
  PenaltyEffectsDocument,
  ReverseUpholdingDocument,
  SpaceModeratorsDocument,
  UnblockStudentDocument,
  UpholdReportsDocument,
  type ModerationCaseFragment,
} from '../../../generated/graphql';
import { useAuthUser } from '../../../lib/auth-storage';
import { errorRule, errorText } from '../../../lib/api/errors';
import { shownName } from '../../../lib/api/erased';
import { signedNumber } from '../../../lib/format';

export type ReasonedAction = 'uphold' | 'dismiss' | 'reverse' | 'block' | 'unblock';

interface ActionDialogProps {
  action: ReasonedAction;
  /** The case as it was when the dialog was opened. */
  seen: ModerationCaseFragment;
  /** The text of a decision that was refused because the case had changed. */
  draft: string;
  onClose: () => void;
  onDecided: () => void;
  /** Closes the dialog and keeps its text for the next try. */
  onConflict: (text: string) => void;
}

/** Confirms a decision. Every decision but unblocking requires a reason. */
export function ActionDialog(props: ActionDialogProps) {
  const { action, seen, draft, onClose } = props;
  const { t } = useTranslation('moderation');
  const [penalty, setPenalty] = useState<Penalty>('RULES');
  const run = useAction({ ...props, penalty });
  const needsReason = action !== 'unblock';
  return (
    <ReasonDialog
      title={t(`dialogs.${action}.title`, { name: shownName(seen.author) })}
      text={t(`dialogs.${action}.text`)}
      label={t(needsReason ? 'reason' : 'reasonOptional')}
      hint={t(`dialogs.${action}.hint`)}
      missing={t('reasonMissing')}
      isOptional={!needsReason}
      initialReason={draft}
      submitLabel={t(`actions.${action}`)}
      danger={action === 'uphold' || action === 'block'}
      closeOnClickOutside
      onSubmit={run}
      onClose={onClose}
    >
      {action === 'uphold' && <PenaltyField postId={seen._id} value={penalty} onChange={setPenalty} />}
    </ReasonDialog>
  );
}

const penalties = ['RULES', 'NONE', 'FULL'] as const satisfies readonly Penalty[];

interface PenaltyFieldProps {
  postId: string;
  value: Penalty;
  onChange: (penalty: Penalty) => void;
}

/** Each penalty, with the points that it would move now. */
function PenaltyField({ postId, value, onChange }: PenaltyFieldProps) {
  const { t, i18n } = useTranslation('moderation');
  const { data } = useQuery(PenaltyEffectsDocument, { variables: { postId }, fetchPolicy: 'network-only' });
  const labelOf = (penalty: Penalty): string => {
    const effect = data?.getModerationCase.penaltyEffects.find((one) => one.penalty === penalty);
    const label = t(`penalty.${penalty}`);
    return effect ? `${label} (${signedNumber(effect.points, i18n.language)})` : label;
  };
  return (
    <Radio.Group
      label={t('penalty.label')}
      description={t('penalty.hint')}
      value={value}
      onChange={(next) => onChange(next as Penalty)}
    >
      <Stack gap="xs" mt="xs">
        {penalties.map((penalty) => (
          <Radio key={penalty} value={penalty} label={labelOf(penalty)} />
        ))}
      </Stack>
    </Radio.Group>
  );
}

type Blocking = TypedDocumentNode<unknown, BlockStudentMutationVariables>;
const blockDocuments: Record<'block' | 'unblock', Blocking> = {
  block: BlockStudentDocument,
  unblock: UnblockStudentDocument,
};
const decisionDocuments = {
  uphold: UpholdReportsDocument,
  dismiss: DismissReportsDocument,
  reverse: ReverseUpholdingDocument,
} as const;

function useAction(props: ActionDialogProps & { penalty: Penalty }) {
  const { action, seen, penalty, onClose, onDecided, onConflict } = props;
  const { t } = useTranslation('moderation');
  const showFailure = useShowFailure(onConflict);
  const { _id: postId, revision, openReports, author, spaceId } = seen;
  const isBlocking = action === 'block' || action === 'unblock';
  const [block] = useMutation(blockDocuments[isBlocking ? action : 'block'], {
    refetchQueries: ['ModerationCase'],
  });
  const [decide] = useMutation(decisionDocuments[isBlocking ? 'uphold' : action], {
    refetchQueries: ['ModerationQueue'],
  });
  return async (reason: string): Promise<void> => {
    try {
      if (isBlocking) await block({ variables: { studentId: author?._id ?? '', space: spaceId, reason } });
      else await decide({ variables: { postId, reason, seen: { revision, openReports }, penalty } });
      toast.success(t(`done.${action}`, { name: shownName(author) }));
      onClose();
      if (action === 'uphold' || action === 'dismiss') onDecided();
    } catch (error) {
      await showFailure(error, reason);
    }
  };
}

const UNASSIGNED = '';

/** Assigns the case to a moderator of the space, or unassigns it. */
export function AssignDialog(props: Omit<ActionDialogProps, 'action'>) {
  const { seen, draft, onClose, onDecided, onConflict } = props;
  const { t } = useTranslation('moderation');
  const user = useAuthUser();
  const [to, setTo] = useState<string | null>(null);
  const [note, setNote] = useState(draft);
  const { data } = useQuery(SpaceModeratorsDocument, { variables: { space: seen.spaceId } });
  const people = (data?.getSpaceModerators ?? []).filter(
    ({ _id }) => _id !== seen.assignee?._id && _id !== seen.author?._id,
  );
  const showFailure = useShowFailure(onConflict);
  const [handOver] = useMutation(HandOverReportsDocument, {
    refetchQueries: ['ModerationQueue'],
    onCompleted: () => {
      toast.success(t('done.handOver'));
      onClose();
      if (to !== user?._id) onDecided();
    },
    onError: (error) => void showFailure(error, note),
  });
  const { _id: postId, revision, openReports } = seen;
  const toModeratorId = to === UNASSIGNED ? null : to;
  const nameOf = ({ _id, userName }: (typeof people)[number]) =>
    _id === user?._id ? t('me', { name: userName }) : userName;
  return (
    <FormDialog
      title={t('dialogs.handOver.title')}
      submitLabel={t('actions.handOver')}
      isIncomplete={to === null}
      closeOnClickOutside
      onSubmit={() =>
        handOver({ variables: { postId, toModeratorId, note, seen: { revision, openReports } } })
      }
      onClose={onClose}
    >
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
          ...(seen.assignee ? [{ value: UNASSIGNED, label: t('everyone') }] : []),
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
    </FormDialog>
  );
}

/** Rules that refuse a decision on an outdated case. */
const outdatedRules: ReadonlySet<string | undefined> = new Set([
  'CASE_ALREADY_DECIDED',
  'CASE_CHANGED',
  'NOTHING_REPORTED',
  'NOT_UPHELD',
]);

/** If the case has changed, closes the dialog and refetches, so that the case shows who changed it. */
function useShowFailure(onConflict: (text: string) => void) {
  const { t } = useTranslation('moderation');
  const client = useApolloClient();
  return async (error: unknown, text: string): Promise<void> => {
    const isConflict = outdatedRules.has(errorRule(error));
    toast.error(isConflict ? t('conflict') : errorText(error));
    if (!isConflict) return;
    onConflict(text);
    await client.refetchQueries({ include: ['ModerationQueue', 'ModerationCase'] });
  };
}
