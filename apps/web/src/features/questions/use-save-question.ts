import { useApolloClient } from '@apollo/client/react';
import { useState } from 'react';
import { flushSync } from 'react-dom';
import { useTranslation } from 'react-i18next';
import { toast } from '../../components/toast';
import {
  AskQuestionDocument,
  CreateTopicDocument,
  EditQuestionDocument,
  type QuestionDetailFragment,
  type SeenQuestion,
} from '../../generated/graphql';
import { errorText } from '../../lib/api/errors';
import { isLostSending } from '../../lib/api/unavailable';
import type { TopicChoice } from '../subjects/topic-field';
import { isBlankBody } from '../../components/rich-text/truncate';
import { useRereadIfRefused } from './use-question';

export interface QuestionDraft {
  title: string;
  subject: string | null;
  topic: TopicChoice | null;
  body: string;
  imageUrls: string[];
}

type Client = ReturnType<typeof useApolloClient>;

async function topicIdOf(client: Client, subject: string, topic: TopicChoice): Promise<string> {
  if ('_id' in topic) return topic._id;
  const { data } = await client.mutate({
    mutation: CreateTopicDocument,
    variables: { topicName: topic.newTopicName, subject },
  });
  return data?.createTopic._id ?? '';
}

/** Nothing written is nothing sent. */
function bodyOf({ body }: QuestionDraft): { body?: string } {
  return isBlankBody(body) ? {} : { body };
}

async function ask(client: Client, space: string, draft: QuestionDraft) {
  const { title, subject, topic, imageUrls } = draft;
  if (subject === null || topic === null) throw new Error('An incomplete draft was sent');
  const { data } = await client.mutate({
    mutation: AskQuestionDocument,
    variables: {
      space,
      subject,
      topic: await topicIdOf(client, subject, topic),
      title: title.trim(),
      imageUrls,
      ...bodyOf(draft),
    },
  });
  // Stored but not readable yet: the list shows it as soon as it is.
  return data?.createQuestion?._id ?? '';
}

interface Edited {
  readonly id: string;
  /** As it was when its author began to edit it. */
  readonly seen: SeenQuestion;
}

async function edit(client: Client, { id, seen }: Edited, draft: QuestionDraft) {
  const { title, imageUrls } = draft;
  await client.mutate({
    mutation: EditQuestionDocument,
    variables: { id, title: title.trim(), imageUrls, body: bodyOf(draft).body ?? '', seen },
  });
  return id;
}

const editedOf = ({ _id, title, body, imageUrls }: QuestionDetailFragment): Edited => ({
  id: _id,
  seen: { title, body, imageUrls },
});

/** Waits for the images, makes the new topic, then stores the question. Returns its id and what was sent, or nothing where a step failed. */
export function useSaveQuestion(space: string, question: QuestionDetailFragment | undefined) {
  const { t } = useTranslation('ask', { keyPrefix: 'form' });
  const client = useApolloClient();
  const rereadIfRefused = useRereadIfRefused();
  const [isSaving, setIsSaving] = useState(false);
  const [isSending, setIsSending] = useState(false);
  const [isUnsent, setIsUnsent] = useState(false);
  const [edited] = useState(() => question && editedOf(question));
  const save = async (
    ready: () => Promise<{ written: QuestionDraft; body: string; imageUrls: string[] }>,
  ): Promise<{ id: string; sent: QuestionDraft } | undefined> => {
    setIsSaving(true);
    setIsUnsent(false);
    try {
      const { written, body, imageUrls } = await ready();
      // At once, so that no key comes between what is read and what is closed.
      flushSync(() => setIsSending(true));
      const sent = { ...written, body, imageUrls };
      const id = edited === undefined ? await ask(client, space, sent) : await edit(client, edited, sent);
      toast.success(t(edited === undefined ? 'questionAdded' : 'questionUpdated'));
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
