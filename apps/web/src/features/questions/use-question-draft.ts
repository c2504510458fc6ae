import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { QuestionDetailFragment } from '../../generated/graphql';
import { useAuthUser } from '../../lib/auth-storage';
import type { TopicChoice } from '../subjects/topic-field';
import { draftKey, useDraft } from './use-draft';

export interface QuestionDraft {
  title: string;
  subject: string | null;
  topic: TopicChoice | null;
  body: string;
  imageUrls: string[];
}

function draftOf(question: QuestionDetailFragment | undefined): QuestionDraft {
  return {
    title: question?.title ?? '',
    subject: question?.subject._id ?? null,
    topic: question?.topic ?? null,
    body: question?.body ?? '',
    imageUrls: question?.imageUrls ?? [],
  };
}

/** What keeps a draft from being sent, by field. */
function useDraftErrors({ title, subject, topic }: QuestionDraft, isTried: boolean, isTitleTouched: boolean) {
  const { t } = useTranslation('ask', { keyPrefix: 'form' });
  const isTitleMissing = title.trim() === '';
  return {
    isComplete: !isTitleMissing && subject !== null && topic !== null,
    title: isTitleMissing && (isTried || isTitleTouched) ? t('titleMissing') : undefined,
    subject: isTried && subject === null ? t('subjectMissing') : undefined,
    topic: isTried && topic === null ? t('topicMissing') : undefined,
  };
}

/** What is written of a question, kept over a reload, with what is missing once that is to be said. */
export function useQuestionDraft(
  space: string,
  question: QuestionDetailFragment | undefined,
  onSentElsewhere: (isAll: boolean) => void,
) {
  const studentId = useAuthUser()?._id ?? '';
  const place = question ? `question:${question._id}` : `space:${space}`;
  const key = draftKey(studentId, place);
  const draft = useDraft(key, draftOf(question), onSentElsewhere);
  const [isTried, setIsTried] = useState(false);
  const [isTitleTouched, setIsTitleTouched] = useState(false);
  const errors = useDraftErrors(draft.value, isTried, isTitleTouched);
  return {
    ...draft,
    key,
    errors,
    changeTitle: (title: string) => {
      setIsTitleTouched(true);
      draft.change({ title });
    },
    /** Says whether it can be sent; from then on everything that is missing is shown. */
    check: () => {
      setIsTried(true);
      return errors.isComplete;
    },
  };
}
