import { useLocation, useNavigate } from 'react-router-dom';
import { paths } from '../../lib/paths';
import { useCurrentSpace } from '../../lib/auth-storage';
import { useIsLeft, useShortcutKeys, useShortcuts } from './use-shortcuts';

/** The shortcuts that mean the same on every screen. */
export function useGlobalShortcuts(showHelp: () => void): void {
  const navigate = useNavigate();
  const { pathname } = useLocation();
  const isInSpace = useCurrentSpace() !== null;
  const isLeft = useIsLeft();
  const goTo = (path: string) => {
    if (path !== pathname || isLeft()) void navigate(path);
  };
  useShortcutKeys();
  const inSpace = {
    search: () => goTo(paths.search),
    ask: () => goTo(paths.ask),
    toDashboard: () => goTo(paths.dashboard),
    toLeaderboard: () => goTo(paths.leaderboard),
    toProfile: () => goTo(paths.profile),
  };
  useShortcuts(
    { help: showHelp, toSpaces: () => goTo(paths.spaces), ...(isInSpace && inSpace) },
    { stays: true },
  );
}
