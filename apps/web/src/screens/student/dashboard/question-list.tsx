import { useApolloClient } from '@apollo/client/react';
import { Button } from '@mantine/core';
import IconSearchOff from '@tabler/icons-react/dist/esm/icons/IconSearchOff.mjs';
import { useCallback, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { EmptyState } from '../../../components/empty-state';
import { ErrorNotice, QuietNotice } from '../../../components/notices';
import { MoreButton } from '../../../components/paged-rows';
import { SkeletonRows } from '../../../components/skeletons';
import {
  NewestQuestionsDocument,
  NotificationArrivedDocument,
  QuestionDetailFragmentDoc,
  QuestionListDocument,
  WholeQuestionsDocument,
  type WholeQuestionsQueryVariables,
} from '../../../generated/graphql';
import { useAuthUser } from '../../../lib/auth-storage';
import { preloadParts } from '../../../lib/browser/loading';
import { useLive } from '../../../lib/api/live';
import { useListPolicy, useLoadMore, usePagedList } from '../../../lib/api/paged-list';
import { useHiddenPosts } from '../../../features/reports/hidden-posts';
import { QuestionCard } from '../../../features/questions/question-card';
import { queryOf, type QuestionFilters, SORT } from '../../../features/questions/question-filters';
import classes from './question-list.module.css';

interface QuestionListProps {
  list: ReturnType<typeof useQuestionList>;
  label: string;
  selectedId: string | undefined;
  toQuestion: (questionId: string) => string;
  /** Selecting a question adds no history entry. */
  replaces: boolean;
}

/** Question cards; more load near the end of the list, or by the button for those who do not scroll. */
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

/** The list does not change while it is read: new questions are counted next to its heading and shown on request. */
export function NewQuestions({ count, onShow }: { count: number; onShow: () => void }) {
  const { t } = useTranslation('ask', { keyPrefix: 'list' });
  return (
    <div role="status" className={classes.new}>
      {count > 0 && (
        <Button variant="light" size="compact-sm" onClick={onShow}>
          {t('new', { count })}
        </Button>
      )}
    </div>
  );
}

/** Questions of a space, filtered, twenty per page, without those hidden from the student. */
export function useQuestionList(space: string, filters: QuestionFilters) {
  const variables = queryOf(filters, space);
  const { data, rows, ...list } = usePagedList(
    QuestionListDocument,
    variables,
    'getPaginatedQuestions',
    { ...useListPolicy(), notifyOnNetworkStatusChange: true },
    { withFirst: false },
  );
  const hidden = useHiddenPosts(useAuthUser()?._id, 'QUESTION');
  usePreloadQuestions(data && { ...variables, page: data.getPaginatedQuestions.page });
  const { newCount, forget } = useNewQuestions(
    space,
    filters,
    rows?.map(({ _id }) => _id),
  );
  return {
    ...list,
    questions: rows?.filter(({ _id }) => !hidden.has(_id)),
    /** Number of questions since the list was read. */
    newCount,
    showNew: () => {
      forget();
      list.refetch();
    },
  };
}

/**
 * Counts the questions posted since the list was read. Members get a signal for every question of their space.
 * @param known of the list as shown; undefined until it is read
 */
function useNewQuestions(space: string, filters: QuestionFilters, known: readonly string[] | undefined) {
  const client = useApolloClient();
  const variables = queryOf(filters, space);
  const list = JSON.stringify(variables);
  const [newest, setNewest] = useState<{ list: string; ids: readonly string[] }>();
  const look = () => {
    client
      .query({ query: NewestQuestionsDocument, variables, fetchPolicy: 'no-cache' })
      .then(
        ({ data }) => data && setNewest({ list, ids: data.getPaginatedQuestions.docs.map(({ _id }) => _id) }),
      )
      // Ignore errors: the next signal tries again.
      .catch(() => undefined);
  };
  useLive(NotificationArrivedDocument, { variables: { space }, skip: filters.sort !== SORT.recent }, look);
  const ids = newest?.list === list ? newest.ids : [];
  const first = ids.findIndex((id) => known?.includes(id));
  return {
    newCount:
      known === undefined
        ? 0
        : first === -1 && known.length > 0
          ? 0
          : (first === -1 ? ids : ids.slice(0, first)).length,
    forget: useCallback(() => setNewest(undefined), []),
  };
}

const whole = { fragment: QuestionDetailFragmentDoc, fragmentName: 'QuestionDetail' };

/**
 * Preloads the full questions of a page when idle, so that a selected one shows its text at once. The list itself
 * does not change.
 * @param variables of the last page shown; undefined until there is one
 */
function usePreloadQuestions(variables: WholeQuestionsQueryVariables | undefined): void {
  const client = useApolloClient();
  const listKey = variables && JSON.stringify(variables);
  useEffect(() => {
    if (listKey === undefined) return undefined;
    const load = async () => {
      const { data } = await client.query({
        query: WholeQuestionsDocument,
        variables: JSON.parse(listKey) as WholeQuestionsQueryVariables,
        fetchPolicy: 'no-cache',
      });
      client.cache.batch({
        update: (cache) => {
          for (const question of data?.getPaginatedQuestions.docs ?? []) {
            const id = cache.identify(question);
            // An opened question is newer: its reader may have voted on it.
            if (cache.readFragment({ ...whole, id }) === null)
              cache.writeFragment({ ...whole, id, data: question });
          }
        },
      });
    };
    return preloadParts([load]);
  }, [listKey, client]);
}
