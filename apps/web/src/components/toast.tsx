import { notifications, Notifications } from '@mantine/notifications';
import { Button, Group } from '@mantine/core';
import '@mantine/notifications/styles.css';
import { timings } from '../lib/timings';

/** A short message at the edge of the screen. Errors are announced at once and stay longer. */
export const toast = {
  success: (message: string): string =>
    notifications.show({ message, color: 'green', autoClose: timings.successMessage, role: 'status' }),
  error: (message: string): string =>
    notifications.show({ message, color: 'red', autoClose: timings.errorMessage, role: 'alert' }),
};

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

/** Where toasts appear, clear of the buttons that send: a live region that is there before the first of them, or it would go unheard. Mounted by what shows toasts, so that the login page does without it. */
export function Toasts() {
  return <Notifications position="bottom-center" aria-live="polite" />;
}
