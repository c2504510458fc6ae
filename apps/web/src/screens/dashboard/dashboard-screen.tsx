import { Anchor } from '@mantine/core';
import { useRef, type FocusEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, Navigate, useNavigate } from 'react-router-dom';
import { paths } from '../../app/paths';
import { FilterBar } from '../../features/questions/filter-bar';
import { toggleLabels } from '../../features/questions/filter-controls';
import { QuestionDetail } from '../../features/questions/question-detail';
import {
  searchParamsOf,
  toggles,
  withSubject,
  type QuestionFilters,
} from '../../features/questions/question-filters';
import { NewQuestions } from '../../features/questions/new-questions';
import { QuestionList } from '../../features/questions/question-list';
import { UnsolvedQuestions } from '../../features/questions/unsolved-questions';
import { useQuestionFilters } from '../../features/questions/use-question-filters';
import { useQuestionList } from '../../features/questions/use-question-list';
import { useOwnReports } from '../../features/reports/use-own-reports';
import { useListKeys } from '../../features/shortcuts/use-list-keys';
import { TopicCarousel } from '../../features/subjects/topic-carousel';
import { useSubjects } from '../../features/subjects/use-subjects';
import { useCurrentSpace } from '../../lib/auth-storage';
import { useIsNarrow } from '../../lib/narrow';
import { useScreenTitle } from '../../lib/use-screen-title';
import { useVisibleHeight } from '../../lib/use-visible-height';
import classes from './dashboard.module.css';
import { useListHeading } from './use-list-heading';
import { useOpenQuestion } from './use-open-question';

/** The questions of the current space: filters, two carousels, the list, and the chosen question beside it. */
export default function DashboardScreen() {
  const space = useCurrentSpace();
  return space && <Dashboard key={space._id} space={space._id} />;
}

function Dashboard({ space }: { space: string }) {
  const { t } = useTranslation('ask');
  const { filters, setFilters, selectedId, searchFor, deselect } = useQuestionFilters();
  const list = useQuestionList(space, filters);
  const heading = useListHeading(space, filters);
  useOwnReports();
  useScreenTitle(t('screenTitle'));
  const isNarrow = useIsNarrow();
  const panel = useVisibleHeight<HTMLElement>();
  const openId = useOpenQuestion(selectedId, list.questions, searchParamsOf(filters).toString());
  const cards = useRef<HTMLElement>(null);
  const navigate = useNavigate();
  useListKeys(cards, {
    choosesOnWalk: true,
    open: () => openId !== undefined && void navigate(paths.singleQuestion(openId, 'home')),
  });
  // A question that its reader writes to stays open, though it is removed or leaves the list.
  const chooseWritten = ({ target }: FocusEvent) => {
    if (openId !== undefined && selectedId === null && target.matches('input, textarea, [role="textbox"]'))
      void navigate({ search: searchFor(openId) }, { replace: true });
  };
  // One pane at a time: a question has its page, and the way back from there leads to this list.
  if (isNarrow && selectedId !== null)
    return <Navigate to={paths.singleQuestion(selectedId, 'home')} replace />;
  return (
    <div className={classes.dashboard}>
      <h1 className={classes.hidden}>{t('screenTitle')}</h1>
      <FilterBar
        space={space}
        filters={filters}
        onChange={setFilters}
        onAsk={() => void navigate(paths.ask)}
      />
      <UnsolvedQuestions space={space} subject={filters.subject} />
      <Topics space={space} filters={filters} onChange={setFilters} />
      <div className={classes.columns}>
        <section ref={cards} aria-labelledby="list-heading">
          <div className={classes.headingRow}>
            <h2 id="list-heading" className={classes.heading}>
              {heading}
            </h2>
            <ChosenToggles filters={filters} />
          </div>
          <NewQuestions count={list.newCount} onShow={list.showNew} />
          <QuestionList
            list={list}
            label={heading}
            selectedId={isNarrow ? undefined : openId}
            toQuestion={(id) => (isNarrow ? paths.singleQuestion(id, 'home') : { search: searchFor(id) })}
            replaces={!isNarrow}
          />
        </section>
        {!isNarrow && (
          <section
            ref={panel}
            className={classes.detail}
            aria-label={t('list.open')}
            // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls: without focus, what is below needs a mouse
            tabIndex={0}
            onFocus={chooseWritten}
          >
            {openId === undefined ? (
              <p className={classes.hint}>{t('list.selectHint')}</p>
            ) : (
              <>
                <Anchor
                  component={Link}
                  to={paths.singleQuestion(openId, 'home')}
                  size="sm"
                  className={classes.toPage ?? ''}
                >
                  {t('question.openPage')}
                </Anchor>
                <QuestionDetail key={openId} questionId={openId} headingOrder={2} onGone={deselect} />
              </>
            )}
          </section>
        )}
      </div>
    </div>
  );
}

/** What else narrows the list, in the words of the filters: the heading's own are the specification's. */
function ChosenToggles({ filters }: { filters: QuestionFilters }) {
  const { t } = useTranslation('ask', { keyPrefix: 'filters' });
  const chosen = toggles.filter((toggle) => filters.toggles.has(toggle));
  if (chosen.length === 0) return null;
  return <p className={classes.filters}>{chosen.map((toggle) => t(toggleLabels[toggle])).join(' · ')}</p>;
}

interface TopicsProps {
  space: string;
  filters: QuestionFilters;
  onChange: (filters: QuestionFilters) => void;
}

function Topics({ space, filters, onChange }: TopicsProps) {
  const { subjects } = useSubjects(space);
  return (
    <TopicCarousel
      space={space}
      subject={filters.subject}
      subjectName={subjects.find(({ _id }) => _id === filters.subject)?.subjectName}
      selectedTopic={filters.topic}
      onChoose={(subject, topic) =>
        onChange({ ...withSubject(filters, subject), topic: filters.topic === topic ? null : topic })
      }
    />
  );
}
