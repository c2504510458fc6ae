import { ActionIcon, Drawer } from '@mantine/core';
import type { Icon } from '@tabler/icons-react';
import IconArrowLeft from '@tabler/icons-react/dist/esm/icons/IconArrowLeft.mjs';
import IconLogout from '@tabler/icons-react/dist/esm/icons/IconLogout.mjs';
import IconMenu2 from '@tabler/icons-react/dist/esm/icons/IconMenu2.mjs';
import type { ParseKeys } from 'i18next';
import { type ReactNode, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocation } from 'react-router-dom';
import { useIsNarrow } from '../../lib/browser/device';
import { wholeNumber } from '../../lib/format';
import { paths } from '../../lib/paths';
import { Logo } from '../../components/logo';
import { SkipLink } from '../../components/skip-link';
import { Header, LogoutDialog } from './header';
import { SidebarAction, SidebarLink } from './sidebar-link';
import sidebarClasses from './sidebar.module.css';
import classes from './space-layout.module.css';
import { WorkArea } from './work-area';
import { type Area, useOwnAreas } from '../areas/own-areas';
import { useModerationCounts } from '../areas/use-moderation-counts';
import { NotificationBell } from '../notifications/notification-bell';

/** Sidebar, header and work area of moderators and maintainers. */
export function AreaLayout({ sections, notice }: { sections: readonly AreaSection[]; notice?: ReactNode }) {
  const [isLeaving, setLeaving] = useState(false);
  const isNarrow = useIsNarrow();
  const isModerator = useOwnAreas()?.includes('moderation') ?? false;
  const menu = <AreaMenu sections={sections} onLogout={() => setLeaving(true)} />;
  return (
    <div className={classes.shell}>
      <SkipLink />
      {!isNarrow && menu}
      <div>
        <Header
          start={isNarrow && <AreaDrawer>{menu}</AreaDrawer>}
          tools={isModerator && <NotificationBell space={null} />}
          onLogout={() => setLeaving(true)}
        />
        <WorkArea notice={notice} keepsScreen />
      </div>
      <LogoutDialog opened={isLeaving} onClose={() => setLeaving(false)} />
    </div>
  );
}

export interface AreaSection {
  area: Area;
  /** One of `paths`. */
  to: string;
  label: ParseKeys<'areas'>;
  icon: Icon;
  /** Other paths that belong to the section. */
  below?: readonly string[];
}

/** Section with the longest matching path prefix. */
function currentOf(sections: readonly AreaSection[], pathname: string): AreaSection | undefined {
  const closeness = ({ to, below = [] }: AreaSection) =>
    Math.max(...[to, ...below].map((above) => (`${pathname}/`.startsWith(`${above}/`) ? above.length : 0)));
  const [closest] = sections.toSorted((one, other) => closeness(other) - closeness(one));
  return closest && closeness(closest) > 0 ? closest : undefined;
}

/** Opens the menu over the page in narrow windows: a bottom bar has no room for all sections. */
function AreaDrawer({ children }: { children: ReactNode }) {
  const { t } = useTranslation('areas');
  const { pathname } = useLocation();
  const [isOpen, setOpen] = useState(false);
  useEffect(() => setOpen(false), [pathname]);
  return (
    <>
      <ActionIcon
        variant="subtle"
        color="gray"
        c="dimmed"
        size="lg"
        aria-label={t('menu')}
        aria-expanded={isOpen}
        onClick={() => setOpen(true)}
      >
        <IconMenu2 size={22} stroke={1.75} />
      </ActionIcon>
      <Drawer.Root opened={isOpen} onClose={() => setOpen(false)} size="17rem" padding={0}>
        <Drawer.Overlay />
        <Drawer.Content aria-label={t('menu')}>
          <Drawer.Body>{children}</Drawer.Body>
        </Drawer.Content>
      </Drawer.Root>
    </>
  );
}

interface AreaMenuProps {
  sections: readonly AreaSection[];
  onLogout: () => void;
}

/** Navigation of the areas that the user's roles allow. */
function AreaMenu({ sections, onLogout }: AreaMenuProps) {
  const { t } = useTranslation('areas');
  const { t: frame } = useTranslation('frame');
  const areas = useOwnAreas() ?? [];
  const counts = useModerationCounts();
  return (
    <nav className={sidebarClasses.sidebar} aria-label={t('menu')}>
      <div className={sidebarClasses.brand}>
        <Logo />
      </div>
      <ul className={sidebarClasses.items}>
        <SidebarLink to={paths.spaces} label={frame('menu.goToSpaces')} icon={IconArrowLeft} />
      </ul>
      {areas.map((area) => (
        <AreaSections
          key={area}
          area={area}
          sections={sections.filter((section) => section.area === area)}
          counts={counts}
        />
      ))}
      <ul className={`${sidebarClasses.items} ${sidebarClasses.end}`}>
        <SidebarAction label={frame('menu.logout')} icon={IconLogout} onClick={onLogout} />
        <ProductVersion />
      </ul>
    </nav>
  );
}

/** Version for bug reports and upgrades. */
function ProductVersion() {
  const version = productVersion();
  return version === undefined ? null : <li className={sidebarClasses.version}>{`Nimo ${version}`}</li>;
}

interface AreaSectionsProps {
  area: Area;
  sections: readonly AreaSection[];
  /** Number of open items by path. */
  counts: Readonly<Record<string, number>>;
}

function AreaSections({ area, sections, counts }: AreaSectionsProps) {
  const { t } = useTranslation('areas');
  const { pathname } = useLocation();
  const current = currentOf(sections, pathname);
  if (sections.length === 0) return null;
  return (
    <>
      <p className={sidebarClasses.space}>{t(area)}</p>
      <ul className={sidebarClasses.items}>
        {sections.map((section) => (
          <SectionLink
            key={section.to}
            section={section}
            openCount={counts[section.to] ?? 0}
            isCurrent={section === current}
          />
        ))}
      </ul>
    </>
  );
}

interface SectionLinkProps {
  section: AreaSection;
  openCount: number;
  isCurrent: boolean;
}

function SectionLink({ section: { to, label, icon }, openCount, isCurrent }: SectionLinkProps) {
  const { t, i18n } = useTranslation('areas');
  const counted = openCount > 0 && {
    name: t('withCount', { label: t(label), count: openCount }),
    badge: wholeNumber(openCount, i18n.language),
  };
  return <SidebarLink to={to} label={t(label)} icon={icon} isCurrent={isCurrent} {...counted} />;
}

/** Version of the build; undefined without a build. */
const productVersion = (): string | undefined =>
  typeof __NIMO_VERSION__ === 'undefined' ? undefined : __NIMO_VERSION__;
