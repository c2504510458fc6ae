import { Tabs } from '@mantine/core';
import IconSearch from '@tabler/icons-react/dist/esm/icons/IconSearch.mjs';
import type { RefObject } from 'react';
import { useTranslation } from 'react-i18next';
import { Navigate } from 'react-router-dom';
import { paths } from '../../app/paths';
import { EmptyState } from '../../components/empty-state';
import { PageHeading } from '../../components/page-heading';
import { useOwnReports } from '../../features/reports/use-own-reports';
import { searchTabs, type SearchTab } from '../../features/search/search-address';
import { SearchFilterBar } from '../../features/search/search-filter-bar';
import { useHitCounts, type HitCount } from '../../features/search/use-hit-counts';
import { useSearch } from '../../features/search/use-search';
import { useCurrentSpace } from '../../lib/auth-storage';
import { useIsNarrow } from '../../lib/narrow';
import { useTabInView } from '../../lib/use-tab-in-view';
import { AnswerHits } from './answer-hits';
import { FoundQuestionPanel } from './found-question-panel';
import { PeopleHits } from './people-hits';
import { QuestionHits } from './question-hits';
import classes from './search-screen.module.css';
import { TopicHits } from './topic-hits';

/** What the box in the header finds in the current space. */
export default function SearchScreen() {
  const { t } = useTranslation('search');
  const space = useCurrentSpace();
  const { text } = useSearch();
  useOwnReports();
  return (
    <div className={classes.screen}>
      <PageHeading>{t('title')}</PageHeading>
      {text === '' && <EmptyState icon={IconSearch} title={t('prompt')} text={t('promptText')} />}
      {text !== '' && space && <Results key={space._id} space={space._id} />}
    </div>
  );
}

function Results({ space }: { space: string }) {
  const search = useSearch();
  const { text, tab, filters, questionId, change } = search;
  const hitsOf = useHitCounts(text, filters);
  const openTab = useTabInView(tab);
  // One pane at a time: a question has its page, and the way back from there leads to the hits.
  if (useIsNarrow() && questionId !== null)
    return <Navigate to={paths.singleQuestion(questionId, 'home')} replace />;
  return (
    <Tabs
      className={classes.results}
      value={tab}
      keepMounted={false}
      onChange={(chosen) => change({ tab: searchTabs.find((known) => known === chosen) ?? 'questions' })}
    >
      <Tabs.List>
        {searchTabs.map((known) => (
          <HitsTab
            key={known}
            tab={known}
            hits={hitsOf?.(known)}
            control={known === tab ? openTab : undefined}
          />
        ))}
      </Tabs.List>
      {(tab === 'questions' || tab === 'answers') && (
        <SearchFilterBar
          space={space}
          filters={filters}
          hasToggles={tab === 'questions'}
          onChange={(next) => change({ filters: next })}
        />
      )}
      <Tabs.Panel value={tab} className={classes.columns} data-open={questionId !== null || undefined}>
        <div>
          {tab === 'questions' && <QuestionHits space={space} search={search} />}
          {tab === 'answers' && <AnswerHits space={space} search={search} />}
          {tab === 'topics' && <TopicHits space={space} text={search.text} />}
          {tab === 'people' && <PeopleHits space={space} text={search.text} />}
        </div>
        {questionId !== null && (
          <FoundQuestionPanel
            key={questionId}
            questionId={questionId}
            onClose={() => change({ questionId: null })}
          />
        )}
      </Tabs.Panel>
    </Tabs>
  );
}

interface HitsTabProps {
  tab: SearchTab;
  hits: HitCount | undefined;
  control: RefObject<HTMLButtonElement> | undefined;
}

/** Has the room for the count before it is known, so that no tab moves under the pointer. */
function HitsTab({ tab, hits, control }: HitsTabProps) {
  const { t } = useTranslation('search');
  return (
    <Tabs.Tab
      ref={control}
      className={classes.tab}
      value={tab}
      aria-description={hits && t('hits', { ...hits })}
      rightSection={
        <span className={classes.count} aria-hidden>
          {hits?.shown}
        </span>
      }
    >
      {t(`tabs.${tab}`)}
    </Tabs.Tab>
  );
}
