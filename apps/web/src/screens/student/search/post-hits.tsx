import { Button } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Link, type To, useNavigate } from 'react-router-dom';
import { paths } from '../../../lib/paths';
import { PersonAvatar } from '../../../components/person-avatar';
import { RelativeTime } from '../../../components/relative-time';
import type { PostTargetState } from '../../../features/questions/post-target';
import { QuestionCard } from '../../../features/questions/question-card';
import { queryValsOf } from '../../../features/questions/question-filters';
import { titlePartsForCard } from '../../../components/rich-text/truncate';
import { useHiddenPosts } from '../../../features/reports/hidden-posts';
import { MarkedText } from '../../../components/rich-text/marked-text';
import { useHits } from '../../../features/search/use-hits';
import type { useSearch } from '../../../features/search/search-address';
import { useSpaceStanding } from '../../../lib/api/space-standing';
import {
  type FoundAnswerFragment,
  SearchAnswersDocument,
  type SearchAnswersQuery,
  SearchQuestionsDocument,
  type SearchQuestionsQuery,
} from '../../../generated/graphql';
import { useAuthUser } from '../../../lib/auth-storage';
import { useIsNarrow } from '../../../lib/browser/device';
import { HitList } from './hit-list';
import classes from './hit-list.module.css';

const questions = {
  document: SearchQuestionsDocument,
  field: 'searchQuestions',
  hitsOf: ({ searchQuestions }: SearchQuestionsQuery) => searchQuestions,
} as const;

interface QuestionHitsProps {
  space: string;
  search: ReturnType<typeof useSearch>;
}

/** Question results with highlighted matches. */
export function QuestionHits({ space, search }: QuestionHitsProps) {
  const { text, filters, questionId, searchFor } = search;
  const navigate = useNavigate();
  const isNarrow = useIsNarrow();
  const hidden = useHiddenPosts(useAuthUser()?._id, 'QUESTION');
  const found = useHits(questions, {
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
  if (useSpaceStanding().onlyReads) return null;
  return (
    <Button component={Link} to={paths.ask}>
      {t('ask')}
    </Button>
  );
}

const answers = {
  document: SearchAnswersDocument,
  field: 'searchAnswers',
  hitsOf: ({ searchAnswers }: SearchAnswersQuery) => searchAnswers,
} as const;

interface AnswerHitsProps {
  space: string;
  search: ReturnType<typeof useSearch>;
}

/** Answer results; selecting one shows its question next to the list. */
export function AnswerHits({ space, search }: AnswerHitsProps) {
  const { text, filters, questionId, searchFor } = search;
  const navigate = useNavigate();
  const isNarrow = useIsNarrow();
  const studentId = useAuthUser()?._id;
  const hiddenAnswers = useHiddenPosts(studentId, 'ANSWER');
  const hiddenQuestions = useHiddenPosts(studentId, 'QUESTION');
  const found = useHits(answers, {
    search: text,
    space,
    ...(filters.sort === null ? {} : { sort: filters.sort }),
    ...(filters.subject === null ? {} : { subject: filters.subject }),
    ...(filters.topic === null ? {} : { topic: filters.topic }),
  });
  const isVisible = ({ answer }: FoundAnswerFragment) =>
    !hiddenAnswers.has(answer._id) && !hiddenQuestions.has(answer.question._id);
  return (
    <HitList
      found={{ ...found, hits: found.hits?.filter(isVisible) }}
      rowHeight={112}
      choosesOnWalk={!isNarrow}
      open={() => questionId !== null && void navigate(paths.singleQuestion(questionId, 'home'))}
    >
      {(hit) => (
        <AnswerHit
          hit={hit}
          to={
            isNarrow
              ? paths.singleQuestion(hit.answer.question._id, 'home')
              : { search: searchFor(hit.answer.question._id) }
          }
          isSelected={hit.answer.question._id === questionId}
        />
      )}
    </HitList>
  );
}

function AnswerHit({ hit, to, isSelected }: { hit: FoundAnswerFragment; to: To; isSelected: boolean }) {
  const { t } = useTranslation('search');
  const { author, createdAt } = hit.answer;
  return (
    <Link
      to={to}
      state={{ target: { answerId: hit.answer._id } } satisfies PostTargetState}
      preventScrollReset
      data-list-link
      className={`${classes.card} ${classes.answer}`}
      aria-current={isSelected || undefined}
    >
      <span className={classes.name} dir="auto">
        <MarkedText parts={titlePartsForCard(hit.title)} />
      </span>
      <span className={classes.excerpt} dir="auto">
        <MarkedText parts={hit.excerpt} />
      </span>
      <span className={classes.foot}>
        <PersonAvatar person={author} size={22} />
        {t('answerBy', { name: author.userName })}
        <span aria-hidden>·</span>
        <RelativeTime at={createdAt} />
      </span>
    </Link>
  );
}
