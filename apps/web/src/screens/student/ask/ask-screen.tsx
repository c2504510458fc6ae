import { useApolloClient } from '@apollo/client/react';
import { Button } from '@mantine/core';
import IconMessageOff from '@tabler/icons-react/dist/esm/icons/IconMessageOff.mjs';
import { useTranslation } from 'react-i18next';
import { Link, useNavigate } from 'react-router-dom';
import { paths } from '../../../lib/paths';
import { EmptyState } from '../../../components/empty-state';
import { useSpaceStanding } from '../../../lib/api/space-standing';
import QuestionForm from '../../../features/questions/question-form';
import { noFilters, searchParamsOf } from '../../../features/questions/question-filters';
import { useCurrentSpace } from '../../../lib/auth-storage';
import { useScreenTitle } from '../../../lib/browser/announce';
import { useGoBack } from '../../../lib/browser/back-navigation';
import classes from './ask.module.css';

const ownQuestions = searchParamsOf({ ...noFilters, toggles: new Set(['myQuestions']) }).toString();

/** Queries to refetch after a new question. */
const changedFields = [
  'getPaginatedQuestions',
  'getUnsolvedQuestions',
  'getPopularTopics',
  'getSubjectTopics',
  'searchTopics',
];

/** Asks a question of the current space. */
export default function AskScreen() {
  const { t } = useTranslation('ask', { keyPrefix: 'form' });
  const space = useCurrentSpace()?._id;
  const client = useApolloClient();
  const navigate = useNavigate();
  const leave = useGoBack(paths.dashboard);
  useScreenTitle(t('askTitle'));
  const handleAsked = () => {
    for (const fieldName of changedFields) client.cache.evict({ id: 'ROOT_QUERY', fieldName });
    void navigate({ pathname: paths.dashboard, search: ownQuestions }, { replace: true });
  };
  if (useSpaceStanding().onlyReads) return <ReadOnly />;
  return (
    space !== undefined && (
      <div className={classes.page}>
        <QuestionForm key={space} space={space} headingOrder={1} onClose={leave} onSaved={handleAsked} />
      </div>
    )
  );
}

function ReadOnly() {
  const { t } = useTranslation(['ask', 'score']);
  return (
    <EmptyState
      icon={IconMessageOff}
      titleOrder={1}
      title={t('form.askTitle')}
      text={t('vote.silent')}
      action={
        <Button component={Link} to={paths.dashboard}>
          {t('score:toQuestions')}
        </Button>
      }
    />
  );
}
