import { Button, Group } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { timings } from '../lib/timings';

interface Undoable {
  /** Names the message, so that it can be hidden. */
  id?: string;
  message: string;
  label: string;
  onUndo: () => void;
}

/** Says that something is done and offers to take it back, for longer than a message that is only read. */
export function showUndo({ id: name, message, label, onUndo }: Undoable): void {
  const id = notifications.show({
    ...(name !== undefined && { id: name }),
    message: (
      <Group justify="space-between" wrap="nowrap">
        {message}
        <Button
          variant="subtle"
          size="compact-sm"
          onClick={() => {
            notifications.hide(id);
            onUndo();
          }}
        >
          {label}
        </Button>
      </Group>
    ),
    color: 'green',
    autoClose: timings.undo,
    role: 'status',
  });
}

/** Takes a message back that has become untrue. */
export function hideUndo(id: string): void {
  notifications.hide(id);
}
