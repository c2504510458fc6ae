import { Stack } from '@mantine/core';
import { OwnDataCard } from './own-data-card';

/** What is kept of oneself. */
export function OwnDataTab() {
  return (
    <Stack gap="lg">
      <OwnDataCard />
    </Stack>
  );
}
