import type { Icon } from '@tabler/icons-react';
import { NavLink } from 'react-router-dom';
import classes from './sidebar.module.css';

interface SidebarLinkProps {
  to: string;
  label: string;
  icon: Icon;
  /** Lit at this very address only, not below it. */
  exact?: boolean;
}

export function SidebarLink({ to, label, icon: ItemIcon, exact = false }: SidebarLinkProps) {
  return (
    <li>
      <NavLink to={to} end={exact} className={classes.item}>
        <ItemIcon size={20} stroke={1.75} aria-hidden />
        {label}
      </NavLink>
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
