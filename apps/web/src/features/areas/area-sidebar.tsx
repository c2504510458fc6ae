import IconArrowLeft from '@tabler/icons-react/dist/esm/icons/IconArrowLeft.mjs';
import IconLogout from '@tabler/icons-react/dist/esm/icons/IconLogout.mjs';
import type { Icon } from '@tabler/icons-react';
import type { ParseKeys } from 'i18next';
import { useTranslation } from 'react-i18next';
import { useLocation } from 'react-router-dom';
import { paths } from '../../app/paths';
import { Logo } from '../../components/logo';
import { productVersion } from '../../lib/product-version';
import { SidebarAction, SidebarLink } from '../shell/sidebar-link';
import classes from '../shell/sidebar.module.css';
import { useOwnAreas, type Area } from './own-areas';
import { usePatternCounts, waitingIn } from './use-pattern-counts';

export interface AreaSection {
  area: Area;
  /** One of `paths`. */
  to: string;
  label: ParseKeys<'areas'>;
  icon: Icon;
  /** Addresses that belong to it without standing below its own. */
  below?: readonly string[];
}

/** The section that an address belongs to: of those it stands below, the one it stands closest to. */
function currentOf(sections: readonly AreaSection[], pathname: string): AreaSection | undefined {
  const closeness = ({ to, below = [] }: AreaSection) =>
    Math.max(...[to, ...below].map((above) => (`${pathname}/`.startsWith(`${above}/`) ? above.length : 0)));
  const [closest] = sections.toSorted((one, other) => closeness(other) - closeness(one));
  return closest && closeness(closest) > 0 ? closest : undefined;
}

interface AreaSidebarProps {
  sections: readonly AreaSection[];
  onLogout: () => void;
}

/** The way through the areas that the roles of the caller open. */
export function AreaSidebar({ sections, onLogout }: AreaSidebarProps) {
  const { t } = useTranslation('areas');
  const { t: frame } = useTranslation('frame');
  const areas = useOwnAreas() ?? [];
  return (
    <nav className={classes.sidebar} aria-label={t('menu')}>
      <div className={classes.brand}>
        <Logo />
      </div>
      <ul className={classes.items}>
        <SidebarLink to={paths.spaces} label={frame('menu.goToSpaces')} icon={IconArrowLeft} />
      </ul>
      {areas.map((area) => (
        <AreaSections key={area} area={area} sections={sections.filter((section) => section.area === area)} />
      ))}
      <ul className={`${classes.items} ${classes.end}`}>
        <SidebarAction label={frame('menu.logout')} icon={IconLogout} onClick={onLogout} />
        <ProductVersion />
      </ul>
    </nav>
  );
}

/** For whoever reports a fault or asks what an upgrade brought. */
function ProductVersion() {
  const version = productVersion();
  return version === undefined ? null : <li className={classes.version}>{`Nimo ${version}`}</li>;
}

function AreaSections({ area, sections }: { area: Area; sections: readonly AreaSection[] }) {
  const { t } = useTranslation('areas');
  const { pathname } = useLocation();
  const current = currentOf(sections, pathname);
  const patterns = usePatternCounts().reduce((sum, count) => sum + waitingIn(count), 0);
  const labelOf = ({ to, label }: AreaSection) =>
    to === paths.votePatterns && patterns > 0
      ? t('withWaiting', { label: t(label), count: patterns })
      : t(label);
  if (sections.length === 0) return null;
  return (
    <>
      <p className={classes.space}>{t(area)}</p>
      <ul className={classes.items}>
        {sections.map((section) => (
          <SidebarLink
            key={section.to}
            to={section.to}
            label={labelOf(section)}
            icon={section.icon}
            isCurrent={section === current}
          />
        ))}
      </ul>
    </>
  );
}
