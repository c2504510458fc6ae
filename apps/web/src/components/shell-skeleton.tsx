import { useLocation } from 'react-router-dom';
import { paths } from '../lib/paths';
import { ScreenSkeleton } from './skeletons';
import { useAuthUser } from '../lib/auth-storage';
import { useContinuesInBrowser, useIsNarrow } from '../lib/browser/device';
import classes from './shell-skeleton.module.css';

/**
 * The outline of a whole page whose code is on its way, with what will surround its screen where that will be, so that nothing jumps:
 * sidebar and header for whoever is signed in, the header alone where a space is chosen, and neither for visitors and where a narrow window shows the message.
 */
export function ShellSkeleton() {
  const isSignedIn = useAuthUser() !== null;
  const { pathname } = useLocation();
  const [isNarrow, goesOn] = [useIsNarrow(), useContinuesInBrowser()];
  const content = (
    <div className={classes.main}>
      <ScreenSkeleton />
    </div>
  );
  if (!isSignedIn || (isNarrow && !goesOn)) return content;
  const page = (
    <div>
      <div className={classes.header} data-part="header" aria-hidden />
      {content}
    </div>
  );
  if (pathname === paths.spaces) return page;
  return (
    <div className={classes.withSidebar}>
      <div className={classes.sidebar} data-part="sidebar" aria-hidden />
      {page}
    </div>
  );
}
