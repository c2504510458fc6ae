import { type MantineRadius, Skeleton, Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { useLocation } from 'react-router-dom';
import { useOutline } from '../lib/browser/loading';
import { paths } from '../lib/paths';
import { useAuthUser } from '../lib/auth-storage';
import { useContinuesInBrowser, useIsNarrow } from '../lib/browser/device';
import classes from './skeletons.module.css';

/** The outline of a screen whose code is on its way. */
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
  /** They stand at the end of a list for as long as there is more, whether or not it is read. */
  isMore?: boolean;
}

/** Rows of a list that is on its way, as high as the rows will be. */
export function SkeletonRows({ count, height = 64, isMore = false }: SkeletonRowsProps) {
  useOutline(!isMore);
  return (
    <Stack gap="xs" aria-hidden>
      {Array.from({ length: count }, (_, row) => (
        <Skeleton key={row} height={height} radius="md" />
      ))}
    </Stack>
  );
}

/** The place of what is to come, as high as the same with nobody's values in it. It is neither seen nor reached. */
export function Placeholder({ radius, children }: { radius?: MantineRadius; children: ReactNode }) {
  useOutline();
  return (
    <Skeleton {...(radius === undefined ? {} : { radius })}>
      <div aria-hidden style={{ visibility: 'hidden' }}>
        {children}
      </div>
    </Skeleton>
  );
}

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
