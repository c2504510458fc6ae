import { useMutation } from '@apollo/client/react';
import { Button, Group, Modal, Stack, Text, Textarea } from '@mantine/core';
import { useState, type FormEvent, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { FormAlert } from '../../components/form-alert';
import { toast } from '../../components/toast';
import {
  RequestEntryDocument,
  WithdrawEntryRequestDocument,
  type SpaceCardFragment,
} from '../../generated/graphql';
import { errorText } from '../../lib/errors';
import { useFocusReturn } from '../../lib/use-focus-return';

interface EntryDialogProps {
  space: SpaceCardFragment;
  onClose: () => void;
}

const TEXT_MAX = 500;

/** How one gets into a space that is not open. */
export function EntryDialog(props: EntryDialogProps) {
  const { entry, request } = props.space;
  if (request === 'OPEN') return <WaitingDialog {...props} />;
  // Also by invitation: whom a moderator removed may ask to come back, which only the api knows.
  return entry === 'REQUEST' ? <RequestDialog {...props} /> : <InvitationDialog {...props} />;
}

function RequestDialog({ space, onClose }: EntryDialogProps) {
  const { t } = useTranslation('spaces');
  const [text, setText] = useState('');
  const [failure, setFailure] = useState<string>();
  const [send, { loading }] = useMutation(RequestEntryDocument, {
    onCompleted: () => {
      toast.success(t('entry.sent'));
      onClose();
    },
    onError: (error) => setFailure(errorText(error)),
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void send({ variables: { spaceId: space._id, text } });
  };
  return (
    <Frame title={t('entry.title', { name: space.name })} onClose={onClose}>
      <form onSubmit={submit} noValidate>
        <Stack gap="md">
          {failure !== undefined && <FormAlert kind="error">{failure}</FormAlert>}
          {space.request === 'REFUSED' && (
            <Text c="dimmed">
              {space.requestReason
                ? t('entry.refusedBecause', { reason: space.requestReason })
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
            maxLength={TEXT_MAX}
            data-autofocus
            value={text}
            onChange={(event) => setText(event.currentTarget.value)}
          />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose} disabled={loading}>
              {t('join.cancel')}
            </Button>
            <Button type="submit" loading={loading}>
              {t('entry.send')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Frame>
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
