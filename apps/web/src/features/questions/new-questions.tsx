import { Button } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import classes from './question-list.module.css';

/** The list stands still while one reads it: what is new is announced beside its heading, and shown when asked for. */
export function NewQuestions({ count, onShow }: { count: number; onShow: () => void }) {
  const { t } = useTranslation('ask', { keyPrefix: 'list' });
  return (
    <div role="status" className={classes.new}>
      {count > 0 && (
        <Button variant="light" size="compact-sm" onClick={onShow}>
          {t('new', { count })}
        </Button>
      )}
    </div>
  );
}
