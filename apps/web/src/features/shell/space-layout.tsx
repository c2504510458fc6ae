import { useMutation } from '@apollo/client/react';
import { CloseButton, Kbd, TextInput, VisuallyHidden } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import IconArrowLeft from '@tabler/icons-react/dist/esm/icons/IconArrowLeft.mjs';
import IconBell from '@tabler/icons-react/dist/esm/icons/IconBell.mjs';
import IconDoorExit from '@tabler/icons-react/dist/esm/icons/IconDoorExit.mjs';
import IconLayoutGrid from '@tabler/icons-react/dist/esm/icons/IconLayoutGrid.mjs';
import IconLogout from '@tabler/icons-react/dist/esm/icons/IconLogout.mjs';
import IconMessageQuestion from '@tabler/icons-react/dist/esm/icons/IconMessageQuestion.mjs';
import IconSearch from '@tabler/icons-react/dist/esm/icons/IconSearch.mjs';
import IconTrophy from '@tabler/icons-react/dist/esm/icons/IconTrophy.mjs';
import IconUser from '@tabler/icons-react/dist/esm/icons/IconUser.mjs';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, NavigationType, useLocation, useNavigate, useNavigationType } from 'react-router-dom';
import { paths, routePatterns, type SingleQuestionOrigin } from '../../lib/paths';
import { ConfirmDialog } from '../../components/dialogs';
import { Logo } from '../../components/logo';
import { SkipLink } from '../../components/skip-link';
import { toast } from '../../components/toast';
import { LeaveSpaceDocument } from '../../generated/graphql';
import { exitSpace, useCurrentSpace } from '../../lib/auth-storage';
import { errorText } from '../../lib/api/errors';
import { followKeyboard, useScrollMemory } from '../../lib/browser/viewport';
import { useIsNarrow } from '../../lib/browser/device';
import { timings } from '../../lib/timings';
import { SpaceBell } from '../notifications/notification-bell';
import { useNewBadge } from '../notifications/use-new-count';
import { textFrom, withText } from '../search/search-address';
import { useShortcutsOn } from '../shortcuts/shortcut-list';
import { useShortcuts } from '../shortcuts/use-shortcuts';
import { Header, LogoutDialog } from './header';
import headerClasses from './header.module.css';
import { SidebarAction, SidebarLink } from './sidebar-link';
import sidebarClasses from './sidebar.module.css';
import classes from './space-layout.module.css';
import { WorkArea } from './work-area';

type OpenDialog = 'exit' | 'logout' | undefined;

/** Sidebar, header and work area inside a space. */
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
          tools={!isNarrow && <SpaceBell />}
          onExitSpace={() => setDialog('exit')}
          onLogout={() => setDialog('logout')}
        />
        <WorkArea />
        <ScrollMemory />
      </div>
      <ExitDialog opened={dialog === 'exit'} onClose={close} />
      <LogoutDialog opened={dialog === 'logout'} onClose={close} />
    </div>
  );
}

function ScrollMemory() {
  useScrollMemory();
  return null;
}

/** Narrow windows have no room for the search box next to the link to the spaces, except on the search page. */
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

/** Go to Spaces in the header of a narrow window, shown as the name of the current space. No arrow: questions have a back button. */
function SpacesLink({ space, isShort }: { space: string; isShort: boolean }) {
  const { t } = useTranslation('frame');
  return (
    <Link to={paths.spaces} className={headerClasses.space}>
      <IconLayoutGrid size={20} stroke={1.75} aria-hidden />
      <VisuallyHidden>{t('menu.goToSpaces')}: </VisuallyHidden>
      {isShort ? (
        <VisuallyHidden>{space}</VisuallyHidden>
      ) : (
        <span className={headerClasses.spaceName}>{space}</span>
      )}
    </Link>
  );
}

let isTabbing = false;
window.addEventListener('keydown', ({ key }) => (isTabbing = key === 'Tab'), { capture: true });
window.addEventListener('pointerdown', () => (isTabbing = false), { capture: true });

/**
 * The search box: focusing it opens the search page and keeps the focus. Tabbing through does not, until the first letter.
 */
function SearchBox() {
  const { t } = useTranslation('search');
  const box = useRef<HTMLInputElement>(null);
  const navigate = useNavigate();
  const { pathname, search } = useLocation();
  const isOnPage = pathname === paths.search;
  // After going back, the focus belongs to the opened result; focusing the box would also open a phone's keyboard.
  const isBackAtHits = useNavigationType() === NavigationType.Pop && search !== '';
  const { text, change } = useSearchText();
  const hasShortcut = useShortcutsOn();
  // The header is sticky, but the browser would scroll to the caret anyway.
  const takeFocus = () => box.current?.focus({ preventScroll: true });
  useShortcuts({ search: takeFocus }, { stays: true });
  useEffect(() => {
    if (isOnPage && !isBackAtHits) takeFocus();
    // oxlint-disable-next-line react/exhaustive-deps -- when the page opens, not when its URL changes
  }, [isOnPage]);
  return (
    <TextInput
      ref={box}
      className={headerClasses.search}
      type="search"
      role="searchbox"
      aria-label={t('box')}
      placeholder={t('placeholder')}
      value={text}
      maxLength={MAX_LENGTH}
      leftSection={<IconSearch size={18} stroke={1.75} aria-hidden />}
      rightSection={
        text === '' ? (
          hasShortcut && <Kbd aria-hidden>/</Kbd>
        ) : (
          <CloseButton size="sm" aria-label={t('clearText')} onClick={() => change('')} />
        )
      }
      onFocus={() => {
        if (!isOnPage && !isTabbing) void navigate(paths.search);
      }}
      onChange={({ currentTarget }) => change(currentTarget.value)}
    />
  );
}

/** Longer than any title; more text does not help a search. */
const MAX_LENGTH = 200;

const questionFrom = (origin: SingleQuestionOrigin) => routePatterns.singleQuestion.replace(':type', origin);

/** Sections of a space, with their pages under other paths. */
const QUESTIONS = {
  to: paths.dashboard,
  below: [paths.ask, questionFrom('home')],
  icon: IconMessageQuestion,
} as const;
const LEADERBOARD = { to: paths.leaderboard, below: [routePatterns.userDetail], icon: IconTrophy } as const;
const PROFILE = { to: paths.profile, below: [questionFrom('profile')], icon: IconUser } as const;

interface SidebarProps {
  onExitSpace: () => void;
  onLogout: () => void;
}

/** Navigation of a space. Without a current space, only items that do not need one. */
function Sidebar({ onExitSpace, onLogout }: SidebarProps) {
  const { t } = useTranslation('frame');
  const space = useCurrentSpace();
  const isNarrow = useIsNarrow();
  if (isNarrow) return <BottomBar space={space?._id} />;
  return (
    <nav className={sidebarClasses.sidebar} aria-label={t('menu.label')}>
      <div className={sidebarClasses.brand}>
        <Logo />
      </div>
      <ul className={sidebarClasses.items}>
        <SidebarLink to={paths.spaces} label={t('menu.goToSpaces')} icon={IconArrowLeft} />
      </ul>
      {space && (
        <>
          <p className={sidebarClasses.space}>{space.name}</p>
          <ul className={sidebarClasses.items}>
            <SidebarLink {...QUESTIONS} label={t('menu.nimoAsk')} />
            <SidebarLink {...LEADERBOARD} label={t('menu.leaderboard')} />
            <SidebarLink {...PROFILE} label={t('menu.myProfile')} />
          </ul>
        </>
      )}
      <ul className={`${sidebarClasses.items} ${sidebarClasses.end}`}>
        {space && <SidebarAction label={t('menu.exitSpace')} icon={IconDoorExit} onClick={onExitSpace} />}
        <SidebarAction label={t('menu.logout')} icon={IconLogout} onClick={onLogout} />
      </ul>
    </nav>
  );
}

/** Bottom navigation in narrow windows. Exit and logout are in the user menu. */
function BottomBar({ space }: { space: string | undefined }) {
  const { t } = useTranslation(['frame', 'search']);
  return (
    <nav className={sidebarClasses.bar} aria-label={t('menu.label')}>
      <ul className={sidebarClasses.items}>
        {space === undefined ? (
          <SidebarLink to={paths.spaces} label={t('menu.goToSpaces')} icon={IconArrowLeft} />
        ) : (
          <>
            <SidebarLink {...QUESTIONS} label={t('menu.nimoAsk')} />
            <SidebarLink to={paths.search} label={t('search:title')} icon={IconSearch} />
            <NotificationsLink key={space} space={space} />
            <SidebarLink {...LEADERBOARD} label={t('menu.leaderboard')} />
            <SidebarLink {...PROFILE} label={t('menu.myProfile')} />
          </>
        )}
      </ul>
    </nav>
  );
}

function NotificationsLink({ space }: { space: string }) {
  const { t } = useTranslation('frame');
  const { newCount, shown, label } = useNewBadge(space);
  return (
    <SidebarLink
      to={paths.notifications}
      label={t('menu.notifications')}
      name={label}
      icon={IconBell}
      badge={newCount > 0 ? shown : undefined}
    />
  );
}

/**
 * Text of the search box. The URL of the search page follows after a pause, and the box follows other changes of the URL.
 */
function useSearchText() {
  const { pathname, search } = useLocation();
  const navigate = useNavigate();
  const isOnPage = pathname === paths.search;
  const addressed = isOnPage ? textFrom(new URLSearchParams(search)) : '';
  const [text, setText] = useState(addressed);
  const sent = useRef<string>();
  useEffect(() => {
    if (sent.current !== addressed) setText(addressed);
    sent.current = undefined;
  }, [addressed]);
  const follow = (typed: string) => {
    sent.current = typed.trim();
    const params = withText(new URLSearchParams(isOnPage ? search : ''), sent.current);
    void navigate({ pathname: paths.search, search: params.toString() }, { replace: isOnPage });
  };
  // Do not return to the search page if the user has left it meanwhile.
  const followAfterPause = useDebouncedCallback((typed: string) => {
    if (isOnPage) follow(typed);
  }, timings.suggestionDebounce);
  const change = (typed: string) => {
    setText(typed);
    if (isOnPage) followAfterPause(typed);
    else follow(typed);
  };
  return { text, change };
}
