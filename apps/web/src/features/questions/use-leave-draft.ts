import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { hideUndo, showUndo } from '../../components/undo-toast';
import type { Draft } from './use-draft';

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
