import {
  ActionIcon,
  Menu,
  Tooltip,
  UnstyledButton,
  useComputedColorScheme,
  useMantineColorScheme,
} from '@mantine/core';
import IconChartDots from '@tabler/icons-react/dist/esm/icons/IconChartDots.mjs';
import IconDoorExit from '@tabler/icons-react/dist/esm/icons/IconDoorExit.mjs';
import IconKeyboard from '@tabler/icons-react/dist/esm/icons/IconKeyboard.mjs';
import IconLogout from '@tabler/icons-react/dist/esm/icons/IconLogout.mjs';
import IconMoon from '@tabler/icons-react/dist/esm/icons/IconMoon.mjs';
import IconNews from '@tabler/icons-react/dist/esm/icons/IconNews.mjs';
import IconSettings from '@tabler/icons-react/dist/esm/icons/IconSettings.mjs';
import IconSun from '@tabler/icons-react/dist/esm/icons/IconSun.mjs';
import { type ReactNode, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { NavLink, useNavigate } from 'react-router-dom';
import { confirmedLogout, paths } from '../../lib/paths';
import { ConfirmDialog } from '../../components/dialogs';
import { LanguageChoice } from '../../components/language-choice';
import { LoadingNotice } from '../../components/loading-notice';
import { PersonAvatar } from '../../components/person-avatar';
import { withStaffTexts } from '../../i18n/i18n';
import { useAuthUser, useCurrentSpace } from '../../lib/auth-storage';
import { lazyPart } from '../../lib/browser/loading';
import { useIsNarrow, useIsTouched } from '../../lib/browser/device';
import { useOwnAreas } from '../areas/own-areas';
import { ErasureBanner } from '../own-erasure/erasure-banner';
import { useGlobalShortcuts } from '../shortcuts/use-shortcuts';
import classes from './header.module.css';
import { SpaceBanners } from './space-banners';

const ShortcutSheet = lazyPart(async () => ({
  default: (await import('../shortcuts/shortcut-sheet')).ShortcutSheet,
}));

interface HeaderProps {
  /** Start of the row: the search box, or the logo without a sidebar. */
  start?: ReactNode;
  /** Controls of a space. */
  tools?: ReactNode;
  onExitSpace?: () => void;
  onLogout: () => void;
}

export function Header({ start, tools, onExitSpace, onLogout }: HeaderProps) {
  const isNarrow = useIsNarrow();
  const [isHelpOpen, setHelpOpen] = useState(false);
  return (
    <>
      <GlobalShortcuts onHelp={() => setHelpOpen(true)} />
      <header className={classes.header}>
        {start}
        <div className={classes.end}>
          {tools}
          <LanguageChoice compact />
          {!isNarrow && <ColourSchemeSwitch />}
          <UserMenu onExitSpace={onExitSpace} onShortcuts={() => setHelpOpen(true)} onLogout={onLogout} />
        </div>
        {isHelpOpen && (
          <Suspense fallback={<LoadingNotice />}>
            <ShortcutSheet onClose={() => setHelpOpen(false)} />
          </Suspense>
        )}
      </header>
      <ErasureBanner />
      <SpaceBanners />
    </>
  );
}

/** A component of its own, so that navigation does not re-render the header. */
function GlobalShortcuts({ onHelp }: { onHelp: () => void }) {
  useGlobalShortcuts(onHelp);
  return null;
}

const AreaLinks = lazyPart(withStaffTexts(() => import('../areas/area-links')));

/** Loads the roles when the menu opens, and the links only for staff. */
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
  /** Shown in narrow windows, where the sidebar is a bar without room for it. */
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

export function LogoutDialog({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const { t } = useTranslation('frame');
  const navigate = useNavigate();
  return (
    <ConfirmDialog
      opened={opened}
      title={t('logout.title')}
      text={t('logout.text')}
      confirmLabel={t('logout.confirm')}
      onClose={onClose}
      onConfirm={() => void navigate(paths.logout, confirmedLogout)}
    />
  );
}

function useColourSchemes() {
  const { t } = useTranslation('frame');
  const { setColorScheme } = useMantineColorScheme();
  const isDark = useComputedColorScheme('light', { getInitialValueInEffect: false }) === 'dark';
  return {
    isDark,
    label: t(isDark ? 'colourScheme.toLight' : 'colourScheme.toDark'),
    change: () => setColorScheme(isDark ? 'light' : 'dark'),
  };
}

/** Menu item in narrow windows, where the header has no room for the switch. */
function ColourSchemeItem() {
  const { isDark, label, change } = useColourSchemes();
  const SchemeIcon = isDark ? IconSun : IconMoon;
  return (
    <Menu.Item leftSection={<SchemeIcon size={18} stroke={1.75} />} onClick={change}>
      {label}
    </Menu.Item>
  );
}

/** Follows the system until used, and stores the choice. */
function ColourSchemeSwitch() {
  const { isDark, label, change } = useColourSchemes();
  return (
    <Tooltip label={label}>
      <ActionIcon variant="subtle" color="gray" c="dimmed" size="lg" aria-label={label} onClick={change}>
        {isDark ? <IconSun size={20} stroke={1.75} /> : <IconMoon size={20} stroke={1.75} />}
      </ActionIcon>
    </Tooltip>
  );
}
