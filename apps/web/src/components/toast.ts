import { notifications } from '@mantine/notifications';
import { timings } from '../lib/timings';

/** A short message at the edge of the screen. Errors are announced at once and stay longer. */
export const toast = {
  success: (message: string): string =>
    notifications.show({ message, color: 'green', autoClose: timings.successMessage, role: 'status' }),
  error: (message: string): string =>
    notifications.show({ message, color: 'red', autoClose: timings.errorMessage, role: 'alert' }),
};
