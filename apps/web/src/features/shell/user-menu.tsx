import { Menu, UnstyledButton } from '@mantine/core';
import IconChartDots from '@tabler/icons-react/dist/esm/icons/IconChartDots.mjs';
import IconDoorExit from '@tabler/icons-react/dist/esm/icons/IconDoorExit.mjs';
import IconKeyboard from '@tabler/icons-react/dist/esm/icons/IconKeyboard.mjs';
import IconNews from '@tabler/icons-react/dist/esm/icons/IconNews.mjs';
import IconLogout from '@tabler/icons-react/dist/esm/icons/IconLogout.mjs';
import IconSettings from '@tabler/icons-react/dist/esm/icons/IconSettings.mjs';
import { Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import { NavLink } from 'react-router-dom';
import { paths } from '../../app/paths';
import { PersonAvatar } from '../../components/person-avatar';
import { withStaffTexts } from '../../i18n/i18n';
import { useAuthUser, useCurrentSpace } from '../../lib/auth-storage';
import { useOwnAreas } from '../areas/own-areas';
import { lazyPart } from '../../lib/lazy-part';
import { useIsNarrow } from '../../lib/narrow';
import { useIsTouched } from '../../lib/touch';
import { ColourSchemeItem } from './colour-scheme-switch';
import classes from './header.module.css';

const AreaLinks = lazyPart(withStaffTexts(() => import('../areas/area-links')));

/** Asks for the roles when the menu is opened, and loads what leads there for those who have one. */
function OwnAreaLinks() {
  const areas = useOwnAreas() ?? [];
  if (areas.length === 0) return null;
  return (
    <Suspense fallback={null}>
      <AreaLinks areas={areas} />
    </Suspense>
  );
}

interface UserMenuProps {
  /** Where the side menu, which has it otherwise, is a bar with room for few. */
  onExitSpace?: (() => void) | undefined;
  onShortcuts: () => void;
  onLogout: () => void;
}

export function UserMenu({ onExitSpace, onShortcuts, onLogout }: UserMenuProps) {
  const { t } = useTranslation(['shell', 'frame', 'shortcuts']);
  const { t: news } = useTranslation('news');
  const user = useAuthUser();
  const space = useCurrentSpace();
  const isNarrow = useIsNarrow();
  const isTouched = useIsTouched();
  const name = user?.userName ?? t('defaultUserName');
  return (
    <Menu position="bottom-end" width={220}>
      <Menu.Target>
        <UnstyledButton className={classes.user} aria-label={t('frame:userMenu.label', { name })}>
          <PersonAvatar person={user ?? { _id: '', userName: name }} size={32} />
          <span className={classes.userName}>{name}</span>
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        {space && (
          <Menu.Item
            component={NavLink}
            className={classes.menuLink}
            to={paths.nimoSense}
            leftSection={<IconChartDots size={18} stroke={1.75} />}
          >
            {t('title', { ns: 'sense' })}
          </Menu.Item>
        )}
        <Menu.Item
          component={NavLink}
          className={classes.menuLink}
          to={paths.news}
          leftSection={<IconNews size={18} stroke={1.75} />}
        >
          {news('title')}
        </Menu.Item>
        <Menu.Item
          component={NavLink}
          className={classes.menuLink}
          to={paths.settings}
          leftSection={<IconSettings size={18} stroke={1.75} />}
        >
          {t('frame:userMenu.settings')}
        </Menu.Item>
        <OwnAreaLinks />
        {!isTouched && (
          <Menu.Item leftSection={<IconKeyboard size={18} stroke={1.75} />} onClick={onShortcuts}>
            {t('shortcuts:menuItem')}
          </Menu.Item>
        )}
        {isNarrow && <ColourSchemeItem />}
        {isNarrow && space && onExitSpace && (
          <>
            <Menu.Item leftSection={<IconDoorExit size={18} stroke={1.75} />} onClick={onExitSpace}>
              {t('frame:menu.exitSpace')}
            </Menu.Item>
            <Menu.Divider my="sm" />
          </>
        )}
        <Menu.Item leftSection={<IconLogout size={18} stroke={1.75} />} onClick={onLogout}>
          {t('frame:userMenu.logout')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
