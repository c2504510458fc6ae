import { useQuery } from '@apollo/client/react';
import { Anchor } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import { ExactTime } from '../../../components/exact-time';
import { ErrorNotice } from '../../../components/notices';
import { SkeletonRows } from '../../../components/skeletons';
import { useModeratedSpaces } from '../../../features/areas/use-moderated-spaces';
import { StudentWarningsDocument, type StudentWarningFragment } from '../../../generated/graphql';
import { shownName } from '../../../lib/api/erased';
import { paths } from '../../../lib/paths';
import { ConfidentialSection } from './confidential-section';
import classes from './user-detail.module.css';

/** For moderators of the space: warnings of the student in all spaces they moderate. */
export function StudentWarnings({ studentId, space }: { studentId: string; space: string }) {
  const { t } = useTranslation('userDetail');
  const { spaces } = useModeratedSpaces();
  if (!spaces?.some(({ _id }) => _id === space)) return null;
  return (
    <ConfidentialSection title={t('warnings')} hint={t('warningsHint')} showLabel={t('showWarnings')}>
      <WarningList studentId={studentId} />
    </ConfidentialSection>
  );
}

function WarningList({ studentId }: { studentId: string }) {
  const { t } = useTranslation('userDetail');
  const { data, error, refetch } = useQuery(StudentWarningsDocument, {
    variables: { studentId },
    fetchPolicy: 'network-only',
  });
  const warnings = data?.getStudentWarnings;
  if (error && !warnings) return <ErrorNotice error={error} onRetry={() => void refetch()} />;
  if (!warnings) return <SkeletonRows count={1} height={72} />;
  if (warnings.length === 0) return <p className={classes.dimmed}>{t('noWarnings')}</p>;
  return (
    <ul className={classes.posts} aria-label={t('warnings')}>
      {warnings.map((warning) => (
        <Warning key={warning._id} warning={warning} />
      ))}
    </ul>
  );
}

function Warning({
  warning: { text, warnedAt, spaceName, moderator, post },
}: {
  warning: StudentWarningFragment;
}) {
  const { t } = useTranslation('userDetail');
  return (
    <li className={classes.note}>
      <div className={classes.meta}>
        <span className={classes.kind}>{shownName(moderator)}</span>
        <span>{spaceName}</span>
        <ExactTime at={warnedAt} />
      </div>
      <p className={classes.noteText} dir="auto">
        {text}
      </p>
      {post && (
        <Anchor component={Link} size="sm" to={paths.moderationCase(post.postId)} dir="auto">
          {t('warnedAbout', { title: post.title })}
        </Anchor>
      )}
    </li>
  );
}
