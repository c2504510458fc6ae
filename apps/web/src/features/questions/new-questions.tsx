import { Button } from '@mantine/core';
import { useTranslation } from 'react-i18next';

/** The list stands still while one reads it: what is new is announced above it, and shown when asked for. */
export function NewQuestions({ count, onShow }: { count: number; onShow: () => void }) {
  const { t } = useTranslation('ask', { keyPrefix: 'list' });
  return (
    <div role="status">
      {count > 0 && (
        <Button variant="light" size="compact-md" fz="sm" fullWidth mb="xs" onClick={onShow}>
          {t('new', { count })}
        </Button>
      )}
    </div>
  );
}
