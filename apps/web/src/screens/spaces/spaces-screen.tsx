import { useQuery } from '@apollo/client/react';
import { Skeleton, Text, Title } from '@mantine/core';
import IconPlanet from '@tabler/icons-react/dist/esm/icons/IconPlanet.mjs';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router-dom';
import { paths } from '../../app/paths';
import { EmptyState } from '../../components/empty-state';
import { ErrorNotice } from '../../components/error-notice';
import { Logo } from '../../components/logo';
import { PageHeading } from '../../components/page-heading';
import { contentId, SkipLink } from '../../components/skip-link';
import { Header } from '../../features/shell/header';
import { LogoutDialog } from '../../features/shell/logout-dialog';
import { SpacesDocument, type SpaceCardFragment } from '../../generated/graphql';
import { enterSpace } from '../../lib/auth-storage';
import { JoinSpaceDialog } from './join-space-dialog';
import { SpaceCard } from './space-card';
import classes from './spaces-screen.module.css';

/** Where the student picks a space; without a sidebar, because there is no space yet. */
export default function SpacesScreen() {
  const { t } = useTranslation('spaces');
  const [isLoggingOut, setLoggingOut] = useState(false);
  const [joining, setJoining] = useState<SpaceCardFragment>();
  const navigate = useNavigate();

  const enter = (space: SpaceCardFragment) => {
    enterSpace(space);
    void navigate(paths.dashboard);
  };
  return (
    <>
      <SkipLink />
      <Header start={<Logo />} onLogout={() => setLoggingOut(true)} />
      <main id={contentId} className={classes.main} tabIndex={-1}>
        <PageHeading>{t('title')}</PageHeading>
        <Text c="dimmed">{t('lead')}</Text>
        <SpaceLists onOpen={(space) => (space.joined ? enter(space) : setJoining(space))} />
      </main>
      <JoinSpaceDialog space={joining} onClose={() => setJoining(undefined)} onJoined={enter} />
      <LogoutDialog opened={isLoggingOut} onClose={() => setLoggingOut(false)} />
    </>
  );
}

function SpaceLists({ onOpen }: { onOpen: (space: SpaceCardFragment) => void }) {
  const { t } = useTranslation('spaces');
  const { data, error, refetch } = useQuery(SpacesDocument, { fetchPolicy: 'cache-and-network' });
  if (error && !data) return <ErrorNotice error={error} onRetry={() => void refetch()} />;
  if (!data) return <SpaceSkeletons />;

  const spaces = data.getSpaces;
  const mySpaces = spaces.filter(({ joined }) => joined);
  if (spaces.length === 0)
    return <EmptyState icon={IconPlanet} title={t('emptyTitle')} text={t('emptyText')} />;
  return (
    <>
      {mySpaces.length > 0 && <SpaceSection heading={t('mySpaces')} spaces={mySpaces} onOpen={onOpen} />}
      <SpaceSection heading={t('allSpaces')} spaces={spaces} onOpen={onOpen} />
    </>
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
  const { t } = useTranslation('shell');
  return (
    <section className={classes.section} role="status" aria-label={t('loading')}>
      <Skeleton height={24} width={140} />
      <div className={classes.cards}>
        {Array.from({ length: 4 }, (_, card) => (
          <Skeleton key={card} height={260} radius="lg" />
        ))}
      </div>
    </section>
  );
}
