import { useApolloClient, useMutation, useQuery } from '@apollo/client/react';
import { Button, Group, Modal, Select, Stack, Textarea } from '@mantine/core';
import { useState, type FormEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { toast } from '../../components/toast';
import {
  HandOverReportsDocument,
  SpaceModeratorsDocument,
  type ModerationCaseFragment,
} from '../../generated/graphql';
import { useAuthUser } from '../../lib/auth-storage';
import { errorCode, errorText } from '../../lib/errors';
import { useFocusReturn } from '../../lib/use-focus-return';

const toEverybody = '';

interface HandOverDialogProps {
  seen: ModerationCaseFragment;
  onClose: () => void;
  onDone: () => void;
}

/** To a colleague of the space, to oneself, or back to everybody. */
export function HandOverDialog({ seen, onClose, onDone }: HandOverDialogProps) {
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
