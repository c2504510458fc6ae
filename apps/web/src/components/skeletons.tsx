import { Skeleton, Stack, type MantineRadius } from '@mantine/core';
import type { ReactNode } from 'react';
import { useOutline } from '../lib/browser/loading';

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
