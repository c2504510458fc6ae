import { Suspense, useState, type ReactNode } from 'react';
import { LanguageChoice } from '../../components/language-choice';
import { OnItsWay } from '../../components/on-its-way';
import { ErasureBanner } from '../own-erasure/erasure-banner';
import { useGlobalShortcuts } from '../shortcuts/use-global-shortcuts';
import { ColourSchemeSwitch } from './colour-scheme-switch';
import { lazyPart } from '../../lib/lazy-part';
import { useIsNarrow } from '../../lib/narrow';
import classes from './header.module.css';
import { UserMenu } from './user-menu';

const ShortcutSheet = lazyPart(async () => ({
  default: (await import('../shortcuts/shortcut-sheet')).ShortcutSheet,
}));

interface HeaderProps {
  /** At the beginning of the row: the search, or the mark where there is no sidebar. */
  start?: ReactNode;
  /** What belongs to a space alone. */
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
          <Suspense fallback={<OnItsWay />}>
            <ShortcutSheet onClose={() => setHelpOpen(false)} />
          </Suspense>
        )}
      </header>
      <ErasureBanner />
    </>
  );
}

/** Follows the address, and draws nothing. */
function GlobalShortcuts({ onHelp }: { onHelp: () => void }) {
  useGlobalShortcuts(onHelp);
  return null;
}
