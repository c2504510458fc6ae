import IconArrowLeft from '@tabler/icons-react/dist/esm/icons/IconArrowLeft.mjs';
import IconDoorExit from '@tabler/icons-react/dist/esm/icons/IconDoorExit.mjs';
import IconMessageQuestion from '@tabler/icons-react/dist/esm/icons/IconMessageQuestion.mjs';
import IconLogout from '@tabler/icons-react/dist/esm/icons/IconLogout.mjs';
import IconTrophy from '@tabler/icons-react/dist/esm/icons/IconTrophy.mjs';
import IconUser from '@tabler/icons-react/dist/esm/icons/IconUser.mjs';
import { useTranslation } from 'react-i18next';
import { paths } from '../../app/paths';
import { Logo } from '../../components/logo';
import { useCurrentSpace } from '../../lib/auth-storage';
import { SidebarAction, SidebarLink } from './sidebar-link';
import classes from './sidebar.module.css';

interface SidebarProps {
  onExitSpace: () => void;
  onLogout: () => void;
}

/** The way through a space. Without a current one only what does not need it. */
export function Sidebar({ onExitSpace, onLogout }: SidebarProps) {
  const { t } = useTranslation('frame');
  const space = useCurrentSpace();
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
            <SidebarLink to={paths.dashboard} label={t('menu.nimoAsk')} icon={IconMessageQuestion} />
            <SidebarLink to={paths.leaderboard} label={t('menu.leaderboard')} icon={IconTrophy} />
            <SidebarLink to={paths.profile} label={t('menu.myProfile')} icon={IconUser} />
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
