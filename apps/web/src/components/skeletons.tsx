import { type MantineRadius, Skeleton, Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { matchPath, useLocation } from 'react-router-dom';
import { useSkeletonCount } from '../lib/browser/loading';
import { paths, routePatterns } from '../lib/paths';
import { useAuthUser } from '../lib/auth-storage';
import { useContinuesInBrowser, useIsNarrow } from '../lib/browser/device';
import classes from './skeletons.module.css';

/** Skeleton of a screen whose code is loading. */
export function ScreenSkeleton() {
  return (
    <Stack gap="lg">
      <Skeleton height={28} width={220} />
      <SkeletonRows count={6} />
    </Stack>
  );
}

interface SkeletonRowsProps {
  count: number;
  height?: number;
  /** Shown at the end of a list while there is more, whether or not it is loading. */
  isMore?: boolean;
}

/** Skeletons of rows, as high as the rows will be. */
export function SkeletonRows({ count, height = 64, isMore = false }: SkeletonRowsProps) {
  useSkeletonCount(!isMore);
  return (
    <Stack gap="xs" aria-hidden>
      {Array.from({ length: count }, (_, row) => (
        <Skeleton key={row} height={height} radius="md" />
      ))}
    </Stack>
  );
}

/** A placeholder as high as the real content, hidden from view and from the keyboard. */
export function Placeholder({ radius, children }: { radius?: MantineRadius; children: ReactNode }) {
  useSkeletonCount();
  return (
    <Skeleton {...(radius === undefined ? {} : { radius })}>
      <div aria-hidden style={{ visibility: 'hidden' }}>
        {children}
      </div>
    </Skeleton>
  );
}

const staffAreas = [paths.moderation, paths.audit, paths.maintenance];

/**
 * Skeleton of a whole page with the frame around its screen, so that nothing jumps: sidebar and header when signed
 * in, only the header where a space is chosen, and neither for visitors, behind the message for narrow windows and on
 * the page shown to a class.
 */
export function ShellSkeleton() {
  const isSignedIn = useAuthUser() !== null;
  const { pathname } = useLocation();
  const [isNarrow, continues] = [useIsNarrow(), useContinuesInBrowser()];
  const content = (
    <div className={classes.main}>
      <ScreenSkeleton />
    </div>
  );
  const isBare = matchPath(routePatterns.shownClassCode, pathname) !== null;
  if (!isSignedIn || (isNarrow && !continues) || isBare) return content;
  const page = (
    <div>
      <div className={classes.header} data-part="header" aria-hidden />
      {content}
    </div>
  );
  const hasSidebar = !(isNarrow && staffAreas.some((area) => pathname.startsWith(area)));
  if (pathname === paths.spaces || !hasSidebar) return page;
  return (
    <div className={classes.withSidebar}>
      <div className={classes.sidebar} data-part="sidebar" aria-hidden />
      {page}
    </div>
  );
}
