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
  /** Id for hiding the message. */
  id?: string;
  message: string;
  label: string;
  onUndo: () => void;
}

/** Confirms an action and offers to undo it, for longer than a plain message. */
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

/** Hides a message that is no longer true. */
export function hideUndo(id: string): void {
  notifications.hide(id);
}

/**
 * Where toasts appear, clear of the submit buttons: the live region has to exist before the first toast. Mounted by
 * what shows toasts, so that the login page does not load it.
 */
export function Toasts() {
  return <Notifications position="bottom-center" aria-live="polite" />;
}
