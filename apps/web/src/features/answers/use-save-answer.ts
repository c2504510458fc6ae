import { useApolloClient } from '@apollo/client/react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { toast } from '../../components/toast';
import { AddAnswerDocument, EditAnswerDocument } from '../../generated/graphql';
import { errorText } from '../../lib/errors';

/** Waits for the images, then stores the answer. Says whether it worked. */
export function useSaveAnswer(questionId: string, answerId: string | undefined) {
  const { t } = useTranslation('ask', { keyPrefix: 'form' });
  const client = useApolloClient();
  const [isSaving, setIsSaving] = useState(false);
  const save = async (body: string, uploaded: () => Promise<string[]>): Promise<boolean> => {
    setIsSaving(true);
    try {
      const imageUrls = await uploaded();
      if (answerId === undefined) {
        await client.mutate({ mutation: AddAnswerDocument, variables: { questionId, body, imageUrls } });
      } else {
        await client.mutate({ mutation: EditAnswerDocument, variables: { id: answerId, body, imageUrls } });
      }
      toast.success(t(answerId === undefined ? 'answerAdded' : 'answerUpdated'));
      return true;
    } catch (error) {
      toast.error(errorText(error));
      return false;
    } finally {
      setIsSaving(false);
    }
  };
  return { save, isSaving };
}
