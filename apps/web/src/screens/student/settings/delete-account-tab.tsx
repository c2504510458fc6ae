import { useMutation, useQuery } from '@apollo/client/react';
import { Button, Checkbox, Group, List, PasswordInput, Stack, Text, Title } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ErrorNotice } from '../../../components/notices';
import { FormDialog } from '../../../components/dialogs';
import { SkeletonRows } from '../../../components/skeletons';
import { PendingErasure } from '../../../features/own-erasure/pending-erasure';
import { DeleteOwnAccountDocument, OwnErasureDocument } from '../../../generated/graphql';
import classes from './settings.module.css';

const DELETED = ['profile', 'access', 'pictures', 'posts'] as const;
const KEPT = ['votes', 'threads', 'votesOfOthers'] as const;

/** Deletes the account after a week; until then it can be kept. */
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
        <DeletionForm onRequested={() => void refetch()} />
      )}
    </section>
  );
}

function DeletionForm({ onRequested }: { onRequested: () => void }) {
  const { t } = useTranslation('settings', { keyPrefix: 'deletion' });
  const [withPosts, setWithPosts] = useState(false);
  const [isConfirming, setIsConfirming] = useState(false);
  return (
    <Stack gap="md">
      <Text>{t('lead')}</Text>
      <Points title={t('deleted')} points={DELETED.map((point) => t(`deletedItems.${point}`))} />
      <Points title={t('kept')} points={KEPT.map((point) => t(`keptItems.${point}`))} />
      <Checkbox
        label={t('withPosts')}
        description={t('withPostsHint')}
        checked={withPosts}
        onChange={({ currentTarget: { checked } }) => setWithPosts(checked)}
      />
      <Group>
        <Button color="red" variant="outline" onClick={() => setIsConfirming(true)}>
          {t('delete')}
        </Button>
      </Group>
      {isConfirming && (
        <DeletionDialog
          withPosts={withPosts}
          onClose={() => setIsConfirming(false)}
          onRequested={onRequested}
        />
      )}
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

interface DeletionDialogProps {
  withPosts: boolean;
  onClose: () => void;
  onRequested: () => void;
}

/** Asks for confirmation and the password. */
function DeletionDialog({ withPosts, onClose, onRequested }: DeletionDialogProps) {
  const { t } = useTranslation('settings', { keyPrefix: 'deletion.confirm' });
  const [ask] = useMutation(DeleteOwnAccountDocument);
  const [password, setPassword] = useState('');
  const submit = async () => {
    await ask({ variables: { password, withPosts } });
    onClose();
    onRequested();
  };
  return (
    <FormDialog
      title={t('title')}
      submitLabel={t('submit')}
      danger
      isIncomplete={password === ''}
      closeOnClickOutside
      onSubmit={submit}
      onClose={onClose}
    >
      <Text>{t(withPosts ? 'textWithPosts' : 'text')}</Text>
      <PasswordInput
        label={t('password')}
        autoComplete="current-password"
        value={password}
        onChange={({ currentTarget: { value } }) => setPassword(value)}
      />
    </FormDialog>
  );
}
