import { useMutation, useQuery } from '@apollo/client/react';
import { Button, Checkbox, Group, List, Modal, PasswordInput, Stack, Text, Title } from '@mantine/core';
import { useState, type FormEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { ErrorNotice } from '../../../components/error-notice';
import { FormAlert } from '../../../components/form-alert';
import { SkeletonRows } from '../../../components/skeletons';
import { PendingErasure } from '../../../features/own-erasure/pending-erasure';
import { DeleteOwnAccountDocument, OwnErasureDocument } from '../../../generated/graphql';
import { useFocusReturn } from '../../../lib/use-focus-return';
import { usePending } from '../../../lib/use-pending';
import classes from './settings.module.css';

const GOES = ['profile', 'access', 'pictures', 'words'] as const;
const STAYS = ['votes', 'threads', 'votesOfOthers'] as const;

/** To leave for good, and to change one's mind for a week. */
export function DeleteAccountTab() {
  const { t } = useTranslation('settings', { keyPrefix: 'deletion' });
  const { data, error, refetch } = useQuery(OwnErasureDocument, { fetchPolicy: 'network-only' });
  if (error) return <ErrorNotice error={error} onRetry={() => void refetch()} />;
  if (!data) return <SkeletonRows count={3} height={48} />;
  return (
    <section className={classes.card} aria-labelledby="settings-deletion">
      <Title order={2} size="h3" id="settings-deletion" mb="md">
        {t('title')}
      </Title>
      {data.getOwnErasure ? (
        <PendingErasure erasure={data.getOwnErasure} onKept={() => void refetch()} />
      ) : (
        <DeletionForm onAsked={() => void refetch()} />
      )}
    </section>
  );
}

function DeletionForm({ onAsked }: { onAsked: () => void }) {
  const { t } = useTranslation('settings', { keyPrefix: 'deletion' });
  const [withWords, setWithWords] = useState(false);
  const [isAsked, setIsAsked] = useState(false);
  return (
    <Stack gap="md">
      <Text>{t('lead')}</Text>
      <Points title={t('goes')} points={GOES.map((point) => t(`goesOf.${point}`))} />
      <Points title={t('stays')} points={STAYS.map((point) => t(`staysOf.${point}`))} />
      <Checkbox
        label={t('withWords')}
        description={t('withWordsHint')}
        checked={withWords}
        onChange={({ currentTarget: { checked } }) => setWithWords(checked)}
      />
      <Group>
        <Button color="red" variant="outline" onClick={() => setIsAsked(true)}>
          {t('delete')}
        </Button>
      </Group>
      <ConfirmDialog
        opened={isAsked}
        withWords={withWords}
        onClose={() => setIsAsked(false)}
        onAsked={onAsked}
      />
    </Stack>
  );
}

function Points({ title, points }: { title: string; points: readonly string[] }) {
  return (
    <div>
      <Text fw={600}>{title}</Text>
      <List>
        {points.map((point) => (
          <List.Item key={point}>{point}</List.Item>
        ))}
      </List>
    </div>
  );
}

interface ConfirmDialogProps {
  opened: boolean;
  withWords: boolean;
  onClose: () => void;
  onAsked: () => void;
}

/** Asked a second time, with the password. */
function ConfirmDialog({ opened, withWords, onClose, onAsked }: ConfirmDialogProps) {
  const { t } = useTranslation(['settings', 'shell']);
  const [ask] = useMutation(DeleteOwnAccountDocument);
  const [password, setPassword] = useState('');
  const { isPending, error, run } = usePending();
  useFocusReturn(opened);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void run(async () => {
      await ask({ variables: { password, withWords } });
      setPassword('');
      onClose();
      onAsked();
    });
  };
  return (
    <Modal opened={opened} onClose={onClose} title={t('deletion.confirm.title')}>
      <form onSubmit={submit}>
        <Stack>
          <Text>{t(withWords ? 'deletion.confirm.textWithWords' : 'deletion.confirm.text')}</Text>
          {error !== undefined && <FormAlert kind="error">{error}</FormAlert>}
          <PasswordInput
            label={t('deletion.confirm.password')}
            autoComplete="current-password"
            value={password}
            onChange={({ currentTarget: { value } }) => setPassword(value)}
          />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {t('shell:action.cancel')}
            </Button>
            <Button type="submit" color="red" loading={isPending} disabled={password === ''}>
              {t('deletion.confirm.submit')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
