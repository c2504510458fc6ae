import { useMutation } from '@apollo/client/react';
import { Button, Group, Modal, Text, Textarea } from '@mantine/core';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { FormDialog } from '../../../components/dialogs';
import { toast } from '../../../components/toast';
import {
  RequestEntryDocument,
  type SpaceCardFragment,
  WithdrawEntryRequestDocument,
} from '../../../generated/graphql';
import { errorText } from '../../../lib/api/errors';
import { useFocusReturn } from '../../../lib/browser/focus';

interface EntryDialogProps {
  space: SpaceCardFragment;
  onClose: () => void;
}

const MAX_TEXT = 500;

/** How to get into a space that is not open. */
export function EntryDialog(props: EntryDialogProps) {
  const { entry, request } = props.space;
  if (request === 'OPEN') return <WaitingDialog {...props} />;
  // Also by invitation: a removed student may ask to rejoin, which only the API knows.
  return entry === 'REQUEST' ? <RequestDialog {...props} /> : <InvitationDialog {...props} />;
}

function RequestDialog({ space, onClose }: EntryDialogProps) {
  const { t } = useTranslation('spaces');
  const [text, setText] = useState('');
  const [send] = useMutation(RequestEntryDocument);
  const submit = async () => {
    await send({ variables: { spaceId: space._id, text } });
    toast.success(t('entry.sent'));
    onClose();
  };
  return (
    <FormDialog
      title={t('entry.title', { name: space.name })}
      submitLabel={t('entry.send')}
      size="sm"
      closeOnClickOutside
      onSubmit={submit}
      onClose={onClose}
    >
      {space.request === 'REFUSED' && (
        <Text c="dimmed">
          {space.requestReason
            ? t('entry.refusedWithReason', { reason: space.requestReason })
            : t('entry.refused')}
        </Text>
      )}
      <Text>{t('entry.lead')}</Text>
      <Textarea
        label={t('entry.text')}
        placeholder={t('entry.placeholder')}
        autosize
        minRows={2}
        maxRows={6}
        maxLength={MAX_TEXT}
        data-autofocus
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
      />
    </FormDialog>
  );
}

function WaitingDialog({ space, onClose }: EntryDialogProps) {
  const { t } = useTranslation('spaces');
  const [withdraw, { loading }] = useMutation(WithdrawEntryRequestDocument, {
    variables: { spaceId: space._id },
    onCompleted: () => {
      toast.success(t('entry.withdrawn'));
      onClose();
    },
    onError: (error) => toast.error(errorText(error)),
  });
  return (
    <Frame title={t('entry.waitingTitle')} onClose={onClose}>
      <Text>{t('entry.waitingText', { name: space.name })}</Text>
      <Group justify="flex-end" mt="lg">
        <Button variant="default" loading={loading} onClick={() => void withdraw()}>
          {t('entry.withdraw')}
        </Button>
        <Button onClick={onClose} data-autofocus>
          {t('entry.keep')}
        </Button>
      </Group>
    </Frame>
  );
}

function InvitationDialog({ space, onClose }: EntryDialogProps) {
  const { t } = useTranslation('spaces');
  return (
    <Frame title={t('entry.invitationTitle', { name: space.name })} onClose={onClose}>
      <Text>{t('entry.invitationText')}</Text>
      <Group justify="flex-end" mt="lg">
        <Button variant="default" onClick={onClose} data-autofocus>
          {t('entry.close')}
        </Button>
      </Group>
    </Frame>
  );
}

function Frame({ title, onClose, children }: { title: string; onClose: () => void; children: ReactNode }) {
  useFocusReturn();
  return (
    <Modal opened onClose={onClose} title={title} size="sm">
      {children}
    </Modal>
  );
}

/** Notifies the student of each accepted request and each consent while the spaces are on screen. */
export function useAcceptance(spaces: readonly SpaceCardFragment[] | undefined): void {
  const { t } = useTranslation(['spaces', 'consent']);
  const waiting = useRef<ReadonlySet<string>>(new Set());
  const asking = useRef<ReadonlySet<string>>(new Set());
  useEffect(() => {
    if (!spaces) return;
    for (const { _id, name, joined, consent } of spaces) {
      if (joined && waiting.current.has(_id)) toast.success(t('entry.accepted', { name }));
      if (!joined && consent?.guardian === 'GIVEN' && asking.current.has(_id))
        toast.success(t('consent:given', { name }));
    }
    asking.current = new Set(
      spaces.filter(({ consent }) => consent?.guardian === 'ASKED').map(({ _id }) => _id),
    );
    waiting.current = new Set(spaces.filter(({ request }) => request === 'OPEN').map(({ _id }) => _id));
  }, [spaces, t]);
}
