import IconArrowLeft from '@tabler/icons-react/dist/esm/icons/IconArrowLeft.mjs';
import IconLogout from '@tabler/icons-react/dist/esm/icons/IconLogout.mjs';
import type { Icon } from '@tabler/icons-react';
import type { ParseKeys } from 'i18next';
import { useTranslation } from 'react-i18next';
import { paths } from '../../app/paths';
import { Logo } from '../../components/logo';
import { SidebarAction, SidebarLink } from '../shell/sidebar-link';
import classes from '../shell/sidebar.module.css';
import { useOwnAreas, type Area } from './own-areas';

export interface AreaSection {
  area: Area;
  /** One of `paths`. */
  to: string;
  label: ParseKeys<'areas'>;
  icon: Icon;
  /** Lit at this very address only, not below it. */
  exact?: true;
}

interface AreaSidebarProps {
  sections: readonly AreaSection[];
  onLogout: () => void;
}

/** The way through the areas that the roles of the caller open. */
export function AreaSidebar({ sections, onLogout }: AreaSidebarProps) {
  const { t } = useTranslation('areas');
  const { t: shell } = useTranslation('shell');
  const areas = useOwnAreas() ?? [];
  return (
    <nav className={classes.sidebar} aria-label={t('menu')}>
      <div className={classes.brand}>
        <Logo />
      </div>
      <ul className={classes.items}>
        <SidebarLink to={paths.spaces} label={shell('menu.goToSpaces')} icon={IconArrowLeft} />
      </ul>
      {areas.map((area) => (
        <AreaSections key={area} area={area} sections={sections.filter((section) => section.area === area)} />
      ))}
      <ul className={`${classes.items} ${classes.end}`}>
        <SidebarAction label={shell('menu.logout')} icon={IconLogout} onClick={onLogout} />
      </ul>
    </nav>
  );
}

function AreaSections({ area, sections }: { area: Area; sections: readonly AreaSection[] }) {
  const { t } = useTranslation('areas');
  if (sections.length === 0) return null;
  return (
    <>
      <p className={classes.space}>{t(area)}</p>
      <ul className={classes.items}>
        {sections.map(({ to, label, icon, exact }) => (
          <SidebarLink key={to} to={to} label={t(label)} icon={icon} exact={exact ?? false} />
        ))}
      </ul>
    </>
  );
}
