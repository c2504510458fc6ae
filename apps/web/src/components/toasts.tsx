import '@mantine/notifications/styles.css';
import { Notifications } from '@mantine/notifications';

/** Where toasts appear. Mounted by what shows toasts, so that the login page does without it. */
export function Toasts() {
  return <Notifications position="top-right" />;
}
