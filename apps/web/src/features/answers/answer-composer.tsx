import { useState, type FormEvent } from 'react';
import { useTranslation } from 'react-i18next';
import type { AnswerDetailFragment } from '../../generated/graphql';
import { useAuthUser } from '../../lib/auth-storage';
import { RichTextField } from '../editor/rich-text-field';
import { ImagePicker } from '../gallery/image-picker';
import { DraftNotice } from '../questions/draft-notice';
import { PostComposer } from '../questions/post-composer';
import { isBlankBody } from '../questions/truncate';
import { writtenLines } from '../questions/written-lines';
import { draftKey, useDraft } from '../questions/use-draft';
import { useLeaveDraft } from '../questions/use-leave-draft';
import { useAttempts, usePostPictures } from '../questions/use-post-pictures';
import { type SendOwn, useSaveAnswer } from './use-save-answer';

interface AnswerComposerProps {
  questionId: string;
  /** The answer to edit; none adds a new one. */
  answer: AnswerDetailFragment | undefined;
  sendOwn: SendOwn;
  onSaved: () => void;
  onClose: () => void;
}

/** Adds an answer or edits one, in the page, where the question can be read. */
export function AnswerComposer(props: AnswerComposerProps) {
  const { attempt, restart } = useAttempts();
  return <AnswerForm key={attempt} {...props} onRestart={restart} />;
}

function AnswerForm(props: AnswerComposerProps & { onRestart: () => void }) {
  const { questionId, answer, sendOwn, onSaved, onClose, onRestart } = props;
  const { t } = useTranslation('ask', { keyPrefix: 'form' });
  const studentId = useAuthUser()?._id ?? '';
  const place = answer ? `answer:${answer._id}` : `answer-to:${questionId}`;
  const key = draftKey(studentId, place);
  const draft = useDraft(key, {
    body: answer?.body ?? '',
    imageUrls: answer?.imageUrls ?? [],
  });
  const pictures = usePostPictures(draft);
  const [isTried, setIsTried] = useState(false);
  const { save, isSaving } = useSaveAnswer(questionId, answer, sendOwn);
  const isBlank = isBlankBody(draft.value.body);
  const leave = useLeaveDraft(key, draft);
  const restart = () => {
    draft.discard();
    onRestart();
  };
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setIsTried(true);
    if (isBlank || isSaving) return;
    const sent = await save(pictures.ready);
    if (sent === undefined) return;
    draft.discard(sent);
    leave(onSaved);
  };
  return (
    <PostComposer
      place="inline"
      title={answer ? t('editAnswerTitle') : t('answerTitle')}
      isSaving={isSaving}
      written={() => ({ text: writtenLines(draft.value.body), html: draft.value.body })}
      onPaste={pictures.paste}
      onFiles={pictures.add}
      onSubmit={submit}
      onClose={() => leave(onClose)}
    >
      {draft.isRestored && <DraftNotice onDiscard={restart} />}
      <RichTextField
        label={t('answer')}
        placeholder={t('answerPlaceholder')}
        initialHtml={draft.value.body}
        error={isTried && isBlank ? t('answerMissing') : undefined}
        startsFocused
        uploads={pictures.uploads}
        onChange={pictures.changeBody}
      />
      <ImagePicker {...pictures} onAdd={pictures.add} onRemove={pictures.remove} />
    </PostComposer>
  );
}
