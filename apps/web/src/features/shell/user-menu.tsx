import { Menu, UnstyledButton } from '@mantine/core';
import IconLogout from '@tabler/icons-react/dist/esm/icons/IconLogout.mjs';
import { useTranslation } from 'react-i18next';
import { PersonAvatar } from '../../components/person-avatar';
import { useAuthUser } from '../../lib/auth-storage';
import classes from './header.module.css';

export function UserMenu({ onLogout }: { onLogout: () => void }) {
  const { t } = useTranslation('shell');
  const user = useAuthUser();
  const name = user?.userName ?? t('defaultUserName');
  return (
    <Menu position="bottom-end" width={200}>
      <Menu.Target>
        <UnstyledButton className={classes.user} aria-label={t('userMenu.label', { name })}>
          <PersonAvatar person={user ?? { _id: '', userName: name }} size={32} />
          <span className={classes.userName}>{name}</span>
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item leftSection={<IconLogout size={18} stroke={1.75} />} onClick={onLogout}>
          {t('userMenu.logout')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
