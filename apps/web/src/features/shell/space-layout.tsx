import { useMutation } from '@apollo/client/react';
import { Suspense, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Outlet, useLocation, useNavigate } from 'react-router-dom';
import { paths } from '../../app/paths';
import { ConfirmDialog } from '../../components/confirm-dialog';
import { ErrorBoundary } from '../../components/error-boundary';
import { ScreenSkeleton } from '../../components/skeletons';
import { contentId, SkipLink } from '../../components/skip-link';
import { toast } from '../../components/toast';
import { LeaveSpaceDocument } from '../../generated/graphql';
import { exitSpace, useCurrentSpace } from '../../lib/auth-storage';
import { errorText } from '../../lib/errors';
import { followKeyboard } from '../../lib/follow-keyboard';
import { useIsNarrow } from '../../lib/narrow';
import { useScrollMemory } from '../../lib/use-scroll-memory';
import { NotificationBell } from '../notifications/notification-bell';
import { Header } from './header';
import { LogoutDialog } from './logout-dialog';
import { SearchBox } from './search-box';
import { Sidebar } from './sidebar';
import { SpacesLink } from './spaces-link';
import classes from './space-layout.module.css';

type OpenDialog = 'exit' | 'logout' | undefined;

/** Sidebar, header and work area of everything inside a space. */
export default function SpaceLayout() {
  const space = useCurrentSpace();
  const [dialog, setDialog] = useState<OpenDialog>();
  const isNarrow = useIsNarrow();
  const close = () => setDialog(undefined);
  useEffect(followKeyboard, []);
  return (
    <div className={classes.shell}>
      <SkipLink />
      <Sidebar onExitSpace={() => setDialog('exit')} onLogout={() => setDialog('logout')} />
      <div>
        <Header
          start={space && <HeaderStart space={space.name} />}
          tools={!isNarrow && <NotificationBell />}
          onExitSpace={() => setDialog('exit')}
          onLogout={() => setDialog('logout')}
        />
        <WorkArea />
      </div>
      <ExitDialog opened={dialog === 'exit'} onClose={close} />
      <LogoutDialog opened={dialog === 'logout'} onClose={close} />
    </div>
  );
}

/** Follows the address by itself: what surrounds it is not drawn again with every screen. */
function WorkArea() {
  const { pathname } = useLocation();
  useScrollMemory();
  return (
    <main id={contentId} className={classes.main} tabIndex={-1}>
      <ErrorBoundary key={pathname}>
        <Suspense fallback={<ScreenSkeleton />}>
          <Outlet />
        </Suspense>
      </ErrorBoundary>
    </main>
  );
}

/** A narrow window has no room for the search box beside the way to the spaces: the search page has it. */
function HeaderStart({ space }: { space: string }) {
  const isNarrow = useIsNarrow();
  const isSearching = useLocation().pathname === paths.search;
  return (
    <>
      {isNarrow && <SpacesLink space={space} isShort={isSearching} />}
      {(!isNarrow || isSearching) && <SearchBox />}
    </>
  );
}

function ExitDialog({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const { t } = useTranslation('spaces');
  const navigate = useNavigate();
  const space = useCurrentSpace();
  const [leaveSpace, { loading }] = useMutation(LeaveSpaceDocument, {
    onCompleted: () => {
      void navigate(paths.spaces);
      exitSpace();
    },
    onError: (error) => toast.error(errorText(error)),
  });
  return (
    <ConfirmDialog
      opened={opened}
      title={t('exit.title')}
      text={t('exit.text')}
      consequence={space ? t('exit.consequence', { name: space.name }) : undefined}
      confirmLabel={t('exit.confirm')}
      danger
      pending={loading}
      onClose={onClose}
      onConfirm={() => space && void leaveSpace({ variables: { spaceId: space._id } })}
    />
  );
}
