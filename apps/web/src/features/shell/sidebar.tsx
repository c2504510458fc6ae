import IconArrowLeft from '@tabler/icons-react/dist/esm/icons/IconArrowLeft.mjs';
import IconBell from '@tabler/icons-react/dist/esm/icons/IconBell.mjs';
import IconDoorExit from '@tabler/icons-react/dist/esm/icons/IconDoorExit.mjs';
import IconMessageQuestion from '@tabler/icons-react/dist/esm/icons/IconMessageQuestion.mjs';
import IconLogout from '@tabler/icons-react/dist/esm/icons/IconLogout.mjs';
import IconSearch from '@tabler/icons-react/dist/esm/icons/IconSearch.mjs';
import IconTrophy from '@tabler/icons-react/dist/esm/icons/IconTrophy.mjs';
import IconUser from '@tabler/icons-react/dist/esm/icons/IconUser.mjs';
import { useTranslation } from 'react-i18next';
import { paths, routePatterns, type SingleQuestionOrigin } from '../../app/paths';
import { Logo } from '../../components/logo';
import { useCurrentSpace } from '../../lib/auth-storage';
import { useIsNarrow } from '../../lib/narrow';
import { useNewBadge } from '../notifications/use-new-count';
import { SidebarAction, SidebarLink } from './sidebar-link';
import classes from './sidebar.module.css';

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
export function Sidebar({ onExitSpace, onLogout }: SidebarProps) {
  const { t } = useTranslation('frame');
  const space = useCurrentSpace();
  const isNarrow = useIsNarrow();
  if (isNarrow) return <BottomBar space={space?._id} />;
  return (
    <nav className={classes.sidebar} aria-label={t('menu.label')}>
      <div className={classes.brand}>
        <Logo />
      </div>
      <ul className={classes.items}>
        <SidebarLink to={paths.spaces} label={t('menu.goToSpaces')} icon={IconArrowLeft} />
      </ul>
      {space && (
        <>
          <p className={classes.space}>{space.name}</p>
          <ul className={classes.items}>
            <SidebarLink {...QUESTIONS} label={t('menu.nimoAsk')} />
            <SidebarLink {...LEADERBOARD} label={t('menu.leaderboard')} />
            <SidebarLink {...PROFILE} label={t('menu.myProfile')} />
          </ul>
        </>
      )}
      <ul className={`${classes.items} ${classes.end}`}>
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
    <nav className={classes.sidebar} aria-label={t('menu.label')}>
      <ul className={classes.items}>
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
