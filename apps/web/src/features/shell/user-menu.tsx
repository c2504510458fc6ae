import { Menu, UnstyledButton } from '@mantine/core';
import IconChartDots from '@tabler/icons-react/dist/esm/icons/IconChartDots.mjs';
import IconKeyboard from '@tabler/icons-react/dist/esm/icons/IconKeyboard.mjs';
import IconNews from '@tabler/icons-react/dist/esm/icons/IconNews.mjs';
import IconLogout from '@tabler/icons-react/dist/esm/icons/IconLogout.mjs';
import IconSettings from '@tabler/icons-react/dist/esm/icons/IconSettings.mjs';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import { paths } from '../../app/paths';
import { PersonAvatar } from '../../components/person-avatar';
import { useAuthUser, useCurrentSpace } from '../../lib/auth-storage';
import classes from './header.module.css';

interface UserMenuProps {
  onShortcuts: () => void;
  onLogout: () => void;
}

export function UserMenu({ onShortcuts, onLogout }: UserMenuProps) {
  const { t } = useTranslation(['shell', 'shortcuts']);
  const { t: news } = useTranslation('news');
  const user = useAuthUser();
  const space = useCurrentSpace();
  const name = user?.userName ?? t('defaultUserName');
  return (
    <Menu position="bottom-end" width={220}>
      <Menu.Target>
        <UnstyledButton className={classes.user} aria-label={t('userMenu.label', { name })}>
          <PersonAvatar person={user ?? { _id: '', userName: name }} size={32} />
          <span className={classes.userName}>{name}</span>
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        {space && (
          <Menu.Item
            component={Link}
            to={paths.nimoSense}
            leftSection={<IconChartDots size={18} stroke={1.75} />}
          >
            {t('title', { ns: 'sense' })}
          </Menu.Item>
        )}
        <Menu.Item component={Link} to={paths.news} leftSection={<IconNews size={18} stroke={1.75} />}>
          {news('title')}
        </Menu.Item>
        <Menu.Item
          component={Link}
          to={paths.settings}
          leftSection={<IconSettings size={18} stroke={1.75} />}
        >
          {t('userMenu.settings')}
        </Menu.Item>
        <Menu.Item leftSection={<IconKeyboard size={18} stroke={1.75} />} onClick={onShortcuts}>
          {t('shortcuts:menuItem')}
        </Menu.Item>
        <Menu.Item leftSection={<IconLogout size={18} stroke={1.75} />} onClick={onLogout}>
          {t('userMenu.logout')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
