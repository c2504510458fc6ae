import { VisuallyHidden } from '@mantine/core';
import IconCircleCheckFilled from '@tabler/icons-react/dist/esm/icons/IconCircleCheckFilled.mjs';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import { paths, type SingleQuestionOrigin } from '../../app/paths';
import { InlineText } from '../../components/rich-text/inline-text';
import { RelativeTime } from '../../components/relative-time';
import { SubjectChip } from '../../components/subject-chip';
import { TopicChip } from '../../components/topic-chip';
import { ModeratorAsOfLink } from '../../features/areas/moderator-as-of-link';
import { noFilters, searchParamsOf } from '../../features/questions/question-filters';
import { titleForCard } from '../../features/questions/truncate';
import { useLoadedQuestion } from '../../features/questions/use-question';
import { useHiddenPosts } from '../../features/reports/hidden-posts';
import { useSimilarQuestions } from '../../features/search/use-similar-questions';
import type { QuestionDetailFragment } from '../../generated/graphql';
import { useAuthUser } from '../../lib/auth-storage';
import classes from './question-side.module.css';

interface QuestionSideProps {
  questionId: string;
  cameFrom: SingleQuestionOrigin;
}

/** Beside a question: when it was asked, where it is filed, and what is like it. */
export function QuestionSide({ questionId, cameFrom }: QuestionSideProps) {
  const { t } = useTranslation('search');
  const question = useLoadedQuestion(questionId);
  if (!question) return <aside className={classes.side} aria-label={t('about')} />;
  return (
    <aside className={classes.side} aria-label={t('about')}>
      <Facts question={question} />
      {question.isAuthorizedToInteract && <Similar question={question} cameFrom={cameFrom} />}
    </aside>
  );
}

function Facts({ question }: { question: QuestionDetailFragment }) {
  const { t } = useTranslation('search');
  const { subject, topic } = question;
  const inDashboard = (topicId: string | null) => ({
    pathname: paths.dashboard,
    search: searchParamsOf({ ...noFilters, subject: subject._id, topic: topicId }).toString(),
  });
  return (
    <section className={classes.card}>
      <h2 className={classes.heading}>{t('about')}</h2>
      <dl className={classes.facts}>
        <dt>{t('asked')}</dt>
        <dd>
          <RelativeTime at={question.createdAt} />
        </dd>
        {question.editedAt !== null && (
          <>
            <dt>{t('edited')}</dt>
            <dd>
              <RelativeTime at={question.editedAt} />
            </dd>
          </>
        )}
        <dt>{t('status')}</dt>
        <dd>{t(question.acceptedAnswer ? 'solved' : 'unsolved')}</dd>
        <dt>{t('subject')}</dt>
        <dd>
          <Link to={inDashboard(null)} className={classes.filed}>
            <SubjectChip subject={subject} />
          </Link>
        </dd>
        <dt>{t('topic')}</dt>
        <dd>
          <Link to={inDashboard(topic._id)} className={classes.filed}>
            <TopicChip topic={topic} />
          </Link>
        </dd>
        <dt>{t('space')}</dt>
        <dd>{question.space.name}</dd>
      </dl>
      <ModeratorAsOfLink spaceId={question.space._id} to={paths.questionAsOf(question._id)} />
    </section>
  );
}

function Similar({
  question,
  cameFrom,
}: {
  question: QuestionDetailFragment;
  cameFrom: SingleQuestionOrigin;
}) {
  const { t } = useTranslation('search');
  const hidden = useHiddenPosts(useAuthUser()?._id, 'QUESTION');
  const similar = useSimilarQuestions({
    title: question.title,
    space: question.space._id,
    except: question._id,
  }).filter((hit) => !hidden.has(hit.question._id));
  if (similar.length === 0) return null;
  return (
    <section className={classes.card}>
      <h2 className={classes.heading}>{t('similar')}</h2>
      <ul className={classes.similar}>
        {similar.map(({ question: { _id, title, acceptedAnswer } }) => (
          <li key={_id}>
            <Link to={paths.singleQuestion(_id, cameFrom)} className={classes.link} data-list-link>
              <span className={classes.title} dir="auto">
                <InlineText text={titleForCard(title)} />
              </span>
              {acceptedAnswer && (
                <span className={classes.solved} title={t('solved')}>
                  <IconCircleCheckFilled size={16} aria-hidden />
                  <VisuallyHidden>{t('solved')}</VisuallyHidden>
                </span>
              )}
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}
