import { useState } from 'react';
import { flushSync } from 'react-dom';
import { useApolloClient } from '@apollo/client/react';
import { useTranslation } from 'react-i18next';
import { toast } from '../../components/toast';
import { errorText } from '../../lib/api/errors';
import { isOfflineError } from '../../lib/api/unavailable';
import { useRefetchIfRefused } from './use-question';
import {
  AskQuestionDocument,
  CreateTopicDocument,
  EditQuestionDocument,
  type QuestionDetailFragment,
  type SeenQuestion,
} from '../../generated/graphql';
import type { TopicChoice } from '../subjects/topic-field';
import { isBlankBody } from '../../components/rich-text/truncate';

/** Waits for images, then saves a post. `save` returns its ID and what was sent, or undefined on failure. */
export function useSavePost<Content, Id>(store: (content: Content) => Promise<Id>, saved: string) {
  const refetchIfRefused = useRefetchIfRefused();
  const [isSaving, setIsSaving] = useState(false);
  const [isSending, setIsSending] = useState(false);
  const [isUnsent, setIsUnsent] = useState(false);
  const save = async (ready: () => Promise<Content>): Promise<{ id: Id; sent: Content } | undefined> => {
    setIsSaving(true);
    setIsUnsent(false);
    try {
      const sent = await ready();
      // Synchronous, so that no key is lost between reading the text and locking the fields.
      flushSync(() => setIsSending(true));
      const id = await store(sent);
      toast.success(saved);
      return { id, sent };
    } catch (error) {
      const isLost = isOfflineError(error);
      setIsUnsent(isLost);
      if (!isLost) toast.error(errorText(error));
      refetchIfRefused(error);
      return undefined;
    } finally {
      setIsSaving(false);
      setIsSending(false);
    }
  };
  return { save, isSaving, isSending, isUnsent };
}

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

/** Omits a blank body. */
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
  // Null while the projection lags; the list shows the question once it is readable.
  return data?.createQuestion?._id ?? '';
}

interface Edited {
  readonly id: string;
  /** The version that the author started from. */
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

/** Creates a new topic if needed, then saves the question. */
export function useSaveQuestion(space: string, question: QuestionDetailFragment | undefined) {
  const { t } = useTranslation('ask', { keyPrefix: 'form' });
  const client = useApolloClient();
  const [edited] = useState(() => question && editedOf(question));
  return useSavePost(
    (draft: QuestionDraft) =>
      edited === undefined ? ask(client, space, draft) : edit(client, edited, draft),
    t(edited === undefined ? 'questionAdded' : 'questionUpdated'),
  );
}
