import { Group, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { useScreenTitle } from '../lib/browser/announce';

interface PageHeadingProps {
  children: string;
  /** At the end of the heading's row. */
  actions?: ReactNode;
}

/** The only h1 of a screen. */
export function PageHeading({ children, actions }: PageHeadingProps) {
  useScreenTitle(children);
  return (
    <Group justify="space-between" wrap="nowrap" gap="md" mih={36}>
      <Title order={1}>{children}</Title>
      {actions}
    </Group>
  );
}
