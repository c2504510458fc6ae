import { Alert, Button, Group } from '@mantine/core';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { hideUndo, showUndo } from '../../components/undo-toast';
import type { Draft } from './drafts';

/** Says that what was written before a reload is back. */
export function DraftNotice({ onDiscard }: { onDiscard: () => void }) {
  const { t } = useTranslation('ask', { keyPrefix: 'form' });
  return (
    <Alert variant="light" py="xs" role="status">
      <Group justify="space-between">
        {t('draftRestored')}
        <Button variant="subtle" size="compact-sm" onClick={onDiscard}>
          {t('discardDraft')}
        </Button>
      </Group>
    </Alert>
  );
}

/** Says that another tab sent what was written here, or an earlier version of it. */
export function SentNotice({ sent }: { sent: Sent }) {
  const { t } = useTranslation('ask', { keyPrefix: 'form' });
  return (
    <Alert variant="light" py="xs" role="status">
      {t(sent === 'all' ? 'sentElsewhere' : 'sentBefore')}
    </Alert>
  );
}

/** How much of what is written another tab has sent. */
export type Sent = 'all' | 'part';

/**
 * A draft that is discarded leaves an empty form, not a closed one: another attempt is another form. So does one that another
 * tab has sent.
 *
 * @param closeEdit closes the edit of a post, which shows by then what was sent
 */
export function useAttempts(closeEdit: (() => void) | undefined) {
  const [{ attempt, sent }, setState] = useState<{ attempt: number; sent?: Sent }>({ attempt: 0 });
  return {
    attempt,
    sent,
    restart: () => setState((before) => ({ attempt: before.attempt + 1 })),
    noteSent: (isAll: boolean) => {
      if (isAll && closeEdit) closeEdit();
      else
        setState((before) => ({
          attempt: before.attempt + (isAll ? 1 : 0),
          sent: isAll ? 'all' : 'part',
        }));
    },
  };
}

/**
 * Leaves a composer: what was written stays, and a message says so and offers to discard it.
 *
 * @param key of the draft: the message goes when the composer is opened again
 */
export function useLeaveDraft(key: string, draft: Pick<Draft<object>, 'isKept' | 'discard'>) {
  const { t } = useTranslation('ask', { keyPrefix: 'form' });
  useEffect(() => hideUndo(key), [key]);
  return (close: () => void) => {
    if (draft.isKept())
      showUndo({ id: key, message: t('draftKept'), label: t('discard'), onUndo: () => draft.discard() });
    close();
  };
}

/** Stands with a text that the connection kept from being sent. */
export function UnsentNotice() {
  const { t } = useTranslation('connection');
  return (
    <Alert color="yellow" variant="light" py="xs" my="xs" role="status">
      {t('unsent')}
    </Alert>
  );
}
