import { useApolloClient } from '@apollo/client/react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { toast } from '../../components/toast';
import { AskQuestionDocument, CreateTopicDocument, EditQuestionDocument } from '../../generated/graphql';
import { errorText } from '../../lib/errors';
import type { TopicChoice } from '../subjects/topic-field';
import { plainText } from './truncate';
import type { QuestionDraft } from './use-question-draft';

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
  return plainText(body) === '' ? {} : { body };
}

async function ask(client: Client, space: string, draft: QuestionDraft, imageUrls: string[]) {
  const { title, subject, topic } = draft;
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

async function edit(client: Client, id: string, draft: QuestionDraft, imageUrls: string[]) {
  await client.mutate({
    mutation: EditQuestionDocument,
    variables: { id, title: draft.title.trim(), imageUrls, body: bodyOf(draft).body ?? '' },
  });
  return id;
}

/** Waits for the images, makes the new topic, then stores the question. Returns its id, or nothing where a step failed. */
export function useSaveQuestion(space: string, questionId: string | undefined) {
  const { t } = useTranslation('ask', { keyPrefix: 'form' });
  const client = useApolloClient();
  const [isSaving, setIsSaving] = useState(false);
  const save = async (
    draft: QuestionDraft,
    uploaded: () => Promise<string[]>,
  ): Promise<string | undefined> => {
    setIsSaving(true);
    try {
      const imageUrls = await uploaded();
      const id =
        questionId === undefined
          ? await ask(client, space, draft, imageUrls)
          : await edit(client, questionId, draft, imageUrls);
      toast.success(t(questionId === undefined ? 'questionAdded' : 'questionUpdated'));
      return id;
    } catch (error) {
      toast.error(errorText(error));
      return undefined;
    } finally {
      setIsSaving(false);
    }
  };
  return { save, isSaving };
}
