import { useState, type FormEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { toast } from '../../components/toast';
import type { AnswerDetailFragment } from '../../generated/graphql';
import { useAuthUser } from '../../lib/auth-storage';
import { errorText } from '../../lib/errors';
import { useFocusReturn } from '../../lib/use-focus-return';
import { RichTextField } from '../editor/rich-text-field';
import { ImagePicker } from '../gallery/image-picker';
import { useImagePicks } from '../gallery/use-image-picks';
import { usePastedImages } from '../gallery/use-pasted-images';
import { DraftNotice } from '../questions/draft-notice';
import { PostDialog } from '../questions/post-dialog';
import { plainText } from '../questions/truncate';
import { draftKey, useDraft } from '../questions/use-draft';
import { useSaveAnswer } from './use-save-answer';

interface AnswerDialogProps {
  questionId: string;
  /** The answer to edit; none adds a new one. */
  answer: AnswerDetailFragment | undefined;
  onSaved: () => void;
  onClose: () => void;
}

/** Adds an answer or edits one. */
export function AnswerDialog({ questionId, answer, onSaved, onClose }: AnswerDialogProps) {
  const { t } = useTranslation('ask', { keyPrefix: 'form' });
  useFocusReturn();
  const studentId = useAuthUser()?._id ?? '';
  const place = answer ? `answer:${answer._id}` : `answer-to:${questionId}`;
  const draft = useDraft(draftKey(studentId, place), {
    body: answer?.body ?? '',
    imageUrls: answer?.imageUrls ?? [],
  });
  const images = useImagePicks({
    locations: draft.value.imageUrls,
    onChange: (imageUrls) => draft.change({ imageUrls }),
    onTooMany: () => toast.error(t('tooManyImages')),
    onFailed: (error) => toast.error(errorText(error)),
  });
  const [isTried, setIsTried] = useState(false);
  const { save, isSaving } = useSaveAnswer(questionId, answer?._id);
  const paste = usePastedImages(images.add);
  const isBlank = plainText(draft.value.body) === '';
  const close = () => {
    draft.discard();
    onClose();
  };
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setIsTried(true);
    if (isBlank || isSaving || !(await save(draft.value.body, images.uploaded))) return;
    draft.discard();
    onSaved();
  };
  return (
    <PostDialog
      title={answer ? t('editAnswerTitle') : t('answerTitle')}
      isSaving={isSaving}
      onPaste={paste}
      onSubmit={submit}
      onClose={close}
    >
      {draft.isRestored && <DraftNotice onDiscard={close} />}
      <RichTextField
        label={t('answer')}
        placeholder={t('answerPlaceholder')}
        initialHtml={draft.value.body}
        error={isTried && isBlank ? t('answerMissing') : undefined}
        onChange={(body) => draft.change({ body })}
      />
      <ImagePicker images={images.images} onAdd={images.add} onRemove={images.remove} />
    </PostDialog>
  );
}
