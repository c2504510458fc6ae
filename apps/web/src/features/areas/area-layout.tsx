import { type ReactNode, Suspense, useState } from 'react';
import { Outlet, useLocation } from 'react-router-dom';
import { ErrorBoundary } from '../../components/error-boundary';
import { ScreenSkeleton } from '../../components/skeletons';
import { contentId, SkipLink } from '../../components/skip-link';
import { Header } from '../shell/header';
import { LogoutDialog } from '../shell/logout-dialog';
import classes from '../shell/space-layout.module.css';
import { AreaSidebar, type AreaSection } from './area-sidebar';

/** Sidebar, header and work area of moderators and maintainers. */
export function AreaLayout({ sections, notice }: { sections: readonly AreaSection[]; notice?: ReactNode }) {
  const { pathname } = useLocation();
  const [isLeaving, setLeaving] = useState(false);
  return (
    <div className={classes.shell}>
      <SkipLink />
      <AreaSidebar sections={sections} onLogout={() => setLeaving(true)} />
      <div>
        <Header onLogout={() => setLeaving(true)} />
        <main id={contentId} className={classes.main} tabIndex={-1}>
          {notice}
          <ErrorBoundary place={pathname}>
            <Suspense fallback={<ScreenSkeleton />}>
              <Outlet />
            </Suspense>
          </ErrorBoundary>
        </main>
      </div>
      <LogoutDialog opened={isLeaving} onClose={() => setLeaving(false)} />
    </div>
  );
}
