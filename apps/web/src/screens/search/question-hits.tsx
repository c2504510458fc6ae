import { Button } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Link, useNavigate } from 'react-router-dom';
import { paths } from '../../app/paths';
import { QuestionCard } from '../../features/questions/question-card';
import { queryValsOf } from '../../features/questions/question-filters';
import { titlePartsForCard } from '../../features/questions/truncate';
import { useHiddenPosts } from '../../features/reports/hidden-posts';
import { MarkedText } from '../../features/search/marked-text';
import { useHits } from '../../features/search/use-hits';
import type { useSearch } from '../../features/search/use-search';
import { SearchQuestionsDocument, type SearchQuestionsQuery } from '../../generated/graphql';
import { useAuthUser } from '../../lib/auth-storage';
import { useIsNarrow } from '../../lib/narrow';
import { HitList } from './hit-list';

const kind = {
  document: SearchQuestionsDocument,
  field: 'searchQuestions',
  hitsOf: ({ searchQuestions }: SearchQuestionsQuery) => searchQuestions,
} as const;

interface QuestionHitsProps {
  space: string;
  search: ReturnType<typeof useSearch>;
}

/** The questions that were found, with their matches marked. */
export function QuestionHits({ space, search }: QuestionHitsProps) {
  const { text, filters, questionId, searchFor } = search;
  const navigate = useNavigate();
  const isNarrow = useIsNarrow();
  const hidden = useHiddenPosts(useAuthUser()?._id, 'QUESTION');
  const found = useHits(kind, {
    search: text,
    queryVals: queryValsOf(filters, space),
    ...(filters.sort === null ? {} : { sort: filters.sort }),
  });
  const visible = { ...found, hits: found.hits?.filter(({ question }) => !hidden.has(question._id)) };
  return (
    <HitList
      found={visible}
      rowHeight={124}
      action={<AskLink />}
      choosesOnWalk={!isNarrow}
      open={() => questionId !== null && void navigate(paths.singleQuestion(questionId, 'home'))}
    >
      {({ question, title, excerpt }) => (
        <QuestionCard
          question={question}
          to={isNarrow ? paths.singleQuestion(question._id, 'home') : { search: searchFor(question._id) }}
          isSelected={question._id === questionId}
          title={<MarkedText parts={titlePartsForCard(title)} />}
          preview={excerpt.length === 0 ? '' : <MarkedText parts={excerpt} />}
        />
      )}
    </HitList>
  );
}

function AskLink() {
  const { t } = useTranslation('search');
  return (
    <Button component={Link} to={paths.ask}>
      {t('ask')}
    </Button>
  );
}
