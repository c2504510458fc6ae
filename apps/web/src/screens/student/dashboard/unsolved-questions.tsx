import { useQuery } from '@apollo/client/react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import { paths } from '../../../lib/paths';
import { InlineText } from '../../../components/rich-text/inline-text';
import { SubjectChip, TopicChip } from '../../../components/chips';
import { UnsolvedQuestionsDocument } from '../../../generated/graphql';
import { useAuthUser } from '../../../lib/auth-storage';
import { useHiddenPosts } from '../../../features/reports/hidden-posts';
import { CardCarousel } from '../../../components/card-carousel';
import { titleForCard } from '../../../components/rich-text/truncate';
import cut from '../../../components/rich-text/cut-line.module.css';
import classes from './unsolved-questions.module.css';

const UNSOLVED = 10;

interface UnsolvedQuestionsProps {
  id: string;
  space: string;
  subject: string | null;
}

/** Carousel of unsolved questions. */
export function UnsolvedQuestions({ id, space, subject }: UnsolvedQuestionsProps) {
  const { t } = useTranslation('ask');
  const { data, error, refetch } = useQuery(UnsolvedQuestionsDocument, {
    variables: { spaceId: space, limit: UNSOLVED, subjectIds: subject === null ? null : [subject] },
    fetchPolicy: 'cache-and-network',
    nextFetchPolicy: 'cache-first',
  });
  const hidden = useHiddenPosts(useAuthUser()?._id, 'QUESTION');
  const questions = data?.getUnsolvedQuestions.docs.filter(({ _id }) => !hidden.has(_id));
  const cards = questions?.map(({ _id, title, subject: ofSubject, topic }) => (
    <li key={_id}>
      <Link to={paths.singleQuestion(_id, 'home')} className={classes.card}>
        <span className={classes.chips}>
          <SubjectChip subject={ofSubject} />
          <TopicChip topic={topic} />
        </span>
        <span className={`${cut.line} ${classes.title}`} dir="auto">
          <InlineText text={titleForCard(title)} />
        </span>
      </Link>
    </li>
  ));
  return (
    <CardCarousel
      id={id}
      title={t('unsolvedQuestions')}
      perRow="questions"
      cards={cards}
      emptyText={t('noUnsolvedQuestions')}
      error={error}
      onRetry={() => void refetch()}
    />
  );
}
