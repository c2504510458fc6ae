import { Button, Group, Modal, Stack, TextInput } from '@mantine/core';
import { useState, type FormEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { toast } from '../../components/toast';
import type { QuestionDetailFragment } from '../../generated/graphql';
import { useAuthUser } from '../../lib/auth-storage';
import { BodyPreview } from '../editor/body-preview';
import { RichTextField } from '../editor/rich-text-field';
import { ImagePicker } from '../gallery/image-picker';
import { useImagePicks } from '../gallery/use-image-picks';
import { usePastedImages } from '../gallery/use-pasted-images';
import type { TopicChoice } from '../subjects/topic-field';
import { DraftNotice } from './draft-notice';
import { QuestionFiling } from './question-filing';
import { useDraft } from './use-draft';
import { useSaveQuestion } from './use-save-question';

export interface QuestionDraft {
  title: string;
  subject: string | null;
  topic: TopicChoice | null;
  body: string;
}

interface QuestionDialogProps {
  space: string;
  /** The question to edit; none asks a new one. */
  question?: QuestionDetailFragment;
  onSaved: (questionId: string) => void;
  onClose: () => void;
}

function draftOf(question: QuestionDetailFragment | undefined): QuestionDraft {
  return {
    title: question?.title ?? '',
    subject: question?.subject._id ?? null,
    topic: question?.topic ?? null,
    body: question?.body ?? '',
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

/** Asks a question or edits one. Only its buttons close it: what was written is not lost by a click beside it. */
export function QuestionDialog({ space, question, onSaved, onClose }: QuestionDialogProps) {
  const { t } = useTranslation('ask', { keyPrefix: 'form' });
  const studentId = useAuthUser()?._id ?? '';
  const place = question ? `question:${question._id}` : `space:${space}`;
  const draft = useDraft(`draft:${studentId}:${place}`, draftOf(question));
  const images = useImagePicks(question?.imageUrls ?? [], () => toast.error(t('tooManyImages')));
  const [isTried, setIsTried] = useState(false);
  const [isTitleTouched, setIsTitleTouched] = useState(false);
  const errors = useDraftErrors(draft.value, isTried, isTitleTouched);
  const { save, isSaving } = useSaveQuestion(space, question?._id);
  const paste = usePastedImages(images.add);
  const close = () => {
    draft.discard();
    onClose();
  };
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setIsTried(true);
    if (!errors.isComplete || isSaving) return;
    const questionId = await save(draft.value, images.upload);
    if (questionId === undefined) return;
    draft.discard();
    onSaved(questionId);
  };
  return (
    <Modal
      opened
      onClose={close}
      title={question ? t('editTitle') : t('askTitle')}
      size="56rem"
      closeOnClickOutside={false}
      closeOnEscape={false}
    >
      <form onSubmit={(event) => void submit(event)} onPaste={paste} noValidate>
        <Stack gap="md">
          {draft.isRestored && <DraftNotice onDiscard={close} />}
          <TextInput
            label={t('title')}
            placeholder={t('titlePlaceholder')}
            value={draft.value.title}
            error={errors.title}
            required
            data-autofocus
            onChange={(event) => {
              setIsTitleTouched(true);
              draft.change({ title: event.currentTarget.value });
            }}
          />
          <QuestionFiling
            space={space}
            question={question}
            subject={draft.value.subject}
            topic={draft.value.topic}
            errors={errors}
            onChange={draft.change}
          />
          <RichTextField
            label={t('description')}
            placeholder={t('descriptionPlaceholder')}
            initialHtml={draft.value.body}
            onChange={(body) => draft.change({ body })}
          />
          <ImagePicker images={images.images} onAdd={images.add} onRemove={images.remove} />
          <BodyPreview html={draft.value.body} />
          <Group justify="flex-end">
            <Button variant="default" onClick={close} disabled={isSaving}>
              {t('cancel')}
            </Button>
            <Button type="submit" loading={isSaving}>
              {t('submit')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
