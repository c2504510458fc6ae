import { TextInput } from '@mantine/core';
import { memo, type FormEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { toast } from '../../components/toast';
import type { QuestionDetailFragment } from '../../generated/graphql';
import { errorText } from '../../lib/errors';
import { useFocusReturn } from '../../lib/use-focus-return';
import { BodyPreview } from '../editor/body-preview';
import { RichTextField } from '../editor/rich-text-field';
import { ImagePicker } from '../gallery/image-picker';
import { useImagePicks } from '../gallery/use-image-picks';
import { usePastedImages } from '../gallery/use-pasted-images';
import { SimilarWhileAsking } from '../search/similar-while-asking';
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
  const images = useImagePicks({
    locations: draft.value.imageUrls,
    onChange: (imageUrls) => draft.change({ imageUrls }),
    onTooMany: () => toast.error(t('tooManyImages')),
    onFailed: (error) => toast.error(errorText(error)),
  });
  const { save, isSaving } = useSaveQuestion(space, question?._id);
  const paste = usePastedImages(images.add);
  const close = () => {
    draft.discard();
    onClose();
  };
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (!draft.check() || isSaving) return;
    const questionId = await save(draft.value, images.uploaded);
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
      {!question && (
        <SimilarWhileAsking title={draft.value.title} space={space} subject={draft.value.subject} />
      )}
      <QuestionFiling
        space={space}
        question={question}
        subject={draft.value.subject}
        topic={draft.value.topic}
        errors={draft.errors}
        onChange={draft.change}
      />
      <Description value={draft.value.body} onChange={draft.change} />
      <ImagePicker images={images.images} onAdd={images.add} onRemove={images.remove} />
      <BodyPreview html={draft.value.body} />
    </PostDialog>
  );
}

interface DescriptionProps {
  value: string;
  onChange: (changes: { body: string }) => void;
}

/** The editor keeps its own state, so that only the beginning of the text matters, and what is typed elsewhere not at all. */
const Description = memo(
  function Description({ value, onChange }: DescriptionProps) {
    const { t } = useTranslation('ask', { keyPrefix: 'form' });
    return (
      <RichTextField
        label={t('description')}
        placeholder={t('descriptionPlaceholder')}
        initialHtml={value}
        onChange={(body) => onChange({ body })}
      />
    );
  },
  (before, after) => before.onChange === after.onChange,
);
