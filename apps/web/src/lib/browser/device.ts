import { useMediaQuery } from '@mantine/hooks';
import { useSyncExternalStore } from 'react';
import { newListeners } from '../listeners';

/** Breakpoint of the layouts; the style sheets use `width < 1024px`. */
const NARROW = '(max-width: 1023.98px)';

/** The style sheets use `width < 640px`. */
const PHONE = '(max-width: 639.98px)';

/** Stored per browser, not per person: it is about the screen. */
const key = 'continueInBrowser';

const { subscribe, notify } = newListeners();

/** Whether the window is under 1024 px wide. */
export const useIsNarrow = (): boolean => useMediaQuery(NARROW, false, { getInitialValueInEffect: false });

/** Whether the window is as narrow as a phone. */
export const useIsPhone = (): boolean => useMediaQuery(PHONE, false, { getInitialValueInEffect: false });

/** Whether someone dismissed the message and chose the screens for narrow windows. */
export const useContinuesInBrowser = (): boolean =>
  useSyncExternalStore(subscribe, () => localStorage.getItem(key) !== null);

/** Shows the screens in narrow windows from now on. In a wide window there is nothing to choose. */
export function continueInBrowser(): void {
  if (!matchMedia(NARROW).matches) return;
  localStorage.setItem(key, 'yes');
  notify();
}

/** Whether the primary pointer is a finger, most likely without a keyboard. */
export const useIsTouched = (): boolean =>
  useMediaQuery('(pointer: coarse)', false, { getInitialValueInEffect: false });

/** Scroll behaviour: instant with reduced motion, which style sheets cannot set for scripts. */
export const scrollMotion = (): ScrollBehavior =>
  matchMedia('(prefers-reduced-motion: reduce)').matches ? 'auto' : 'smooth';

/** How the send shortcut is written on this device. */
export const sendKeyLabel = /Mac|iPhone|iPad/.test(navigator.platform) ? '⌘ Enter' : 'Ctrl+Enter';

interface Pressed {
  key: string;
  ctrlKey: boolean;
  metaKey: boolean;
}

/** Whether this is the send shortcut. */
export const isSendKey = ({ key, ctrlKey, metaKey }: Pressed): boolean =>
  key === 'Enter' && (ctrlKey || metaKey);
