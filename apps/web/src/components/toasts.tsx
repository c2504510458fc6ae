import '@mantine/notifications/styles.css';
import { Notifications } from '@mantine/notifications';

/** Where toasts appear, clear of the buttons that send: a live region that is there before the first of them, or it would go unheard. Mounted by what shows toasts, so that the login page does without it. */
export function Toasts() {
  return <Notifications position="bottom-center" aria-live="polite" />;
}
