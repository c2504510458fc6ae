import { useQuery } from '@apollo/client/react';
import { Button, Group } from '@mantine/core';
import IconHistory from '@tabler/icons-react/dist/esm/icons/IconHistory.mjs';
import { useTranslation } from 'react-i18next';
import { Link, useParams } from 'react-router-dom';
import { paths } from '../../app/paths';
import { EmptyState } from '../../components/empty-state';
import { ErrorNotice } from '../../components/error-notice';
import { PageHeading } from '../../components/page-heading';
import { SkeletonRows } from '../../components/skeletons';
import {
  type HistoryRangePartsFragment,
  QuestionAsOfDocument,
  QuestionHistoryRangeDocument,
} from '../../generated/graphql';
import { AsOfBanner } from './as-of-banner';
import classes from './as-of.module.css';
import { inputOf, type Point } from './point';
import { PointPicker } from './point-picker';
import { QuestionThen } from './question-then';
import { usePoint } from './use-point';

/** A question's page as it stood at a point in the past. */
export default function QuestionAsOfScreen() {
  const { t } = useTranslation('asOf');
  const { questionId = '' } = useParams();
  const { data, error, refetch } = useQuery(QuestionHistoryRangeDocument, {
    variables: { questionId },
    fetchPolicy: 'no-cache',
  });
  const range = data?.getQuestionHistoryRange;
  const { point, setPoint } = usePoint(range);
  return (
    <div className={classes.screen}>
      <PageHeading
        actions={
          <Group gap="xs">
            <Button component={Link} to={paths.singleQuestion(questionId, 'home')} variant="default">
              {t('question.today')}
            </Button>
            <Button component={Link} to={paths.asOf} variant="default">
              {t('elsewhere')}
            </Button>
          </Group>
        }
      >
        {t('question.title')}
      </PageHeading>
      {error && !data && <ErrorNotice error={error} onRetry={() => void refetch()} />}
      {!data && !error && <SkeletonRows count={6} height={64} />}
      {range && point && <Then {...{ questionId, range, point, setPoint }} />}
    </div>
  );
}

interface ThenProps {
  questionId: string;
  range: HistoryRangePartsFragment;
  point: Point;
  setPoint: (point: Point) => void;
}

function Then({ questionId, range, point, setPoint }: ThenProps) {
  const { t } = useTranslation('asOf');
  // Not kept beside what is live: the same posts look different then.
  const { data, previousData, error, loading, refetch } = useQuery(QuestionAsOfDocument, {
    variables: { questionId, asOf: inputOf(point) },
    fetchPolicy: 'no-cache',
  });
  const page = (data ?? previousData)?.getQuestionAsOf;
  return (
    <>
      <PointPicker range={range} point={point} onChange={setPoint} />
      <AsOfBanner point={point} note={page?.state === 'REMOVED' ? t('question.removedNote') : undefined} />
      {error && <ErrorNotice error={error} onRetry={() => void refetch()} />}
      <div className={classes.page} aria-busy={loading}>
        {!page && !error && <SkeletonRows count={4} height={64} />}
        {page?.state === 'NOT_ASKED_YET' && (
          <EmptyState icon={IconHistory} title={t('question.notYet')} text={t('question.notYetText')} />
        )}
        {page && <QuestionThen page={page} />}
      </div>
    </>
  );
}
