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
import { NotificationBell } from '../notifications/notification-bell';
import { useNewBadge } from '../notifications/use-new-count';
import { textFrom, withText } from '../search/search-address';
import { useAreShortcutsOn } from '../shortcuts/shortcut-list';
import { useShortcuts } from '../shortcuts/use-shortcuts';
import { Header, LogoutDialog } from './header';
import headerClasses from './header.module.css';
import { SidebarAction, SidebarLink } from './sidebar-link';
import sidebarClasses from './sidebar.module.css';
import classes from './space-layout.module.css';
import { WorkArea } from './work-area';

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

/** Go to Spaces in the header of a narrow window, as the name of the current space. No arrow: a question has its own way back beneath it. */
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
 * The one box to search with: it leads to the search page and keeps the focus there. Somebody who passes it with the Tab key
 * is not taken along before the first letter.
 */
function SearchBox() {
  const { t } = useTranslation('search');
  const box = useRef<HTMLInputElement>(null);
  const navigate = useNavigate();
  const { pathname, search } = useLocation();
  const isOnPage = pathname === paths.search;
  // Going back returns to a search result: the box would take the focus from it, and open a phone's keyboard.
  const isBackAtHits = useNavigationType() === NavigationType.Pop && search !== '';
  const { text, change } = useSearchText();
  const hasShortcut = useAreShortcutsOn();
  // It is in view wherever the page is, which the browser does not see for the caret in it.
  const takeFocus = () => box.current?.focus({ preventScroll: true });
  useShortcuts({ search: takeFocus }, { stays: true });
  useEffect(() => {
    if (isOnPage && !isBackAtHits) takeFocus();
    // oxlint-disable-next-line react/exhaustive-deps -- as the page opens, not as its address changes
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

/** Longer than any question's title; what is beyond helps no search. */
const MAX_LENGTH = 200;

const questionFrom = (origin: SingleQuestionOrigin) => routePatterns.singleQuestion.replace(':type', origin);

/** The areas of a space, with their pages that do not stand below their own address. */
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

/** The way through a space. Without a current one only what does not need it. */
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

/** In narrow windows: the areas of a space, within reach of a thumb. What ends something is in the menu of the account. */
function BottomBar({ space }: { space: string | undefined }) {
  const { t } = useTranslation(['frame', 'search']);
  return (
    <nav className={sidebarClasses.sidebar} aria-label={t('menu.label')}>
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
 * What is typed into the search box. The address of the search page follows after a pause, and the box follows the address
 * when that changes by itself.
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
  // Somebody who went elsewhere before the pause was over is not brought back.
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
