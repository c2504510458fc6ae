import { type ReactNode, Suspense } from 'react';
import { Outlet, useLocation } from 'react-router-dom';
import { ErrorBoundary } from '../../components/error-boundary';
import { ScreenSkeleton } from '../../components/skeletons';
import { contentId } from '../../lib/browser/focus';
import classes from './space-layout.module.css';

interface WorkAreaProps {
  notice?: ReactNode;
  /** Does not remount screens when the path changes. */
  keepsScreen?: boolean;
}

/** A component of its own, so that navigation does not re-render the layout. */
export function WorkArea({ notice, keepsScreen = false }: WorkAreaProps) {
  const { pathname } = useLocation();
  return (
    <main id={contentId} className={classes.main} tabIndex={-1}>
      {notice}
      <ErrorBoundary key={keepsScreen ? undefined : pathname} resetKey={pathname}>
        <Suspense fallback={<ScreenSkeleton />}>
          <Outlet />
        </Suspense>
      </ErrorBoundary>
    </main>
  );
}
