import type { ReactNode } from 'react';
import { LanguageChoice } from '../../components/language-choice';
import { ColourSchemeSwitch } from './colour-scheme-switch';
import classes from './header.module.css';
import { UserMenu } from './user-menu';

interface HeaderProps {
  /** At the beginning of the row: the mark where there is no sidebar. */
  start?: ReactNode;
  onLogout: () => void;
}

export function Header({ start, onLogout }: HeaderProps) {
  return (
    <header className={classes.header}>
      {start}
      <div className={classes.end}>
        <LanguageChoice compact />
        <ColourSchemeSwitch />
        <UserMenu onLogout={onLogout} />
      </div>
    </header>
  );
}
