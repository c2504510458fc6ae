import { type ReactNode, Suspense } from 'react';
import { Outlet, useLocation } from 'react-router-dom';
import { ErrorBoundary } from '../../components/error-boundary';
import { ScreenSkeleton } from '../../components/skeletons';
import { contentId } from '../../lib/browser/focus';
import classes from './space-layout.module.css';

interface WorkAreaProps {
  notice?: ReactNode;
  /** A screen stays as it is while only its address changes. */
  keepsScreen?: boolean;
}

/** Follows the address by itself: what surrounds it is not drawn again with every screen. */
export function WorkArea({ notice, keepsScreen = false }: WorkAreaProps) {
  const { pathname } = useLocation();
  return (
    <main id={contentId} className={classes.main} tabIndex={-1}>
      {notice}
      <ErrorBoundary key={keepsScreen ? undefined : pathname} place={pathname}>
        <Suspense fallback={<ScreenSkeleton />}>
          <Outlet />
        </Suspense>
      </ErrorBoundary>
    </main>
  );
}
