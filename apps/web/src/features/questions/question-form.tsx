import { Loader, Select, SimpleGrid, TextInput } from '@mantine/core';
import { type FormEvent, memo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { QuietNotice } from '../../components/notices';
import type { QuestionDetailFragment } from '../../generated/graphql';
import { useAuthUser } from '../../lib/auth-storage';
import type { CopiedText } from './gone';
import { useFocusReturn } from '../../lib/browser/focus';
import { useIsPainted } from '../../lib/browser/viewport';
import { BodyPreview } from '../editor/body-preview';
import type { PictureUploads } from '../editor/picture-uploads';
import { RichTextField } from '../editor/rich-text-field';
import { ImagePicker } from '../gallery/image-picker';
import { SimilarWhileAsking } from './similar-questions';
import { type TopicChoice, TopicField, TopicFieldBeforeSubject } from '../subjects/topic-field';
import { useSubjects } from '../subjects/use-subjects';
import { draftKey, DraftNotice, SentNotice, useAttempts, useDraft, useLeaveDraft } from './drafts';
import { PostComposer } from './post-composer';
import classes from './post-composer.module.css';
import { usePostPictures } from './use-post-pictures';
import { useSaveQuestion, type QuestionDraft } from './use-save-post';
import { bodyToText } from './body-to-text';

interface QuestionFormProps {
  space: string;
  /** The question to edit; undefined to ask one on a separate page. */
  question?: QuestionDetailFragment;
  headingOrder: 1 | 2;
  /** Opened by the reader, rather than for a restored draft. */
  startsFocused?: boolean;
  onSaved: (questionId: string) => void;
  onClose: () => void;
}

/** Form to ask or edit a question. */
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
  const { space, question, headingOrder, startsFocused = true, sent, markSent } = props;
  const { onSaved, onClose, onRestart } = props;
  const { t } = useTranslation('ask', { keyPrefix: 'form' });
  const draft = useQuestionDraft(space, question, markSent);
  const pictures = usePostPictures(draft);
  const { save, isSaving, isSending, isUnsent } = useSaveQuestion(space, question);
  const leave = useLeaveDraft(draft.key, draft);
  // Paints the title first, so that typing can start before the rest has rendered.
  const isRendered = useIsPainted() || question !== undefined;
  const latest = useRef(draft.value);
  latest.current = draft.value;
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
    if (!draft.check() || isSaving) return;
    const saved = await save(async () => {
      const stored = await pictures.ready();
      return { ...latest.current, ...stored };
    });
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
      getText={() => copiedTextOf(draft.value)}
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
        // oxlint-disable-next-line jsx-a11y/no-autofocus -- the reader has just opened it to write
        autoFocus={startsFocused}
        onChange={(event) => draft.changeTitle(event.currentTarget.value)}
      />
      {isRendered ? (
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

function copiedTextOf({ title, body }: QuestionDraft): CopiedText {
  const heading = document.createElement('p');
  heading.textContent = title;
  return { text: `${title}\n\n${bodyToText(body)}`.trim(), html: heading.outerHTML + body };
}

interface DescriptionProps {
  value: string;
  uploads: PictureUploads;
  onChange: (body: string) => void;
}

/** Memoised: the editor is uncontrolled, so only its initial value matters. */
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

interface QuestionFilingProps {
  space: string;
  subject: string | null;
  topic: TopicChoice | null;
  errors: { subject: string | undefined; topic: string | undefined };
  onChange: (changes: { subject?: string | null; topic?: TopicChoice | null }) => void;
}

/** Subject and topic of a new question. */
function QuestionFiling({ space, subject, topic, errors, onChange }: QuestionFilingProps) {
  const { t } = useTranslation('ask', { keyPrefix: 'form' });
  const { subjects, isLoading, error, refetch } = useSubjects(space);
  const isPainted = useIsPainted();
  return (
    <SimpleGrid cols={{ base: 1, xs: 2 }}>
      <div>
        <Select
          label={t('subject')}
          placeholder={t('subjectPlaceholder')}
          data={subjects.map(({ _id, subjectName }) => ({ value: _id, label: subjectName }))}
          value={subject}
          error={errors.subject}
          withAsterisk
          searchable
          // Mantine also renders and positions the closed list.
          comboboxProps={{ keepMounted: isPainted }}
          selectFirstOptionOnChange
          rightSection={isLoading ? <Loader size={16} /> : undefined}
          onChange={(value) => onChange({ subject: value, topic: null })}
        />
        {error && !isLoading && <QuietNotice error={error} onRetry={refetch} />}
      </div>
      {subject === null ? (
        <TopicFieldBeforeSubject error={errors.topic} />
      ) : (
        <TopicField
          key={subject}
          space={space}
          subject={subject}
          value={topic}
          error={errors.topic}
          onChange={(choice) => onChange({ topic: choice })}
        />
      )}
    </SimpleGrid>
  );
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

/** Validation errors of a draft, by field. */
function useDraftErrors(
  { title, subject, topic }: QuestionDraft,
  isSubmitted: boolean,
  isTitleTouched: boolean,
) {
  const { t } = useTranslation('ask', { keyPrefix: 'form' });
  const isTitleMissing = title.trim() === '';
  return {
    isComplete: !isTitleMissing && subject !== null && topic !== null,
    title: isTitleMissing && (isSubmitted || isTitleTouched) ? t('titleMissing') : undefined,
    subject: isSubmitted && subject === null ? t('subjectMissing') : undefined,
    topic: isSubmitted && topic === null ? t('topicMissing') : undefined,
  };
}

/** The draft of a question, with validation errors once it was submitted. */
function useQuestionDraft(
  space: string,
  question: QuestionDetailFragment | undefined,
  onSentElsewhere: (isAll: boolean) => void,
) {
  const studentId = useAuthUser()?._id ?? '';
  const place = question ? `question:${question._id}` : `space:${space}`;
  const key = draftKey(studentId, place);
  const draft = useDraft(key, draftOf(question), onSentElsewhere);
  const [isSubmitted, setIsSubmitted] = useState(false);
  const [isTitleTouched, setIsTitleTouched] = useState(false);
  const errors = useDraftErrors(draft.value, isSubmitted, isTitleTouched);
  return {
    ...draft,
    key,
    errors,
    changeTitle: (title: string) => {
      setIsTitleTouched(true);
      draft.change({ title });
    },
    /** Validates, and shows all errors from then on. Returns whether the draft can be sent. */
    check: () => {
      setIsSubmitted(true);
      return errors.isComplete;
    },
  };
}
