import { TextInput } from '@mantine/core';
import { memo, useRef, type FormEvent } from 'react';
import { useTranslation } from 'react-i18next';
import type { QuestionDetailFragment } from '../../generated/graphql';
import { BodyPreview } from '../editor/body-preview';
import type { PictureUploads } from '../editor/picture-uploads';
import { RichTextField } from '../editor/rich-text-field';
import { ImagePicker } from '../gallery/image-picker';
import { SimilarWhileAsking } from '../search/similar-while-asking';
import type { CopiedText } from '../../lib/copy-text';
import { useFocusReturn } from '../../lib/use-focus-return';
import { useIsPainted } from '../../lib/use-is-painted';
import { DraftNotice, SentNotice } from './draft-notice';
import { PostComposer } from './post-composer';
import { writtenLines } from './written-lines';
import { QuestionFiling } from './question-filing';
import { useAttempts } from './use-attempts';
import { useLeaveDraft } from './use-leave-draft';
import { usePostPictures } from './use-post-pictures';
import { useQuestionDraft, type QuestionDraft } from './use-question-draft';
import { useSaveQuestion } from './use-save-question';
import classes from './post-composer.module.css';

interface QuestionFormProps {
  space: string;
  /** The question to edit; none asks a new one, on a page of its own. */
  question?: QuestionDetailFragment;
  headingOrder: 1 | 2;
  /** It was opened to be written in; an edit that was found as a draft waits. */
  startsFocused?: boolean;
  onSaved: (questionId: string) => void;
  onClose: () => void;
}

/** Asks a question or edits one. */
export default function QuestionForm(props: QuestionFormProps) {
  const { attempt, restart, ...elsewhere } = useAttempts(props.question && props.onClose);
  useFocusReturn(props.question !== undefined);
  const startsFocused = props.startsFocused !== false || attempt > 0;
  return (
    <QuestionFields
      key={attempt}
      {...props}
      {...elsewhere}
      startsFocused={startsFocused}
      onRestart={restart}
    />
  );
}

interface QuestionFieldsProps
  extends QuestionFormProps, Omit<ReturnType<typeof useAttempts>, 'attempt' | 'restart'> {
  onRestart: () => void;
}

function QuestionFields(props: QuestionFieldsProps) {
  const { space, question, headingOrder, startsFocused = true, sent, noteSent } = props;
  const { onSaved, onClose, onRestart } = props;
  const { t } = useTranslation('ask', { keyPrefix: 'form' });
  const draft = useQuestionDraft(space, question, noteSent);
  const pictures = usePostPictures(draft);
  const { save, isSaving, isSending, isUnsent } = useSaveQuestion(space, question);
  const leave = useLeaveDraft(draft.key, draft);
  // Paints the title first, so that typing can start before the rest is drawn.
  const isWhole = useIsPainted() || question !== undefined;
  const latest = useRef(draft.value);
  latest.current = draft.value;
  const restart = () => {
    draft.discard();
    onRestart();
  };
  const close = () => {
    pictures.leaveUnsent();
    leave(onClose);
  };
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (!draft.check() || isSaving) return;
    const saved = await save(async () => ({ ...(await pictures.ready()), written: latest.current }));
    if (saved === undefined) return;
    draft.discard(saved.sent);
    leave(() => onSaved(saved.id));
  };
  return (
    <PostComposer
      title={question ? t('editTitle') : t('askTitle')}
      headingOrder={headingOrder}
      isPage={!question}
      startsFocused={startsFocused}
      isSaving={isSaving}
      isSending={isSending}
      isUnsent={isUnsent}
      written={() => writtenIn(draft.value)}
      onPaste={pictures.paste}
      onFiles={pictures.add}
      onSubmit={submit}
      onClose={close}
    >
      {sent && <SentNotice sent={draft.isRestored ? 'part' : sent} />}
      {draft.isRestored && <DraftNotice onDiscard={restart} />}
      <TextInput
        label={t('title')}
        placeholder={t('titlePlaceholder')}
        value={draft.value.title}
        dir="auto"
        error={draft.errors.title}
        required
        // oxlint-disable-next-line jsx-a11y/no-autofocus -- somebody has just chosen to write it
        autoFocus={startsFocused}
        onChange={(event) => draft.changeTitle(event.currentTarget.value)}
      />
      {isWhole ? (
        <>
          {!question && (
            <>
              <SimilarWhileAsking title={draft.value.title} space={space} />
              <QuestionFiling
                space={space}
                subject={draft.value.subject}
                topic={draft.value.topic}
                errors={draft.errors}
                onChange={draft.change}
              />
            </>
          )}
          <Description value={draft.value.body} uploads={pictures.uploads} onChange={pictures.changeBody} />
          <ImagePicker {...pictures} onAdd={pictures.add} onRemove={pictures.remove} />
          <BodyPreview html={draft.value.body} />
        </>
      ) : (
        <div className={classes.room} />
      )}
    </PostComposer>
  );
}

function writtenIn({ title, body }: QuestionDraft): CopiedText {
  const heading = document.createElement('p');
  heading.textContent = title;
  return { text: `${title}\n\n${writtenLines(body)}`.trim(), html: heading.outerHTML + body };
}

interface DescriptionProps {
  value: string;
  uploads: PictureUploads;
  onChange: (body: string) => void;
}

/** The editor keeps its own state, so that only the beginning of the text matters, and what is typed elsewhere not at all. */
const Description = memo(
  function Description({ value, uploads, onChange }: DescriptionProps) {
    const { t } = useTranslation('ask', { keyPrefix: 'form' });
    return (
      <RichTextField
        label={t('description')}
        placeholder={t('descriptionPlaceholder')}
        initialHtml={value}
        uploads={uploads}
        onChange={onChange}
      />
    );
  },
  (before, after) => before.onChange === after.onChange,
);
