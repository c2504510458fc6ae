import { useMutation, useQuery } from '@apollo/client/react';
import { Alert, Button, Group, Skeleton, Text, Title } from '@mantine/core';
import IconCheck from '@tabler/icons-react/dist/esm/icons/IconCheck.mjs';
import IconLock from '@tabler/icons-react/dist/esm/icons/IconLock.mjs';
import IconPlanet from '@tabler/icons-react/dist/esm/icons/IconPlanet.mjs';
import IconUsers from '@tabler/icons-react/dist/esm/icons/IconUsers.mjs';
import { type CSSProperties, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocation, useNavigate } from 'react-router-dom';
import { joinStateOf, paths } from '../../../lib/paths';
import { ConfirmDialog } from '../../../components/dialogs';
import { EmptyState } from '../../../components/empty-state';
import { ErrorNotice } from '../../../components/notices';
import { Logo } from '../../../components/logo';
import { PageHeading } from '../../../components/page-heading';
import { SkipLink } from '../../../components/skip-link';
import { toast } from '../../../components/toast';
import { Header, LogoutDialog } from '../../../features/shell/header';
import { JoinSpaceDocument, type SpaceCardFragment, SpacesDocument } from '../../../generated/graphql';
import { enterSpace } from '../../../lib/auth-storage';
import { cssHex, firstCharacter } from '../../../lib/format';
import { errorText } from '../../../lib/api/errors';
import { useSkeletonCount } from '../../../lib/browser/loading';
import { invitationPath, takeInvitation } from './pending-invitation';
import { AdmissionDialog, admissionStep, needsAdmission } from './admission-dialog';
import { CollapsedClassCodeForm } from './class-code-form';
import { EntryDialog, useAcceptance } from './entry-dialog';
import spaceCardClasses from './space-card.module.css';
import classes from './spaces-screen.module.css';
import { contentId } from '../../../lib/browser/focus';

/** Polls, so that a moderator's answer appears automatically. */
const ANSWER_POLL_MS = 30_000;

const mayJoin = ({ entry, isInvited }: SpaceCardFragment): boolean => entry === 'OPEN' || isInvited;

/** Where the student picks a space; without a sidebar, because there is no space yet. */
export default function SpacesScreen() {
  const { t } = useTranslation('spaces');
  const [isLoggingOut, setLoggingOut] = useState(false);
  const requested = useRequestedSpace();
  // Null once closed: the dialog is not opened again.
  const [pressed, setJoining] = useState<SpaceCardFragment | null>();
  const joining = useCurrentConsent(pressed === undefined ? requested?.space : (pressed ?? undefined));
  const close = () => setJoining(null);
  const navigate = useNavigate();
  // After signing up by a link, continues with its invitation.
  useEffect(() => {
    const invitation = takeInvitation();
    if (invitation !== undefined) void navigate(invitationPath(invitation), { replace: true });
  }, [navigate]);

  const enter = (space: SpaceCardFragment) => {
    enterSpace(space);
    if (space._id === requested?.space._id) void navigate(requested.backTo, { replace: true });
    else void navigate(paths.dashboard);
  };
  return (
    <>
      <SkipLink />
      <Header start={<Logo />} onLogout={() => setLoggingOut(true)} />
      <main id={contentId} className={classes.main} tabIndex={-1}>
        <PageHeading>{t('title')}</PageHeading>
        <Text c="dimmed">{t('lead')}</Text>
        <CollapsedClassCodeForm />
        <SpaceLists onOpen={(space) => (space.joined ? enter(space) : setJoining(space))} />
      </main>
      {joining && needsAdmission(joining) && <AdmissionDialog space={joining} onClose={close} />}
      <JoinSpaceDialog
        space={joining && !needsAdmission(joining) && mayJoin(joining) ? joining : undefined}
        onClose={close}
        onJoined={enter}
      />
      {joining && !needsAdmission(joining) && !mayJoin(joining) && (
        <EntryDialog space={joining} onClose={close} />
      )}
      <LogoutDialog opened={isLoggingOut} onClose={() => setLoggingOut(false)} />
    </>
  );
}

/** The space a read-only page led here for, once the spaces have loaded. */
function useRequestedSpace(): { space: SpaceCardFragment; backTo: string } | undefined {
  const requested = joinStateOf(useLocation());
  const { data } = useQuery(SpacesDocument, { fetchPolicy: 'cache-only' });
  const space = data?.getSpaces.find(({ _id }) => _id === requested?.joins);
  return requested && space ? { space, backTo: requested.backTo } : undefined;
}

/** A guardian may answer while the question is shown, and the first data may be cached. */
function useCurrentConsent(space: SpaceCardFragment | undefined): SpaceCardFragment | undefined {
  const { data } = useQuery(SpacesDocument, { fetchPolicy: 'cache-only' });
  const now = data?.getSpaces.find(({ _id }) => _id === space?._id);
  return space && now ? { ...space, consent: now.consent } : space;
}

function SpaceLists({ onOpen }: { onOpen: (space: SpaceCardFragment) => void }) {
  const { t } = useTranslation('spaces');
  const { data, error, refetch, startPolling, stopPolling } = useQuery(SpacesDocument, {
    fetchPolicy: 'cache-and-network',
  });
  const isWaiting =
    data?.getSpaces.some(({ request, consent }) => request === 'OPEN' || consent?.guardian === 'ASKED') ??
    false;
  useEffect(() => {
    if (!isWaiting) return undefined;
    startPolling(ANSWER_POLL_MS);
    return stopPolling;
  }, [isWaiting, startPolling, stopPolling]);
  useAcceptance(data?.getSpaces);
  if (error && !data) return <ErrorNotice error={error} onRetry={() => void refetch()} />;
  if (!data) return <SpaceSkeletons />;

  const spaces = data.getSpaces;
  const mySpaces = spaces.filter(({ joined }) => joined);
  const otherSpaces = spaces.filter(({ joined }) => !joined);
  if (spaces.length === 0)
    return <EmptyState icon={IconPlanet} title={t('emptyTitle')} text={t('emptyText')} />;
  return (
    <>
      {mySpaces.filter(needsAge).map((space) => (
        <AgeQuestion key={space._id} space={space} />
      ))}
      {mySpaces.length > 0 && <SpaceSection heading={t('mySpaces')} spaces={mySpaces} onOpen={onOpen} />}
      {otherSpaces.length > 0 && (
        <SpaceSection heading={t('allSpaces')} spaces={otherSpaces} onOpen={onOpen} />
      )}
    </>
  );
}

/** Members from before the space asked. */
const needsAge = (space: SpaceCardFragment): boolean =>
  admissionStep(space) !== undefined && space.consent?.guardian !== 'ASKED';

function AgeQuestion({ space }: { space: SpaceCardFragment }) {
  const { t } = useTranslation('consent');
  const [isOpen, setOpen] = useState(false);
  const close = () => setOpen(false);
  return (
    <Alert variant="light" mt="lg" role="region" aria-label={space.name}>
      <Group justify="space-between">
        <Text>{t('age.asksMembers', { name: space.name })}</Text>
        <Button variant="default" size="compact-md" onClick={() => setOpen(true)}>
          {t('age.answer')}
        </Button>
      </Group>
      {isOpen && <AdmissionDialog space={space} onClose={close} onAdmitted={close} />}
    </Alert>
  );
}

interface SpaceSectionProps {
  heading: string;
  spaces: readonly SpaceCardFragment[];
  onOpen: (space: SpaceCardFragment) => void;
}

function SpaceSection({ heading, spaces, onOpen }: SpaceSectionProps) {
  return (
    <section className={classes.section} aria-label={heading}>
      <Title order={2}>{heading}</Title>
      <ul className={classes.cards}>
        {spaces.map((space) => (
          <li key={space._id}>
            <SpaceCard space={space} onOpen={onOpen} />
          </li>
        ))}
      </ul>
    </section>
  );
}

function SpaceSkeletons() {
  useSkeletonCount();
  return (
    <div className={classes.section} aria-hidden>
      <Skeleton height={24} width={140} />
      <div className={classes.cards}>
        {Array.from({ length: 4 }, (_, card) => (
          <Skeleton key={card} height={260} radius="lg" />
        ))}
      </div>
    </div>
  );
}

interface JoinSpaceDialogProps {
  /** The space to join; undefined closes the dialog. */
  space: SpaceCardFragment | undefined;
  onClose: () => void;
  onJoined: (space: SpaceCardFragment) => void;
}

function JoinSpaceDialog({ space, onClose, onJoined }: JoinSpaceDialogProps) {
  const { t } = useTranslation('spaces');
  const [joinSpace, { loading }] = useMutation(JoinSpaceDocument, {
    onCompleted: ({ joinSpace: joined }) => onJoined(joined),
    onError: (error) => toast.error(errorText(error)),
  });
  return (
    <ConfirmDialog
      opened={space !== undefined}
      title={t('join.title')}
      text={t('join.text', { name: space?.name ?? '' })}
      confirmLabel={t('join.confirm')}
      cancelLabel={t('join.cancel')}
      pending={loading}
      onClose={onClose}
      onConfirm={() => space && void joinSpace({ variables: { spaceId: space._id } })}
    />
  );
}

interface SpaceCardProps {
  space: SpaceCardFragment;
  onOpen: (space: SpaceCardFragment) => void;
}

function badgeOf({ joined, entry, isArchived, request, isInvited, consent }: SpaceCardFragment) {
  if (isArchived) return 'archived';
  if (joined) return 'joined';
  if (consent?.guardian === 'ASKED') return 'consent:waiting';
  if (isInvited) return 'invited';
  if (request === 'OPEN') return 'requested';
  if (request === 'REFUSED') return 'refused';
  if (entry === 'OPEN') return 'joinSpace';
  return entry === 'REQUEST' ? 'askToJoin' : 'byInvitation';
}

/** A space to enter, or to join first. */
function SpaceCard({ space, onOpen }: SpaceCardProps) {
  const { t } = useTranslation(['spaces', 'consent']);
  const { name, description, bannerImageUrl, joined, memberCount } = space;
  const isSeen = typeof memberCount === 'number';
  const style = { '--space-colour': cssHex(space.color) } as CSSProperties;
  return (
    <button type="button" className={spaceCardClasses.card} style={style} onClick={() => onOpen(space)}>
      <span className={spaceCardClasses.banner} aria-hidden>
        {bannerImageUrl ? (
          <img className={spaceCardClasses.picture} src={bannerImageUrl} alt="" loading="lazy" />
        ) : (
          <span className={spaceCardClasses.initial}>{firstCharacter(name).toUpperCase()}</span>
        )}
      </span>
      <span className={spaceCardClasses.body}>
        <span className={spaceCardClasses.name}>{name}</span>
        <span className={spaceCardClasses.description} dir="auto">
          {description}
        </span>
        <span className={spaceCardClasses.foot}>
          <span className={spaceCardClasses.members}>
            {isSeen ? (
              <>
                <IconUsers size={16} stroke={1.75} aria-hidden />
                {t('members', { count: memberCount })}
              </>
            ) : (
              <>
                <IconLock size={16} stroke={1.75} aria-hidden />
                {t('membersOnly')}
              </>
            )}
          </span>
          <span className={spaceCardClasses.badge} data-joined={joined && !space.isArchived}>
            {joined && !space.isArchived && <IconCheck size={14} stroke={2.5} aria-hidden />}
            {t(badgeOf(space))}
          </span>
        </span>
      </span>
    </button>
  );
}
