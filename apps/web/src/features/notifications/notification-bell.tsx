import { ActionIcon, Indicator, Popover } from '@mantine/core';
import { useDisclosure, useId } from '@mantine/hooks';
import IconBell from '@tabler/icons-react/dist/esm/icons/IconBell.mjs';
import { useRef } from 'react';
import { useCurrentSpace } from '../../lib/auth-storage';
import type { AnsweredRequest } from '../entry/entry-answer';
import { useRefusal } from './entry-requests';
import { NotificationPanel } from './notification-panel';
import { useNewBadge } from './use-new-count';

/** Bell in the header of a space, with a badge and a popover of notifications. */
export function SpaceBell() {
  const space = useCurrentSpace();
  return space && <NotificationBell key={space._id} space={space._id} />;
}

/** @param space null for what waits for the user in all spaces they moderate */
export function NotificationBell({ space }: { space: string | null }) {
  const titleId = useId();
  const [isOpen, panel] = useDisclosure();
  const { newCount, shown, label } = useNewBadge(space);
  const bell = useRef<HTMLButtonElement>(null);
  const { isRefusing, refuse, dialog } = useRefusal(() => undefined);
  const openRefusal = (request: AnsweredRequest) => {
    // The dialog returns the focus here, because its opener closes with the panel.
    bell.current?.focus();
    panel.close();
    refuse(request);
  };
  return (
    <>
      <Popover
        opened={isOpen}
        onChange={(opened) => (opened ? panel.open() : panel.close())}
        position="bottom-end"
        width="min(400px, calc(100vw - 1rem))"
        shadow="md"
        trapFocus
        returnFocus={!isRefusing}
      >
        <Indicator label={shown} size={18} offset={6} disabled={newCount === 0} color="red.8" zIndex={1}>
          <Popover.Target>
            <ActionIcon
              ref={bell}
              variant="subtle"
              color="gray"
              size="lg"
              aria-label={label}
              onClick={panel.toggle}
            >
              <IconBell size={20} stroke={1.75} />
            </ActionIcon>
          </Popover.Target>
        </Indicator>
        <Popover.Dropdown p={0} aria-labelledby={titleId}>
          <NotificationPanel
            space={space}
            titleId={titleId}
            newCount={newCount}
            onClose={panel.close}
            onRefuse={openRefusal}
          />
        </Popover.Dropdown>
      </Popover>
      {dialog}
    </>
  );
}
