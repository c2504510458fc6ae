import { useApolloClient, useMutation, useQuery } from '@apollo/client/react';
import { ActionIcon, Anchor, Button, Skeleton, Title } from '@mantine/core';
import IconArrowLeft from '@tabler/icons-react/dist/esm/icons/IconArrowLeft.mjs';
import IconUserQuestion from '@tabler/icons-react/dist/esm/icons/IconUserQuestion.mjs';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useSearchParams } from 'react-router-dom';
import { paths } from '../../../lib/paths';
import { EmptyState } from '../../../components/empty-state';
import { ErrorNotice } from '../../../components/notices';
import { Medal } from '../../../components/medal';
import { PersonAvatar } from '../../../components/person-avatar';
import { ReasonDialog } from '../../../components/dialogs';
import { toast } from '../../../components/toast';
import { useModeratedSpaces } from '../../../features/areas/use-moderated-spaces';
import {
  RemoveMemberDocument,
  type StudentDetailFragment,
  UserDetailDocument,
} from '../../../generated/graphql';
import { useAuthUser, useCurrentSpace } from '../../../lib/auth-storage';
import { errorCode, errorText } from '../../../lib/api/errors';
import { wholeNumber } from '../../../lib/format';
import { useScreenTitle } from '../../../lib/browser/announce';
import { BlockControls } from './block-controls';
import { StudentNotes } from './student-notes';
import { StudentPosts } from './student-posts';
import { StudentWarnings } from './student-warnings';
import classes from './user-detail.module.css';

/** A student's profile as others see it. The URL names the student and, if not the current one, the space. */
export default function UserDetailScreen() {
  const { t } = useTranslation('userDetail');
  const [search] = useSearchParams();
  const currentSpace = useCurrentSpace()?._id ?? '';
  const studentId = search.get('id') ?? '';
  const space = search.get('space') ?? currentSpace;
  return (
    <div className={classes.page}>
      <ActionIcon
        className={classes.back}
        component={Link}
        to={paths.risingStars}
        variant="default"
        size="lg"
        aria-label={t('back')}
        title={t('back')}
      >
        <IconArrowLeft size={20} stroke={1.75} aria-hidden />
      </ActionIcon>
      <div>
        {studentId === '' ? (
          <StudentNotFound />
        ) : (
          <Person key={studentId} studentId={studentId} space={space} />
        )}
      </div>
    </div>
  );
}

function Person({ studentId, space }: { studentId: string; space: string }) {
  const isOneself = useAuthUser()?._id === studentId;
  const { data, error, refetch } = useQuery(UserDetailDocument, {
    variables: { studentId, space },
    fetchPolicy: 'cache-and-network',
  });
  const student = data?.getStudentDetail;
  if (error && !student) {
    // A malformed id is treated like an unknown one.
    return errorCode(error) === 'VALIDATION_FAILED' ? (
      <StudentNotFound />
    ) : (
      <ErrorNotice error={error} onRetry={() => void refetch()} />
    );
  }
  if (student === null) return <StudentNotFound />;
  if (student === undefined) return <Skeleton height={260} radius="lg" />;
  return (
    <>
      <PersonCard student={student} space={space} />
      {student.accountStatus !== null && !isOneself && (
        <>
          <StudentWarnings studentId={studentId} space={space} />
          <StudentNotes studentId={studentId} space={space} />
        </>
      )}
      <StudentPosts student={studentId} space={space} />
    </>
  );
}

function StudentNotFound() {
  const { t } = useTranslation('userDetail');
  useScreenTitle(t('unknownTitle'));
  return (
    <EmptyState
      icon={IconUserQuestion}
      titleOrder={1}
      title={t('unknownTitle')}
      text={t('unknownText')}
      action={
        <Button component={Link} to={paths.leaderboard}>
          {t('toLeaderboard')}
        </Button>
      }
    />
  );
}

function PersonCard({ student, space }: { student: StudentDetailFragment; space: string }) {
  const { t, i18n } = useTranslation('userDetail');
  useScreenTitle(student.userName);
  const fullName = `${student.firstName} ${student.lastName}`.trim();
  const joined = new Intl.DateTimeFormat(i18n.language, { dateStyle: 'long' }).format(
    new Date(student.joinedAt),
  );
  return (
    <section className={classes.card} aria-label={student.userName}>
      <div className={classes.identity}>
        <PersonAvatar person={student} size={88} />
        <div className={classes.names}>
          <Title order={1} size="h2">
            {student.userName}
          </Title>
          <p className={classes.dimmed}>
            {fullName !== '' && `${fullName} · `}
            {student.isMember ? t('joined', { date: joined }) : t('left')}
          </p>
          {student.profileDesc !== '' && (
            <p className={classes.about} dir="auto">
              {student.profileDesc}
            </p>
          )}
          {student.accountStatus !== null && <GiversLink student={student} space={space} />}
        </div>
        <BlockControls student={student} space={space} />
        {student.accountStatus !== null && <RemoveMember student={student} space={space} />}
      </div>
      {student.isRobot ? <p className={classes.robot}>{t('robot')}</p> : <Badges student={student} />}
    </section>
  );
}

/** Leads moderators of the space to everybody who votes for the student. */
function GiversLink({ student, space }: { student: StudentDetailFragment; space: string }) {
  const { t } = useTranslation('userDetail');
  const isOneself = useAuthUser()?._id === student._id;
  const { spaces } = useModeratedSpaces();
  if (isOneself || !spaces?.some(({ _id }) => _id === space)) return null;
  return (
    <Anchor component={Link} to={paths.voteGivers({ space, author: student._id })}>
      {t('givers')}
    </Anchor>
  );
}

function Badges({ student }: { student: StudentDetailFragment }) {
  const { t, i18n } = useTranslation('userDetail');
  const shown = (value: number) => wholeNumber(value, i18n.language);
  return (
    <dl className={classes.badges}>
      <Count label={t('reputations')} icon={<Medal metal="gold" />}>
        {shown(student.reputations)}
      </Count>
      <Count label={t('commitments')} icon={<Medal metal="silver" />}>
        {shown(student.commitments)}
      </Count>
      <Count label={t('rank')}>{student.rank === null ? '–' : shown(student.rank)}</Count>
      <Count label={t('questionsAsked')}>{shown(student.questionsAsked)}</Count>
      <Count label={t('questionsAnswered')}>{shown(student.questionsAnswered)}</Count>
      <Count label={t('answersAccepted')}>{shown(student.answersAccepted)}</Count>
    </dl>
  );
}

function Count({ label, icon, children }: { label: string; icon?: ReactNode; children: string }) {
  return (
    <div className={classes.badge}>
      <dt>{label}</dt>
      <dd>
        {icon}
        {children}
      </dd>
    </div>
  );
}

interface RemoveMemberProps {
  student: StudentDetailFragment;
  space: string;
}

/** For moderators of a space that is not open: students removed from an open one can rejoin at once. */
function RemoveMember({ student, space }: RemoveMemberProps) {
  const { t } = useTranslation('userDetail');
  const [isConfirming, setConfirming] = useState(false);
  const { spaces } = useModeratedSpaces();
  const isClosed = spaces?.some(({ _id, entry }) => _id === space && entry !== 'OPEN') ?? false;
  if (!isClosed || !student.isMember || !student.isBlockable) return null;
  return (
    <>
      <Button variant="default" c="var(--nimo-danger)" onClick={() => setConfirming(true)}>
        {t('remove.open')}
      </Button>
      {isConfirming && <RemoveDialog student={student} space={space} onClose={() => setConfirming(false)} />}
    </>
  );
}

function RemoveDialog({ student, space, onClose }: RemoveMemberProps & { onClose: () => void }) {
  const { t } = useTranslation('userDetail');
  const client = useApolloClient();
  const name = student.userName;
  const [remove] = useMutation(RemoveMemberDocument, {
    onCompleted: () => {
      toast.success(t('remove.done', { name }));
      onClose();
      void client.refetchQueries({ include: ['UserDetail'] });
    },
    onError: (error) => toast.error(errorText(error)),
  });
  return (
    <ReasonDialog
      title={t('remove.title', { name })}
      text={t('remove.text', { name })}
      label={t('remove.reason')}
      hint={t('remove.hint', { name })}
      missing={t('reasonMissing')}
      submitLabel={t('remove.confirm')}
      danger
      closeOnClickOutside
      onSubmit={(reason) => remove({ variables: { space, studentId: student._id, reason } })}
      onClose={onClose}
    />
  );
}
