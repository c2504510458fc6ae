import { ActionIcon, Tabs, Tooltip } from '@mantine/core';
import IconArrowsDiagonal from '@tabler/icons-react/dist/esm/icons/IconArrowsDiagonal.mjs';
import IconSearch from '@tabler/icons-react/dist/esm/icons/IconSearch.mjs';
import IconX from '@tabler/icons-react/dist/esm/icons/IconX.mjs';
import type { RefObject } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, Navigate } from 'react-router-dom';
import { paths } from '../../../lib/paths';
import { EmptyState } from '../../../components/empty-state';
import { PageHeading } from '../../../components/page-heading';
import { PersonAvatar } from '../../../components/person-avatar';
import { SubjectChip } from '../../../components/chips';
import { QuestionDetail } from '../../../features/question-thread/question-detail';
import { noFilters, searchParamsOf } from '../../../features/questions/question-filters';
import { useOwnReports } from '../../../features/reports/use-own-reports';
import { type SearchTab, searchTabs, useSearch } from '../../../features/search/search-address';
import { SearchFilterBar } from '../../../features/search/search-filter-bar';
import { type HitCount, useHitCounts, useHits } from '../../../features/search/use-hits';
import { detailPaneId, focusChosen } from '../../../features/shortcuts/use-list-keys';
import { useShortcuts } from '../../../features/shortcuts/use-shortcuts';
import {
  SearchPeopleDocument,
  type SearchPeopleQuery,
  SearchTopicsDocument,
  type SearchTopicsQuery,
} from '../../../generated/graphql';
import { useCurrentSpace } from '../../../lib/auth-storage';
import { useIsNarrow } from '../../../lib/browser/device';
import { useTabInView, useVisibleHeight } from '../../../lib/browser/viewport';
import { AnswerHits, QuestionHits } from './post-hits';
import { HitList } from './hit-list';
import hitListClasses from './hit-list.module.css';
import classes from './search-screen.module.css';

/** Search results in the current space. */
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
  // One pane at a time: a question has its own page, and Back returns to the results.
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

/** Reserves room for the count, so that no tab moves under the pointer. */
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

const people = {
  document: SearchPeopleDocument,
  field: 'searchUsers',
  hitsOf: ({ searchUsers }: SearchPeopleQuery) => searchUsers,
} as const;

/** Member results. */
function PeopleHits({ space, text }: { space: string; text: string }) {
  const found = useHits(people, { search: text, space });
  return (
    <HitList found={found} rowHeight={64}>
      {(person) => (
        <Link to={paths.userDetail(person._id)} className={hitListClasses.card} data-list-link>
          <PersonAvatar person={person} size={38} />
          <span className={hitListClasses.person}>
            <span className={hitListClasses.name}>{person.userName}</span>
            <span className={hitListClasses.dimmed}>
              {[person.firstName, person.lastName].filter(Boolean).join(' ')}
            </span>
          </span>
        </Link>
      )}
    </HitList>
  );
}

const topics = {
  document: SearchTopicsDocument,
  field: 'searchTopics',
  hitsOf: ({ searchTopics }: SearchTopicsQuery) => searchTopics,
} as const;

/** Topic results; each leads to its questions. */
function TopicHits({ space, text }: { space: string; text: string }) {
  const found = useHits(topics, { search: text, space });
  return (
    <HitList found={found} rowHeight={52}>
      {({ _id, topicName, subject }) => (
        <Link
          to={{
            pathname: paths.dashboard,
            search: searchParamsOf({ ...noFilters, subject: subject._id, topic: _id }).toString(),
          }}
          className={hitListClasses.card}
          data-list-link
        >
          <span className={hitListClasses.name}>{topicName}</span>
          <span className={hitListClasses.end}>
            <SubjectChip subject={subject} />
          </span>
        </Link>
      )}
    </HitList>
  );
}

interface FoundQuestionPanelProps {
  questionId: string;
  onClose: () => void;
}

/** The selected result next to the list, with its comments, its answers and theirs. */
function FoundQuestionPanel({ questionId, onClose }: FoundQuestionPanelProps) {
  const { t } = useTranslation('search');
  const panel = useVisibleHeight<HTMLElement>();
  const close = () => {
    focusChosen();
    onClose();
  };
  useShortcuts({ close, back: close });
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls: without focus, what is below needs a mouse
    <section ref={panel} id={detailPaneId} className={classes.panel} aria-label={t('panel')} tabIndex={0}>
      <div className={classes.panelTop}>
        <Tooltip label={t('openQuestion')}>
          <ActionIcon
            component={Link}
            to={paths.singleQuestion(questionId, 'home')}
            variant="subtle"
            color="gray"
            c="dimmed"
            size="lg"
            aria-label={t('openQuestion')}
          >
            <IconArrowsDiagonal size={18} stroke={1.75} aria-hidden />
          </ActionIcon>
        </Tooltip>
        <Tooltip label={t('closePanel')}>
          <ActionIcon
            variant="subtle"
            color="gray"
            c="dimmed"
            size="lg"
            aria-label={t('closePanel')}
            onClick={close}
          >
            <IconX size={18} stroke={1.75} aria-hidden />
          </ActionIcon>
        </Tooltip>
      </div>
      <QuestionDetail questionId={questionId} headingOrder={2} onGone={close} />
    </section>
  );
}
