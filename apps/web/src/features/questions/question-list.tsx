import IconSearchOff from '@tabler/icons-react/dist/esm/icons/IconSearchOff.mjs';
import { useTranslation } from 'react-i18next';
import { EmptyState } from '../../components/empty-state';
import { ErrorNotice } from '../../components/error-notice';
import { MoreButton } from '../../components/more-button';
import { QuietNotice } from '../../components/quiet-notice';
import { SkeletonRows } from '../../components/skeletons';
import { useLoadMore } from '../../lib/paged-list';
import { QuestionCard } from './question-card';
import classes from './question-list.module.css';
import type { useQuestionList } from './use-question-list';

interface QuestionListProps {
  list: ReturnType<typeof useQuestionList>;
  label: string;
  selectedId: string | undefined;
  toQuestion: (questionId: string) => string;
  /** Choosing one is no step that one goes back over. */
  replaces: boolean;
}

/** The question cards; further ones come as the end comes near, or by the button for those who do not scroll. */
export function QuestionList({ list, label, selectedId, toQuestion, replaces }: QuestionListProps) {
  const { t } = useTranslation('ask', { keyPrefix: 'list' });
  const { questions, error, refetch, hasMore } = list;
  if (error && !questions) return <ErrorNotice error={error} onRetry={refetch} />;
  if (!questions) return <SkeletonRows count={5} height={124} />;
  if (questions.length === 0 && !hasMore)
    return <EmptyState icon={IconSearchOff} titleOrder={3} title={t('empty')} text={t('emptyText')} />;
  return (
    <>
      {error && (
        <div className={classes.stale}>
          <QuietNotice error={error} isStale onRetry={refetch} />
        </div>
      )}
      <ul className={classes.list} aria-label={label}>
        {questions.map((question) => (
          <li key={question._id}>
            <QuestionCard
              question={question}
              to={toQuestion(question._id)}
              isSelected={question._id === selectedId}
              replaces={replaces}
            />
          </li>
        ))}
      </ul>
      {hasMore && <MoreQuestions list={list} />}
    </>
  );
}

function MoreQuestions({ list }: Pick<QuestionListProps, 'list'>) {
  const { t } = useTranslation('ask', { keyPrefix: 'list' });
  const end = useLoadMore(list);
  return (
    <div ref={end} className={classes.next}>
      <MoreButton variant="subtle" fullWidth nextPage={list.nextPage}>
        {t('more')}
      </MoreButton>
    </div>
  );
}
