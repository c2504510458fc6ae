import { useApolloClient } from '@apollo/client/react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { AddAnswerDocument, EditAnswerDocument, type AnswerDetailFragment } from '../../generated/graphql';
import { useSavePost } from '../questions/use-save-post';

/** Sends what is the reader's own, and sees to it that its arrival is not announced as somebody else's. */
export type SendOwn = <Sent>(send: () => Promise<Sent>) => Promise<Sent>;

interface WrittenAnswer {
  body: string;
  imageUrls: string[];
}

export function useSaveAnswer(
  questionId: string,
  answer: AnswerDetailFragment | undefined,
  sendOwn: SendOwn,
) {
  const { t } = useTranslation('ask', { keyPrefix: 'form' });
  const client = useApolloClient();
  // As it was when its author began to edit it.
  const [edited] = useState(answer);
  const store = async ({ body, imageUrls }: WrittenAnswer): Promise<string | undefined> => {
    if (edited === undefined) {
      const variables = { questionId, body, imageUrls };
      const { data } = await sendOwn(() => client.mutate({ mutation: AddAnswerDocument, variables }));
      // Stored but not readable yet: the list shows it as soon as it is.
      return data?.createAnswer?._id;
    }
    const seen = { body: edited.body, imageUrls: edited.imageUrls };
    const variables = { id: edited._id, body, imageUrls, seen };
    await client.mutate({ mutation: EditAnswerDocument, variables });
    return edited._id;
  };
  return useSavePost(store, t(edited === undefined ? 'answerAdded' : 'answerUpdated'));
}
