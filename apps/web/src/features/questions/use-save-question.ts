import { useApolloClient } from '@apollo/client/react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import {
  AskQuestionDocument,
  CreateTopicDocument,
  EditQuestionDocument,
  type QuestionDetailFragment,
  type SeenQuestion,
} from '../../generated/graphql';
import type { TopicChoice } from '../subjects/topic-field';
import { isBlankBody } from '../../components/rich-text/truncate';
import { useSavePost } from './use-save-post';

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

/** Makes the new topic, then stores the question. */
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
