import { Button } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Link, useLocation, useParams } from 'react-router-dom';
import { paths } from '../../../lib/paths';
import { LanguageChoice } from '../../../components/language-choice';
import { Logo } from '../../../components/logo';
import { QuestionDetail } from '../../../features/question-thread/question-detail';
import { useLoadedQuestion } from '../../../features/questions/use-question';
import { useAuthUser } from '../../../lib/auth-storage';
import { continueInBrowser } from '../../../lib/browser/device';
import { useScreenTitle } from '../../../lib/browser/announce';
import classes from './public-question.module.css';

/** A question for everyone with the link, at any width. */
export default function PublicQuestionScreen() {
  const { t } = useTranslation('ask');
  const { questionId = '' } = useParams();
  const { pathname } = useLocation();
  const user = useAuthUser();
  const question = useLoadedQuestion(questionId);
  useScreenTitle(question?.title ?? t('screenTitle'));
  return (
    <div className={classes.page}>
      <header className={classes.header}>
        <Logo />
        <div className={classes.end}>
          <LanguageChoice compact />
          {!user && (
            <Button
              component={Link}
              to={paths.login}
              state={{ from: pathname }}
              size="sm"
              onClick={continueInBrowser}
            >
              {t('public.login')}
            </Button>
          )}
        </div>
      </header>
      <main className={classes.main}>
        <QuestionDetail key={questionId} questionId={questionId} headingOrder={1} />
      </main>
    </div>
  );
}
