import IconArrowLeft from '@tabler/icons-react/dist/esm/icons/IconArrowLeft.mjs';
import IconLogout from '@tabler/icons-react/dist/esm/icons/IconLogout.mjs';
import { useTranslation } from 'react-i18next';
import { areaSections } from '../../app/areas';
import { paths } from '../../app/paths';
import { Logo } from '../../components/logo';
import { SidebarAction, SidebarLink } from '../shell/sidebar-link';
import classes from '../shell/sidebar.module.css';
import { useOwnAreas, type Area } from './own-areas';

/** The way through the areas that the roles of the caller open. */
export function AreaSidebar({ onLogout }: { onLogout: () => void }) {
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
        <AreaSections key={area} area={area} />
      ))}
      <ul className={`${classes.items} ${classes.end}`}>
        <SidebarAction label={shell('menu.logout')} icon={IconLogout} onClick={onLogout} />
      </ul>
    </nav>
  );
}

function AreaSections({ area }: { area: Area }) {
  const { t } = useTranslation('areas');
  const sections = areaSections.filter((section) => section.area === area);
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
