import { skipToken, useQuery } from '@apollo/client/react';
import { type FocusEvent, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Navigate, useNavigate } from 'react-router-dom';
import { paths } from '../../../lib/paths';
import { type Fold, FoldButton, useFolded } from '../../../components/fold-button';
import { FilterBar, useQuestionFilters } from './filter-bar';
import { toggleLabels } from '../../../features/questions/filter-controls';
import { NewQuestions, QuestionList, useQuestionList } from './question-list';
import { preloadEditors } from '../../../features/question-thread/preload-editors';
import { QuestionDetail, QuestionSkeleton } from '../../../features/question-thread/question-detail';
import {
  type QuestionFilters,
  searchParamsOf,
  SORT,
  toggles,
  withSubject,
} from '../../../features/questions/question-filters';
import { UnsolvedQuestions } from './unsolved-questions';
import { useOwnReports } from '../../../features/reports/use-own-reports';
import { detailPaneId, useListKeys } from '../../../features/shortcuts/use-list-keys';
import { TopicCarousel } from '../../../features/subjects/topic-carousel';
import { useSubjects } from '../../../features/subjects/use-subjects';
import { SubjectTopicsDocument } from '../../../generated/graphql';
import { useCurrentSpace } from '../../../lib/auth-storage';
import { useIsNarrow } from '../../../lib/browser/device';
import { useScreenTitle } from '../../../lib/browser/announce';
import { useVisibleHeight } from '../../../lib/browser/viewport';
import classes from './dashboard.module.css';

/**
 * Questions of the current space: filters and two carousels in one row, the list, and the selected question next to
 * it.
 */
export default function DashboardScreen() {
  const space = useCurrentSpace();
  return space && <Dashboard key={space._id} space={space._id} />;
}

function Dashboard({ space }: { space: string }) {
  const { t } = useTranslation('ask');
  const { filters, setFilters, selectedId, searchFor, deselect } = useQuestionFilters();
  const list = useQuestionList(space, filters);
  const heading = useListHeading(space, filters);
  const unsolved = useStrip('questions');
  const topics = useStrip('topics');
  const topicsTitle = useTopicsTitle(space, filters.subject);
  useOwnReports();
  useScreenTitle(t('screenTitle'));
  useEffect(preloadEditors, []);
  const isNarrow = useIsNarrow();
  const openId = useOpenQuestion(selectedId, list.questions, searchParamsOf(filters).toString());
  const isListLoading = list.questions === undefined && list.error === undefined;
  const cards = useRef<HTMLElement>(null);
  const listHeading = useRef<HTMLHeadingElement>(null);
  const navigate = useNavigate();
  useListKeys(cards, {
    choosesOnWalk: !isNarrow,
    open: () => openId !== undefined && void navigate(paths.singleQuestion(openId, 'home')),
  });
  // A question being written to stays open, even if it is removed or leaves the list.
  const chooseWritten = ({ target }: FocusEvent) => {
    if (openId !== undefined && selectedId === null && target.matches('input, textarea, [role="textbox"]'))
      void navigate({ search: searchFor(openId) }, { replace: true });
  };
  // One pane at a time: a question has its own page, and Back returns to this list.
  if (isNarrow && selectedId !== null)
    return <Navigate to={paths.singleQuestion(selectedId, 'home')} replace />;
  return (
    <div className={classes.dashboard}>
      <h1 className={classes.hidden}>{t('screenTitle')}</h1>
      <FilterBar
        space={space}
        filters={filters}
        onChange={setFilters}
        strips={
          <>
            <FoldButton label={t('unsolvedQuestions')} fold={unsolved} />
            <FoldButton label={topicsTitle} fold={topics} />
          </>
        }
      />
      {!unsolved.isFolded && <UnsolvedQuestions id={unsolved.id} space={space} subject={filters.subject} />}
      {!topics.isFolded && (
        <TopicCarousel
          id={topics.id}
          title={topicsTitle}
          space={space}
          subject={filters.subject}
          selectedTopic={filters.topic}
          onChoose={(subject, topic) =>
            setFilters({ ...withSubject(filters, subject), topic: filters.topic === topic ? null : topic })
          }
        />
      )}
      <div className={classes.columns}>
        <section ref={cards} aria-labelledby="list-heading">
          <div className={classes.headingRow}>
            <h2 ref={listHeading} id="list-heading" tabIndex={-1} className={classes.heading} title={heading}>
              {heading}
            </h2>
            <ChosenToggles filters={filters} />
            <NewQuestions
              count={list.newCount}
              onShow={() => {
                list.showNew();
                // The button disappears, and the focus with it.
                listHeading.current?.focus();
              }}
            />
          </div>
          <QuestionList
            list={list}
            label={heading}
            selectedId={isNarrow ? undefined : openId}
            toQuestion={(id) => (isNarrow ? paths.singleQuestion(id, 'home') : searchFor(id))}
            replaces={!isNarrow}
          />
        </section>
        {!isNarrow && (openId !== undefined || isListLoading) && (
          <QuestionPane openId={openId} onFocus={chooseWritten} onGone={deselect} />
        )}
      </div>
    </div>
  );
}

interface QuestionPaneProps {
  openId: string | undefined;
  onFocus: (event: FocusEvent) => void;
  onGone: (questionId: string) => void;
}

/** The selected question next to the list. */
function QuestionPane({ openId, onFocus, onGone }: QuestionPaneProps) {
  const { t } = useTranslation('ask', { keyPrefix: 'list' });
  const pane = useVisibleHeight<HTMLElement>();
  return (
    <section
      ref={pane}
      id={detailPaneId}
      className={classes.detail}
      aria-label={t('open')}
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls: without focus, what is below needs a mouse
      tabIndex={0}
      onFocus={onFocus}
    >
      {openId === undefined ? (
        <QuestionSkeleton />
      ) : (
        <QuestionDetail key={openId} questionId={openId} headingOrder={2} onGone={onGone} />
      )}
    </section>
  );
}

/** The other active filters by name; the heading itself is fixed by the specification. */
function ChosenToggles({ filters }: { filters: QuestionFilters }) {
  const { t } = useTranslation('ask', { keyPrefix: 'filters' });
  const chosen = toggles.filter((toggle) => filters.toggles.has(toggle));
  if (chosen.length === 0) return null;
  const text = chosen.map((toggle) => t(toggleLabels[toggle])).join(' · ');
  return (
    <p className={classes.filters} title={text}>
      {text}
    </p>
  );
}

/** A strip between the filter bar and the list. The bar is sticky and the strip is not, so opening it scrolls there. */
function useStrip(name: string): Fold {
  const { toggle, ...fold } = useFolded(`strip:${name}`);
  const open = () => {
    toggle();
    if (fold.isFolded) window.scrollTo({ top: 0 });
  };
  return { ...fold, toggle: open };
}

function useTopicsTitle(space: string, subject: string | null): string {
  const { t } = useTranslation('ask', { keyPrefix: 'topics' });
  const { subjects } = useSubjects(subject === null ? null : space);
  const name = subjects.find(({ _id }) => _id === subject)?.subjectName;
  return name === undefined ? t('all') : t('ofSubject', { subject: name });
}

/** Heading of the list: its topic, its subject, or its order. */
function useListHeading(space: string, { sort, subject, topic }: QuestionFilters): string {
  const { t } = useTranslation('ask', { keyPrefix: 'heading' });
  const { subjects } = useSubjects(subject === null ? null : space);
  const { data } = useQuery(
    SubjectTopicsDocument,
    subject === null || topic === null ? skipToken : { variables: { subject } },
  );
  const subjectName = subjects.find(({ _id }) => _id === subject)?.subjectName;
  const topicName = data?.getSubjectTopics.find(({ _id }) => _id === topic)?.topicName;
  if (topicName !== undefined) return t('topic', { topic: topicName });
  if (subjectName !== undefined) return t('subject', { subject: subjectName });
  return sort === SORT.answered ? t('answered') : t('recent');
}

interface OpenedByItself {
  /** Query string of the list in which it was first. */
  list: string;
  id: string;
}

/**
 * The question next to the list: the selected one, otherwise the first. That one stays while the list is the same,
 * even when newer questions come first, so that a question someone reads, votes on or writes to is not replaced, and
 * the focus stays.
 */
export function useOpenQuestion(
  selectedId: string | null,
  questions: readonly { _id: string }[] | undefined,
  list: string,
): string | undefined {
  const [opened, setOpened] = useState<OpenedByItself>();
  if (selectedId !== null) return selectedId;
  const kept = opened?.list === list ? opened.id : undefined;
  // Briefly empty while the list is refetched.
  const isThere = questions === undefined || questions.some(({ _id }) => _id === kept);
  const open = kept !== undefined && isThere ? kept : questions?.[0]?._id;
  if (open !== undefined && open !== kept) setOpened({ list, id: open });
  return open;
}
