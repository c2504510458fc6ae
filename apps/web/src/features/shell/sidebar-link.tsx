import type { Icon } from '@tabler/icons-react';
import { Link, matchPath, NavLink, useLocation } from 'react-router-dom';
import classes from './sidebar.module.css';

interface SidebarLinkProps {
  to: string;
  label: string;
  icon: Icon;
  /** Whether it is lit, where the address alone does not tell. */
  isCurrent?: boolean;
  /** Patterns of addresses that belong to it without standing below its own. */
  below?: readonly string[];
  /** The label with what the badge says. */
  name?: string;
  /** Stands on the icon. */
  badge?: string | undefined;
}

export function SidebarLink({
  to,
  label,
  icon: ItemIcon,
  below = [],
  name,
  badge,
  ...rest
}: SidebarLinkProps) {
  const { pathname } = useLocation();
  const isCurrent = below.some((pattern) => matchPath(pattern, pathname)) || rest.isCurrent;
  const content = (
    <>
      <span className={classes.icon} aria-hidden>
        <ItemIcon size={20} stroke={1.75} />
        {badge !== undefined && <span className={classes.badge}>{badge}</span>}
      </span>
      {label}
    </>
  );
  return (
    <li>
      {isCurrent === undefined ? (
        <NavLink to={to} className={classes.item} aria-label={name}>
          {content}
        </NavLink>
      ) : (
        <Link
          to={to}
          className={classes.item}
          aria-label={name}
          aria-current={isCurrent ? 'page' : undefined}
        >
          {content}
        </Link>
      )}
    </li>
  );
}

interface SidebarActionProps {
  label: string;
  icon: Icon;
  onClick: () => void;
}

export function SidebarAction({ label, icon: ItemIcon, onClick }: SidebarActionProps) {
  return (
    <li>
      <button type="button" className={classes.item} onClick={onClick}>
        <ItemIcon size={20} stroke={1.75} aria-hidden />
        {label}
      </button>
    </li>
  );
}
