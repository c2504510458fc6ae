import { Group, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { useScreenTitle } from '../lib/browser/announce';
import { useIsPhone } from '../lib/browser/device';

interface PageHeadingProps {
  children: string;
  /** At the end of the heading's row; on a phone below it if there is no room. */
  actions?: ReactNode;
}

/** The only h1 of a screen. */
export function PageHeading({ children, actions }: PageHeadingProps) {
  useScreenTitle(children);
  const isPhone = useIsPhone();
  return (
    <Group justify="space-between" wrap={isPhone ? 'wrap' : 'nowrap'} gap="md" mih={36}>
      <Title order={1}>{children}</Title>
      {actions}
    </Group>
  );
}
