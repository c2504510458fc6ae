import { useQuery } from '@apollo/client/react';
import { Button, Group, Text, Title } from '@mantine/core';
import { useFullscreen } from '@mantine/hooks';
import { type CSSProperties, useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useParams } from 'react-router-dom';
import { ErrorNotice } from '../../../components/notices';
import { PageHeading } from '../../../components/page-heading';
import { QrCode } from '../../../components/qr-code';
import { SkeletonRows } from '../../../components/skeletons';
import { formatCode } from '../../../features/entry/class-code';
import { CopyButton } from '../../../features/entry/copy-button';
import {
  ClassCodeDocument,
  type JoinedStudentFragment,
  type ShownClassCodeFragment,
} from '../../../generated/graphql';
import { shownName } from '../../../lib/api/erased';
import { announce, useAnnounceGrowth } from '../../../lib/browser/announce';
import { contentId } from '../../../lib/browser/focus';
import { paths } from '../../../lib/paths';
import { timings } from '../../../lib/timings';
import classes from './class-code.module.css';

const isHidden = () => document.visibilityState === 'hidden';

/** A page to project: how to join by class code, and who has. Without the area's menu, which may show confidential counts. */
export default function ClassCodeScreen() {
  const { t } = useTranslation('entry');
  const { spaceId = '', invitationId = '' } = useParams();
  const { data, error, refetch } = useQuery(ClassCodeDocument, {
    variables: { space: spaceId, id: invitationId },
    fetchPolicy: 'cache-and-network',
    pollInterval: timings.classCodeRefresh,
    skipPollAttempt: isHidden,
  });
  const code = data?.getClassCode;
  return (
    <main id={contentId} className={classes.page} tabIndex={-1}>
      <div className={classes.top}>
        <PageHeading actions={<Actions spaceId={spaceId} secret={code?.invitation.secret ?? null} />}>
          {code?.spaceName ?? t('kind.CODE')}
        </PageHeading>
      </div>
      {error && !code && <ErrorNotice error={error} onRetry={() => void refetch()} />}
      {!error && !code && <SkeletonRows count={3} height={160} />}
      {code && <JoinInstructions code={code} />}
      {code && <Joined code={code} />}
    </main>
  );
}

const joinAddress = (secret: string): string => `${window.location.origin}${paths.classCode(secret)}`;

function Actions({ spaceId, secret }: { spaceId: string; secret: string | null }) {
  const { t } = useTranslation('entry', { keyPrefix: 'classCode' });
  const { toggle, fullscreen } = useFullscreen();
  return (
    <Group gap="sm">
      {document.fullscreenEnabled && (
        <Button variant="default" onClick={() => void toggle()}>
          {fullscreen ? t('exitFullScreen') : t('fullScreen')}
        </Button>
      )}
      {secret !== null && (
        <CopyButton variant="default" text={joinAddress(secret)} label={t('copyAddress')} />
      )}
      <Button component={Link} to={paths.entryOf(spaceId)} variant="default">
        {t('back')}
      </Button>
    </Group>
  );
}

/** Address, code and QR code, or why the code no longer works. */
function JoinInstructions({ code: { spaceName, invitation } }: { code: ShownClassCodeFragment }) {
  const { t } = useTranslation('entry', { keyPrefix: 'classCode' });
  const { secret, state } = invitation;
  const ended = secret === null ? t(`ended.${state}`) : undefined;
  useAnnounceChange(ended);
  if (secret === null)
    return (
      <div className={classes.instructions}>
        <p className={classes.ended}>{ended}</p>
      </div>
    );
  const shown = formatCode(secret);
  return (
    <div className={classes.instructions}>
      <p className={classes.address}>{t('joinAt', { address: `${window.location.host}${paths.join}` })}</p>
      <p className={classes.code} style={{ '--code-length': shown.length } as CSSProperties}>
        {shown}
      </p>
      <QrCode className={classes.qr} text={joinAddress(secret)} label={t('qr', { space: spaceName })} />
    </div>
  );
}

/** Announces a text that appears after the page has loaded. */
function useAnnounceChange(text: string | undefined): void {
  const known = useRef(text);
  useEffect(() => {
    if (text !== undefined && text !== known.current) announce(text);
    known.current = text;
  }, [text]);
}

/** Members who joined with the code, latest first. */
function Joined({ code: { students, invitation } }: { code: ShownClassCodeFragment }) {
  const { t } = useTranslation('entry');
  const { used, uses } = invitation;
  const progress = uses === null ? t('used', { used }) : t('classCode.progress', { used, uses });
  const [newest] = students;
  useAnnounceGrowth(students.length, () =>
    newest ? t('classCode.newest', { name: fullName(newest), progress }) : progress,
  );
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls: without focus, what is below needs a mouse
    <section className={classes.joined} aria-labelledby="joined" tabIndex={0}>
      <Title order={2} id="joined" className={classes.progress}>
        {progress}
      </Title>
      {students.length === 0 && <Text c="dimmed">{t('classCode.nobody')}</Text>}
      <ul className={classes.names}>
        {students.map((student) => (
          <li key={student._id}>{fullName(student)}</li>
        ))}
      </ul>
    </section>
  );
}

const fullName = (student: JoinedStudentFragment): string =>
  `${student.firstName} ${student.lastName}`.trim() || shownName(student);
