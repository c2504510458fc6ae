import { useMutation } from '@apollo/client/react';
import { Button, Title } from '@mantine/core';
import IconPlus from '@tabler/icons-react/dist/esm/icons/IconPlus.mjs';
import { useCallback, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ErrorNotice, QuietNotice } from '../../components/notices';
import { MoreButton } from '../../components/paged-rows';
import { SkeletonRows } from '../../components/skeletons';
import { ConfirmDialog } from '../../components/dialogs';
import { toast } from '../../components/toast';
import {
  AcceptAnswerDocument,
  type AnswerDetailFragment,
  AnswerListDocument,
  type QuestionDetailFragment,
} from '../../generated/graphql';
import { announce, useAnnounceGrowth } from '../../lib/browser/announce';
import { errorText } from '../../lib/api/errors';
import { usePagedList } from '../../lib/api/paged-list';
import { isRemoved, useGone } from '../questions/gone';
import { useParticipation } from '../people/participation';
import { draftsOf, hasDraft } from '../questions/drafts';
import { useQuestionPart } from '../questions/use-question';
import { useHiddenPosts } from '../reports/hidden-posts';
import { AnswerCard } from './answer-card';
import { AnswerComposer } from './answer-composer';
import { AnswerField } from './answer-field';
import classes from './answers.module.css';

/** Why a composer is open: to write in it, or to restore a draft. */
type Opened = 'focused' | 'restored';

interface AnswerListProps {
  question: QuestionDetailFragment;
  /** The question's counts or accepted answer may have changed. */
  onChanged: () => void;
}

/** Not an answer by the reader or by the author of the question, for whom a moderator may accept. */
function mayAccept(
  question: QuestionDetailFragment,
  answer: AnswerDetailFragment,
  studentId: string | undefined,
): boolean {
  const author = answer.author._id;
  return (
    question.mayAccept &&
    question.acceptedAnswer === null &&
    author !== studentId &&
    author !== question.author._id
  );
}

function useAccept(questionId: string, onAccepted: () => void) {
  const { t } = useTranslation('ask', { keyPrefix: 'answers' });
  const [accepting, setAccepting] = useState<string>();
  const [accept, { loading }] = useMutation(AcceptAnswerDocument, {
    onCompleted: () => {
      toast.success(t('acceptedToast'));
      onAccepted();
    },
    onError: (error) => toast.error(errorText(error)),
  });
  return {
    accept: (answerId: string) => {
      setAccepting(answerId);
      void accept({ variables: { answerId, questionId } });
    },
    isAccepting: (answerId: string) => loading && accepting === answerId,
  };
}

/** Announces an accepted answer to screen readers; the author who accepted it sees a toast. */
function useAnnounceAcceptance(question: QuestionDetailFragment, studentId: string | undefined): void {
  const { t } = useTranslation('ask', { keyPrefix: 'answers' });
  const accepted = question.acceptedAnswer?._id;
  const known = useRef(accepted);
  const isAuthor = question.author._id === studentId;
  useEffect(() => {
    if (accepted !== undefined && accepted !== known.current && !isAuthor) announce(t('acceptedNotice'));
    known.current = accepted;
  }, [accepted, isAuthor, t]);
}

/** The answers to a question, the accepted one first. */
export function AnswerList({ question, onChanged }: AnswerListProps) {
  const { t } = useTranslation('ask', { keyPrefix: 'answers' });
  const { studentId, kind } = useParticipation();
  const [edits, setEdits] = useState<Readonly<Record<string, Opened | undefined>>>(() =>
    Object.fromEntries(draftsOf(studentId ?? '', 'answer').map((answerId) => [answerId, 'restored'])),
  );
  const [adding, setAdding] = useState<Opened | undefined>(() =>
    hasDraft(studentId ?? '', `answer-to:${question._id}`) ? 'restored' : undefined,
  );
  const [added, setAdded] = useState<string>();
  const field = useRef<HTMLDivElement>(null);
  const { answers, error, isAwaited, hasMore, nextPage, refetch } = useAnswers(question._id);
  const hidden = useHiddenPosts(studentId, 'ANSWER');
  const sendOwn = useAnnounceGrowth(question.answerCount, (count) => t('new', { count }));
  useAnnounceAcceptance(question, studentId);
  const { accept, isAccepting } = useAccept(question._id, onChanged);
  const isDeputy = question.author._id !== studentId;
  const [chosen, setChosen] = useState<string>();
  const choose = isDeputy ? setChosen : accept;
  const openField = () => {
    setAdding('focused');
    // If it is open already.
    field.current?.querySelector<HTMLElement>('[role="textbox"], form textarea')?.focus();
  };
  const setEdit = (answerId: string, edit: Opened | undefined) =>
    setEdits((before) => ({ ...before, [answerId]: edit }));
  const hasInput = (answerId: string) =>
    edits[answerId] !== undefined || hasDraft(studentId ?? '', `comment-on:${answerId}`);
  const shown = useKeptAnswers(answers, hasInput);
  const isQuestionGone = isRemoved(useGone());
  const hiddenCount = answers?.filter(({ _id }) => hidden.has(_id)).length ?? 0;
  const visible = shown?.filter(
    ({ answer: { _id } }) => !hidden.has(_id) && (!isQuestionGone || hasInput(_id)),
  );
  return (
    <section aria-labelledby={isQuestionGone ? undefined : 'answers-heading'} aria-busy={isAwaited}>
      {!isQuestionGone && (
        <AnswersHeading count={Math.max(question.answerCount - hiddenCount, 0)} onAdd={openField} />
      )}
      {!isQuestionGone && (
        <AnswersStatus
          {...{ error, isAwaited, refetch }}
          expected={question.answerCount}
          isRead={answers !== undefined}
          isEmpty={visible?.length === 0}
        />
      )}
      <ul className={classes.list}>
        {visible?.map(({ answer, isGone }) => (
          <AnswerCard
            key={answer._id}
            answer={answer}
            isGone={isGone || isQuestionGone}
            space={question.space._id}
            isAccepted={question.acceptedAnswer?._id === answer._id}
            onAccept={mayAccept(question, answer, studentId) ? () => choose(answer._id) : undefined}
            acceptLabel={t(isDeputy ? 'acceptForAuthor' : 'accept')}
            isAccepting={isAccepting(answer._id)}
            isNew={answer._id === added}
            onEdit={() => setEdit(answer._id, 'focused')}
            composer={
              edits[answer._id] && (
                <AnswerComposer
                  questionId={question._id}
                  answer={answer}
                  startsFocused={edits[answer._id] === 'focused'}
                  sendOwn={sendOwn}
                  onClose={() => setEdit(answer._id, undefined)}
                  onSaved={() => {
                    setEdit(answer._id, undefined);
                    onChanged();
                  }}
                />
              )
            }
            onCommented={onChanged}
          />
        ))}
      </ul>
      <ConfirmDialog
        opened={chosen !== undefined}
        title={t('deputyTitle')}
        text={t('deputyText')}
        confirmLabel={t('accept')}
        onConfirm={() => {
          if (chosen !== undefined) accept(chosen);
          setChosen(undefined);
        }}
        onClose={() => setChosen(undefined)}
      />
      {hasMore && !isQuestionGone && <MoreAnswers nextPage={nextPage} />}
      {kind !== 'visitor' && (
        <div ref={field} className={classes.field}>
          <AnswerField
            questionId={question._id}
            isReady={!isAwaited}
            opened={adding}
            onOpen={() => setAdding('focused')}
            sendOwn={sendOwn}
            onClose={() => setAdding(undefined)}
            onSaved={(answerId) => {
              setAdding(undefined);
              setAdded(answerId);
              onChanged();
            }}
          />
        </div>
      )}
    </section>
  );
}

function AnswersHeading({ count, onAdd }: { count: number; onAdd: () => void }) {
  const { t } = useTranslation('ask', { keyPrefix: 'answers' });
  const { onlyReads, act } = useParticipation();
  return (
    <div className={classes.heading}>
      <Title order={2} size="h3" id="answers-heading">
        {t('heading', { count })}
      </Title>
      {!onlyReads && (
        <Button
          variant="light"
          size="sm"
          leftSection={<IconPlus size={16} aria-hidden />}
          onClick={() => act(onAdd)}
        >
          {t('add')}
        </Button>
      )}
    </div>
  );
}

interface AnswersStatusProps {
  error: Error | undefined;
  isAwaited: boolean;
  /** Answers from an earlier load are shown. */
  isRead: boolean;
  isEmpty: boolean;
  expected: number;
  refetch: () => void;
}

/** Error, loading or empty state, in place of the answers or above stale ones. */
function AnswersStatus({ error, isAwaited, isRead, isEmpty, expected, refetch }: AnswersStatusProps) {
  const { t } = useTranslation('ask', { keyPrefix: 'answers' });
  const { onlyReads } = useParticipation();
  return (
    <>
      {error && !isRead && <ErrorNotice error={error} onRetry={refetch} />}
      {error && isRead && <QuietNotice error={error} isStale onRetry={refetch} />}
      {isAwaited && <SkeletonRows count={Math.min(Math.max(expected, 1), 2)} height={233} />}
      {isEmpty && (
        <p className={classes.empty}>
          <strong>{t('empty')}</strong>
          {!onlyReads && <span>{t('emptyText')}</span>}
        </p>
      )}
    </>
  );
}

function MoreAnswers({ nextPage }: Pick<ReturnType<typeof useAnswers>, 'nextPage'>) {
  const { t } = useTranslation('ask', { keyPrefix: 'answers' });
  return (
    <MoreButton variant="subtle" fullWidth mt="sm" nextPage={nextPage}>
      {t('more')}
    </MoreButton>
  );
}

const ANSWERS_PER_LOAD = 100;

/** The answers to a question, a hundred at a time. The first page comes with the question. */
function useAnswers(questionId: string) {
  const { fetchPolicy, refetchAll } = useQuestionPart(questionId);
  const { rows, error, refetch, ...list } = usePagedList(
    AnswerListDocument,
    { questionId, page: 1, limit: ANSWERS_PER_LOAD },
    'getPaginatedAnswers',
    { fetchPolicy, isKept: true },
  );
  return {
    ...list,
    answers: rows,
    error,
    // Apollo's `loading` turns false shortly before the rows from the question's cache arrive.
    isAwaited: rows === undefined && error === undefined,
    // Refetching the question includes its answers.
    refetch: useCallback(() => (error ? refetch() : void refetchAll()), [error, refetch, refetchAll]),
  };
}

interface ShownAnswer {
  readonly answer: AnswerDetailFragment;
  /** Removed; only the reader's draft on it is shown. */
  readonly isGone: boolean;
}

type Answers = readonly AnswerDetailFragment[];

/** Each kept answer stays after the same neighbour, so that the field with the caret does not move. */
function withKept(answers: Answers, before: readonly ShownAnswer[], isKept: (answerId: string) => boolean) {
  const shown: ShownAnswer[] = answers.map((answer) => ({ answer, isGone: false }));
  const placeOf = (answerId: string) => shown.findIndex(({ answer }) => answer._id === answerId);
  before.forEach(({ answer }, index) => {
    if (placeOf(answer._id) !== -1 || !isKept(answer._id)) return;
    const previous = before.slice(0, index).findLast((other) => placeOf(other.answer._id) !== -1);
    shown.splice(previous ? placeOf(previous.answer._id) + 1 : 0, 0, { answer, isGone: true });
  });
  return shown;
}

/** The answers, including removed ones that the reader is still writing on. */
function useKeptAnswers(
  answers: Answers | undefined,
  hasInput: (answerId: string) => boolean,
): readonly ShownAnswer[] | undefined {
  const [known, setKnown] = useState<{ answers?: Answers; shown: readonly ShownAnswer[] }>({ shown: [] });
  if (answers === undefined) return undefined;
  if (answers !== known.answers) setKnown({ answers, shown: withKept(answers, known.shown, hasInput) });
  return known.shown.filter(({ answer, isGone }) => !isGone || hasInput(answer._id));
}
