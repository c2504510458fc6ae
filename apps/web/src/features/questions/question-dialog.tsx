import { TextInput } from '@mantine/core';
import type { FormEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { toast } from '../../components/toast';
import type { QuestionDetailFragment } from '../../generated/graphql';
import { useFocusReturn } from '../../lib/use-focus-return';
import { BodyPreview } from '../editor/body-preview';
import { RichTextField } from '../editor/rich-text-field';
import { ImagePicker } from '../gallery/image-picker';
import { useImagePicks } from '../gallery/use-image-picks';
import { usePastedImages } from '../gallery/use-pasted-images';
import { DraftNotice } from './draft-notice';
import { PostDialog } from './post-dialog';
import { QuestionFiling } from './question-filing';
import { useQuestionDraft } from './use-question-draft';
import { useSaveQuestion } from './use-save-question';

interface QuestionDialogProps {
  space: string;
  /** The question to edit; none asks a new one. */
  question?: QuestionDetailFragment;
  onSaved: (questionId: string) => void;
  onClose: () => void;
}

/** Asks a question or edits one. */
export function QuestionDialog({ space, question, onSaved, onClose }: QuestionDialogProps) {
  const { t } = useTranslation('ask', { keyPrefix: 'form' });
  useFocusReturn();
  const draft = useQuestionDraft(space, question);
  const images = useImagePicks(question?.imageUrls ?? [], () => toast.error(t('tooManyImages')));
  const { save, isSaving } = useSaveQuestion(space, question?._id);
  const paste = usePastedImages(images.add);
  const close = () => {
    draft.discard();
    onClose();
  };
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (!draft.check() || isSaving) return;
    const questionId = await save(draft.value, images.upload);
    if (questionId === undefined) return;
    draft.discard();
    onSaved(questionId);
  };
  return (
    <PostDialog
      title={question ? t('editTitle') : t('askTitle')}
      isSaving={isSaving}
      onPaste={paste}
      onSubmit={submit}
      onClose={close}
    >
      {draft.isRestored && <DraftNotice onDiscard={close} />}
      <TextInput
        label={t('title')}
        placeholder={t('titlePlaceholder')}
        value={draft.value.title}
        error={draft.errors.title}
        required
        data-autofocus
        onChange={(event) => draft.changeTitle(event.currentTarget.value)}
      />
      <QuestionFiling
        space={space}
        question={question}
        subject={draft.value.subject}
        topic={draft.value.topic}
        errors={draft.errors}
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
    </PostDialog>
  );
}
