import { useMutation } from '@apollo/client/react';
import { Button, Title } from '@mantine/core';
import IconMessageCircle from '@tabler/icons-react/dist/esm/icons/IconMessageCircle.mjs';
import IconPlus from '@tabler/icons-react/dist/esm/icons/IconPlus.mjs';
import { useCallback, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { EmptyState } from '../../components/empty-state';
import { ErrorNotice } from '../../components/error-notice';
import { QuietNotice } from '../../components/quiet-notice';
import { SkeletonRows } from '../../components/skeletons';
import { toast } from '../../components/toast';
import {
  AcceptAnswerDocument,
  type AnswerDetailFragment,
  type QuestionDetailFragment,
} from '../../generated/graphql';
import { errorText } from '../../lib/errors';
import { useParticipation } from '../questions/participation';
import { useHiddenPosts } from '../reports/hidden-posts';
import { AnswerCard } from './answer-card';
import { AnswerDialog } from './answer-dialog';
import classes from './answers.module.css';
import { useAnswers } from './use-answers';

interface AnswerListProps {
  question: QuestionDetailFragment;
  /** Counts and the accepted answer of the question may have changed. */
  onChanged: () => void;
}

type OpenDialog = { kind: 'add' } | { kind: 'edit'; answer: AnswerDetailFragment };

/** Only the question's author, only while none is accepted, never an answer of their own. */
function mayAccept(
  question: QuestionDetailFragment,
  answer: AnswerDetailFragment,
  studentId: string | undefined,
): boolean {
  return (
    question.author._id === studentId && question.acceptedAnswer === null && answer.author._id !== studentId
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

/** The answers to a question, the accepted one before all others. */
export function AnswerList({ question, onChanged }: AnswerListProps) {
  const { t } = useTranslation('ask', { keyPrefix: 'answers' });
  const { kind, studentId, act } = useParticipation();
  const [dialog, setDialog] = useState<OpenDialog>();
  const { answers, error, isLoading, hasMore, nextPage, refetch } = useAnswers(question._id);
  const hidden = useHiddenPosts(studentId, 'ANSWER');
  const reload = useCallback(async () => {
    await refetch();
    onChanged();
  }, [refetch, onChanged]);
  const { accept, isAccepting } = useAccept(question._id, () => void reload());
  const visible = answers?.filter(({ _id }) => !hidden.has(_id));
  return (
    <section aria-labelledby="answers-heading">
      <div className={classes.heading}>
        <Title order={2} size="h3" id="answers-heading">
          {t('heading', { count: question.answerCount })}
        </Title>
        {kind !== 'reader' && (
          <Button
            variant="light"
            size="sm"
            leftSection={<IconPlus size={16} aria-hidden />}
            onClick={() => act(() => setDialog({ kind: 'add' }))}
          >
            {t('add')}
          </Button>
        )}
      </div>
      {error && !answers && <ErrorNotice error={error} onRetry={() => void refetch()} />}
      {error && answers && <QuietNotice error={error} isStale onRetry={() => void refetch()} />}
      {!answers && isLoading && <SkeletonRows count={2} height={140} />}
      {visible?.length === 0 && (
        <EmptyState icon={IconMessageCircle} titleOrder={3} title={t('empty')} text={t('emptyText')} />
      )}
      <ul className={classes.list}>
        {visible?.map((answer) => (
          <AnswerCard
            key={answer._id}
            answer={answer}
            space={question.space._id}
            isAccepted={question.acceptedAnswer?._id === answer._id}
            onAccept={mayAccept(question, answer, studentId) ? () => accept(answer._id) : undefined}
            isAccepting={isAccepting(answer._id)}
            onEdit={() => setDialog({ kind: 'edit', answer })}
            onCommented={reload}
          />
        ))}
      </ul>
      {hasMore && <MoreAnswers nextPage={nextPage} />}
      {dialog && (
        <AnswerDialog
          questionId={question._id}
          answer={dialog.kind === 'edit' ? dialog.answer : undefined}
          onClose={() => setDialog(undefined)}
          onSaved={() => {
            setDialog(undefined);
            void reload();
          }}
        />
      )}
    </section>
  );
}

function MoreAnswers({ nextPage }: Pick<ReturnType<typeof useAnswers>, 'nextPage'>) {
  const { t } = useTranslation('ask', { keyPrefix: 'answers' });
  const { error, isLoading, load } = nextPage;
  if (error !== undefined) return <QuietNotice error={error} onRetry={load} />;
  return (
    <Button variant="subtle" fullWidth mt="sm" loading={isLoading} onClick={load}>
      {t('more')}
    </Button>
  );
}
