import { lazy, Suspense, useState, type ReactNode } from 'react';
import { LanguageChoice } from '../../components/language-choice';
import { useGlobalShortcuts } from '../shortcuts/use-global-shortcuts';
import { ColourSchemeSwitch } from './colour-scheme-switch';
import classes from './header.module.css';
import { UserMenu } from './user-menu';

const ShortcutSheet = lazy(async () => ({
  default: (await import('../shortcuts/shortcut-sheet')).ShortcutSheet,
}));

interface HeaderProps {
  /** At the beginning of the row: the search, or the mark where there is no sidebar. */
  start?: ReactNode;
  /** What belongs to a space alone. */
  tools?: ReactNode;
  onLogout: () => void;
}

export function Header({ start, tools, onLogout }: HeaderProps) {
  const [isHelpOpen, setHelpOpen] = useState(false);
  useGlobalShortcuts(() => setHelpOpen(true));
  return (
    <header className={classes.header}>
      {start}
      <div className={classes.end}>
        {tools}
        <LanguageChoice compact />
        <ColourSchemeSwitch />
        <UserMenu onShortcuts={() => setHelpOpen(true)} onLogout={onLogout} />
      </div>
      {isHelpOpen && (
        <Suspense fallback={null}>
          <ShortcutSheet onClose={() => setHelpOpen(false)} />
        </Suspense>
      )}
    </header>
  );
}
