import { ActionIcon, VisuallyHidden } from '@mantine/core';
import IconArrowLeft from '@tabler/icons-react/dist/esm/icons/IconArrowLeft.mjs';
import IconCircleCheckFilled from '@tabler/icons-react/dist/esm/icons/IconCircleCheckFilled.mjs';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useNavigate, useParams } from 'react-router-dom';
import { paths, type SingleQuestionOrigin } from '../../../lib/paths';
import { RelativeTime } from '../../../components/relative-time';
import { InlineText } from '../../../components/rich-text/inline-text';
import { SubjectChip, TopicChip } from '../../../components/chips';
import { ModeratorAsOfLink } from '../../../features/areas/moderator-as-of-link';
import { QuestionDetail } from '../../../features/question-thread/question-detail';
import { noFilters, searchParamsOf } from '../../../features/questions/question-filters';
import { titleForCard } from '../../../components/rich-text/truncate';
import { useLoadedQuestion } from '../../../features/questions/use-question';
import { useHiddenPosts } from '../../../features/reports/hidden-posts';
import { useOwnReports } from '../../../features/reports/use-own-reports';
import { useSimilarQuestions } from '../../../features/questions/similar-questions';
import { useShortcuts } from '../../../features/shortcuts/use-shortcuts';
import type { QuestionDetailFragment } from '../../../generated/graphql';
import { enterSpace, useAuthUser, useCurrentSpace } from '../../../lib/auth-storage';
import { useScreenTitle } from '../../../lib/browser/announce';
import { useBackLink } from '../../../lib/browser/back-navigation';
import questionSideClasses from './question-side.module.css';
import classes from './single-question.module.css';

/** A question on its own page; the last path segment says where the back arrow leads. */
export default function SingleQuestionScreen() {
  const { t } = useTranslation('ask');
  const { questionId = '', type } = useParams();
  const navigate = useNavigate();
  const origin = type === 'profile' ? 'profile' : 'home';
  const back = origin === 'profile' ? paths.profile : paths.dashboard;
  const { goBack, handleClick } = useBackLink(back);
  useShortcuts({ back: goBack });
  useOwnReports();
  const question = useLoadedQuestion(questionId);
  useEnterSpaceOf(question);
  useScreenTitle(question?.title ?? t('screenTitle'));
  return (
    <div className={classes.page}>
      <ActionIcon
        className={classes.back}
        component={Link}
        to={back}
        onClick={handleClick}
        variant="default"
        size="lg"
        aria-label={t('question.back')}
        title={t('question.back')}
      >
        <IconArrowLeft size={20} stroke={1.75} aria-hidden />
      </ActionIcon>
      <div className={classes.card}>
        <QuestionDetail
          key={questionId}
          questionId={questionId}
          headingOrder={1}
          onGone={() => void navigate(back, { replace: true })}
        />
      </div>
      <QuestionSide questionId={questionId} origin={origin} />
    </div>
  );
}

/** A member who follows a link from elsewhere has no current space, so the menu would be empty. */
function useEnterSpaceOf(question: QuestionDetailFragment | undefined) {
  const isNowhere = useCurrentSpace() === null;
  const space = question?.space.joined ? question.space : undefined;
  useEffect(() => {
    if (isNowhere && space) enterSpace(space);
  }, [isNowhere, space]);
}

interface QuestionSideProps {
  questionId: string;
  origin: SingleQuestionOrigin;
}

/** Metadata of a question: when it was asked, its subject and topic, and similar questions. */
function QuestionSide({ questionId, origin }: QuestionSideProps) {
  const { t } = useTranslation('search');
  const question = useLoadedQuestion(questionId);
  if (!question) return <aside className={questionSideClasses.side} aria-label={t('about')} />;
  return (
    <aside className={questionSideClasses.side} aria-label={t('about')}>
      <Facts question={question} />
      {question.space.joined && <Similar question={question} origin={origin} />}
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
    <section className={questionSideClasses.card}>
      <h2 className={questionSideClasses.heading}>{t('about')}</h2>
      <dl className={questionSideClasses.facts}>
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
          <Link to={inDashboard(null)} className={questionSideClasses.filed}>
            <SubjectChip subject={subject} />
          </Link>
        </dd>
        <dt>{t('topic')}</dt>
        <dd>
          <Link to={inDashboard(topic._id)} className={questionSideClasses.filed}>
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

function Similar({ question, origin }: { question: QuestionDetailFragment; origin: SingleQuestionOrigin }) {
  const { t } = useTranslation('search');
  const hidden = useHiddenPosts(useAuthUser()?._id, 'QUESTION');
  const similar = useSimilarQuestions({
    title: question.title,
    space: question.space._id,
    except: question._id,
  }).filter((hit) => !hidden.has(hit.question._id));
  if (similar.length === 0) return null;
  return (
    <section className={questionSideClasses.card}>
      <h2 className={questionSideClasses.heading}>{t('similar')}</h2>
      <ul className={questionSideClasses.similar}>
        {similar.map(({ question: { _id, title, acceptedAnswer } }) => (
          <li key={_id}>
            <Link to={paths.singleQuestion(_id, origin)} className={questionSideClasses.link} data-list-link>
              <span className={questionSideClasses.title} dir="auto">
                <InlineText text={titleForCard(title)} />
              </span>
              {acceptedAnswer && (
                <span className={questionSideClasses.solved} title={t('solved')}>
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
