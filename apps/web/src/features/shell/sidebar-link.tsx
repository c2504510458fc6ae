import type { Icon } from '@tabler/icons-react';
import { Link, matchPath, NavLink, useLocation } from 'react-router-dom';
import classes from './sidebar.module.css';

interface SidebarLinkProps {
  to: string;
  label: string;
  icon: Icon;
  /** Whether it is highlighted, if the URL does not determine that. */
  isCurrent?: boolean;
  /** Other path patterns that belong to the link. */
  below?: readonly string[];
  /** Accessible label including the badge. */
  name?: string;
  /** Text of a badge on the icon. */
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
