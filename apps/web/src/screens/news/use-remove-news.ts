import { useApolloClient } from '@apollo/client/react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { toast } from '../../components/toast';
import { showUndo } from '../../components/undo-toast';
import { RemoveNewsDocument, RestoreNewsDocument } from '../../generated/graphql';
import { errorText } from '../../lib/errors';

/** Takes a post out of sight, and back when asked within some seconds. */
export function useRemoveNews(onChanged: () => void) {
  const { t } = useTranslation('news');
  const client = useApolloClient();
  const [isRemoving, setIsRemoving] = useState(false);
  const restore = async (id: string) => {
    try {
      await client.mutate({ mutation: RestoreNewsDocument, variables: { id } });
      onChanged();
      toast.success(t('restored'));
    } catch (error) {
      toast.error(errorText(error));
    }
  };
  const remove = async (id: string): Promise<void> => {
    setIsRemoving(true);
    try {
      await client.mutate({ mutation: RemoveNewsDocument, variables: { id } });
      onChanged();
      showUndo({ message: t('removed'), label: t('undo'), onUndo: () => void restore(id) });
    } catch (error) {
      toast.error(errorText(error));
    } finally {
      setIsRemoving(false);
    }
  };
  return { remove, isRemoving };
}
