import { useMutation } from '@apollo/client/react';
import { Alert, Button } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { FormAlert } from '../../components/notices';
import { KeepOwnAccountDocument, type OwnErasureQuery } from '../../generated/graphql';
import { usePending } from '../../lib/api/errors';

interface PendingErasureProps {
  erasure: NonNullable<OwnErasureQuery['getOwnErasure']>;
  onKept: () => void;
}

/** When the account will be deleted, and a button to keep it. */
export function PendingErasure({ erasure, onKept }: PendingErasureProps) {
  const { t, i18n } = useTranslation('settings', { keyPrefix: 'deletion' });
  const [keep] = useMutation(KeepOwnAccountDocument);
  const { isPending, error, run } = usePending();
  const day = new Intl.DateTimeFormat(i18n.language, { dateStyle: 'long', timeStyle: 'short' });
  const text = t(erasure.withPosts ? 'pendingWithPosts' : 'pending', {
    at: day.format(new Date(erasure.dueAt)),
  });
  return (
    <Alert role="status" color="orange" variant="light" title={text}>
      {error !== undefined && <FormAlert kind="error">{error}</FormAlert>}
      <Button
        mt="sm"
        loading={isPending}
        onClick={() =>
          void run(async () => {
            await keep();
            onKept();
          })
        }
      >
        {t('keep')}
      </Button>
    </Alert>
  );
}
