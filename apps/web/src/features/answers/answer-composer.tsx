import { useApolloClient } from '@apollo/client/react';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { AddAnswerDocument, type AnswerDetailFragment, EditAnswerDocument } from '../../generated/graphql';
import { useSavePost } from '../questions/use-save-post';
import { useAuthUser } from '../../lib/auth-storage';
import { useFocusReturn } from '../../lib/browser/focus';
import { RichTextField } from '../editor/rich-text-field';
import { ImagePicker } from '../gallery/image-picker';
import { draftKey, DraftNotice, SentNotice, useAttempts, useDraft, useLeaveDraft } from '../questions/drafts';
import { PostComposer } from '../questions/post-composer';
import { isBlankBody } from '../../components/rich-text/truncate';
import { bodyToText } from '../questions/body-to-text';
import { usePostPictures } from '../questions/use-post-pictures';

/** Runs a mutation of the reader's own, so that its result is not announced as someone else's. */
export type SendOwn = <Sent>(send: () => Promise<Sent>) => Promise<Sent>;

interface AnswerContent {
  body: string;
  imageUrls: string[];
}

function useSaveAnswer(questionId: string, answer: AnswerDetailFragment | undefined, sendOwn: SendOwn) {
  const { t } = useTranslation('ask', { keyPrefix: 'form' });
  const client = useApolloClient();
  // The version that the author started from.
  const [edited] = useState(answer);
  const store = async ({ body, imageUrls }: AnswerContent): Promise<string | undefined> => {
    if (edited === undefined) {
      const variables = { questionId, body, imageUrls };
      const { data } = await sendOwn(() => client.mutate({ mutation: AddAnswerDocument, variables }));
      // Undefined while the projection lags; the list shows the answer once it is readable.
      return data?.createAnswer?._id;
    }
    const seen = { body: edited.body, imageUrls: edited.imageUrls };
    const variables = { id: edited._id, body, imageUrls, seen };
    await client.mutate({ mutation: EditAnswerDocument, variables });
    return edited._id;
  };
  return useSavePost(store, t(edited === undefined ? 'answerAdded' : 'answerUpdated'));
}

interface AnswerComposerProps {
  questionId: string;
  /** The answer to edit; undefined to add one. */
  answer: AnswerDetailFragment | undefined;
  /** Opened by the reader, rather than for a restored draft. */
  startsFocused: boolean;
  sendOwn: SendOwn;
  onSaved: (answerId: string | undefined) => void;
  onClose: () => void;
}

/** Adds or edits an answer, inline below the question. */
export function AnswerComposer(props: AnswerComposerProps) {
  const { attempt, restart, ...elsewhere } = useAttempts(props.answer && props.onClose);
  useFocusReturn(props.answer !== undefined);
  // A restored draft does not take the focus until it is discarded.
  const startsFocused = elsewhere.sent !== 'all' && (props.startsFocused || attempt > 0);
  return (
    <AnswerForm key={attempt} {...props} {...elsewhere} startsFocused={startsFocused} onRestart={restart} />
  );
}

interface AnswerFormProps
  extends AnswerComposerProps, Omit<ReturnType<typeof useAttempts>, 'attempt' | 'restart'> {
  onRestart: () => void;
}

function AnswerForm(props: AnswerFormProps) {
  const { questionId, answer, startsFocused, sendOwn, sent, markSent, onSaved, onClose, onRestart } = props;
  const { t } = useTranslation('ask', { keyPrefix: 'form' });
  const studentId = useAuthUser()?._id ?? '';
  const place = answer ? `answer:${answer._id}` : `answer-to:${questionId}`;
  const key = draftKey(studentId, place);
  const initial = { body: answer?.body ?? '', imageUrls: answer?.imageUrls ?? [] };
  const draft = useDraft(key, initial, markSent);
  const pictures = usePostPictures(draft);
  const [isSubmitted, setIsSubmitted] = useState(false);
  const { save, isSaving, isSending, isUnsent } = useSaveAnswer(questionId, answer, sendOwn);
  const isBlank = isBlankBody(draft.value.body);
  const leave = useLeaveDraft(key, draft);
  const restart = () => {
    draft.discard();
    onRestart();
  };
  const close = () => {
    pictures.reportUnsent();
    leave(onClose);
  };
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setIsSubmitted(true);
    if (isBlank || isSaving) return;
    const saved = await save(pictures.ready);
    if (saved === undefined) return;
    draft.discard(saved.sent);
    leave(() => onSaved(saved.id));
  };
  return (
    <PostComposer
      title={answer ? t('editAnswerTitle') : t('answerTitle')}
      headingOrder={3}
      startsFocused={startsFocused}
      isSaving={isSaving}
      isSending={isSending}
      isUnsent={isUnsent}
      getText={() => ({ text: bodyToText(draft.value.body), html: draft.value.body })}
      onPaste={pictures.paste}
      onFiles={pictures.add}
      onSubmit={submit}
      onClose={close}
    >
      {sent && <SentNotice sent={draft.isRestored ? 'part' : sent} />}
      {draft.isRestored && <DraftNotice onDiscard={restart} />}
      <RichTextField
        label={t('answer')}
        placeholder={t('answerPlaceholder')}
        initialHtml={draft.value.body}
        error={isSubmitted && isBlank ? t('answerMissing') : undefined}
        startsFocused={startsFocused}
        uploads={pictures.uploads}
        onChange={pictures.changeBody}
      />
      <ImagePicker {...pictures} onAdd={pictures.add} onRemove={pictures.remove} />
    </PostComposer>
  );
}
