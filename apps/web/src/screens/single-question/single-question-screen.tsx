import { ActionIcon } from '@mantine/core';
import IconArrowLeft from '@tabler/icons-react/dist/esm/icons/IconArrowLeft.mjs';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useNavigate, useParams } from 'react-router-dom';
import { paths } from '../../app/paths';
import { QuestionDetail } from '../../features/questions/question-detail';
import { useLoadedQuestion } from '../../features/questions/use-question';
import { useOwnReports } from '../../features/reports/use-own-reports';
import { useShortcuts } from '../../features/shortcuts/use-shortcuts';
import type { QuestionDetailFragment } from '../../generated/graphql';
import { enterSpace, useCurrentSpace } from '../../lib/auth-storage';
import { useScreenTitle } from '../../lib/use-screen-title';
import { QuestionSide } from './question-side';
import { useWayBack } from '../../lib/way-back';
import classes from './single-question.module.css';

/** One question on a page of its own; its last part of the address says where the arrow leads back to. */
export default function SingleQuestionScreen() {
  const { t } = useTranslation('ask');
  const { questionId = '', type } = useParams();
  const navigate = useNavigate();
  const cameFrom = type === 'profile' ? 'profile' : 'home';
  const back = cameFrom === 'profile' ? paths.profile : paths.dashboard;
  const { goBack, handleClick } = useWayBack(back);
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
      <QuestionSide questionId={questionId} cameFrom={cameFrom} />
    </div>
  );
}

/** A member who follows a link from elsewhere is in no space yet, and would have a menu without ways. */
function useEnterSpaceOf(question: QuestionDetailFragment | undefined) {
  const isNowhere = useCurrentSpace() === null;
  const space = question?.isAuthorizedToInteract ? question.space : undefined;
  useEffect(() => {
    if (isNowhere && space) enterSpace(space);
  }, [isNowhere, space]);
}
