import { Skeleton, Stack, VisuallyHidden } from '@mantine/core';
import { useTranslation } from 'react-i18next';

/** The outline of a screen whose code is on its way. */
export function ScreenSkeleton() {
  const { t } = useTranslation('shell');
  return (
    <Stack gap="lg" role="status">
      <VisuallyHidden>{t('loading')}</VisuallyHidden>
      <Skeleton height={28} width={220} />
      <SkeletonRows count={6} />
    </Stack>
  );
}

/** Rows of a list that is on its way, as high as the rows will be. */
export function SkeletonRows({ count, height = 64 }: { count: number; height?: number }) {
  return (
    <Stack gap="xs" aria-hidden>
      {Array.from({ length: count }, (_, row) => (
        <Skeleton key={row} height={height} radius="md" />
      ))}
    </Stack>
  );
}
