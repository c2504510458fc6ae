import { Alert, Button, Group } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { Sent } from './use-attempts';

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
