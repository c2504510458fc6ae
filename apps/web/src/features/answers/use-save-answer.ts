import { useApolloClient } from '@apollo/client/react';
import { useState } from 'react';
import { flushSync } from 'react-dom';
import { useTranslation } from 'react-i18next';
import { toast } from '../../components/toast';
import { AddAnswerDocument, EditAnswerDocument, type AnswerDetailFragment } from '../../generated/graphql';
import { errorText } from '../../lib/api/errors';
import { isLostSending } from '../../lib/api/unavailable';
import { useRereadIfRefused } from '../questions/use-question';

/** Sends what is the reader's own, and sees to it that its arrival is not announced as somebody else's. */
export type SendOwn = <Sent>(send: () => Promise<Sent>) => Promise<Sent>;

interface WrittenAnswer {
  body: string;
  imageUrls: string[];
}

/** Waits for the images, then stores the answer. Returns what was sent with its id, or nothing where a step failed. */
export function useSaveAnswer(
  questionId: string,
  answer: AnswerDetailFragment | undefined,
  sendOwn: SendOwn,
) {
  const { t } = useTranslation('ask', { keyPrefix: 'form' });
  const client = useApolloClient();
  const rereadIfRefused = useRereadIfRefused();
  const [isSaving, setIsSaving] = useState(false);
  const [isSending, setIsSending] = useState(false);
  const [isUnsent, setIsUnsent] = useState(false);
  // As it was when its author began to edit it.
  const [edited] = useState(answer);
  const save = async (
    ready: () => Promise<WrittenAnswer>,
  ): Promise<{ id: string | undefined; sent: WrittenAnswer } | undefined> => {
    setIsSaving(true);
    setIsUnsent(false);
    try {
      const sent = await ready();
      // At once, so that no key comes between what is read and what is closed.
      flushSync(() => setIsSending(true));
      const { body, imageUrls } = sent;
      let id = edited?._id;
      if (edited === undefined) {
        const variables = { questionId, body, imageUrls };
        const { data } = await sendOwn(() => client.mutate({ mutation: AddAnswerDocument, variables }));
        // Stored but not readable yet: the list shows it as soon as it is.
        id = data?.createAnswer?._id;
      } else {
        const seen = { body: edited.body, imageUrls: edited.imageUrls };
        const variables = { id: edited._id, body, imageUrls, seen };
        await client.mutate({ mutation: EditAnswerDocument, variables });
      }
      toast.success(t(edited === undefined ? 'answerAdded' : 'answerUpdated'));
      return { id, sent };
    } catch (error) {
      const isLost = isLostSending(error);
      setIsUnsent(isLost);
      if (!isLost) toast.error(errorText(error));
      rereadIfRefused(error);
      return undefined;
    } finally {
      setIsSaving(false);
      setIsSending(false);
    }
  };
  return { save, isSaving, isSending, isUnsent };
}
