import { useMediaQuery } from '@mantine/hooks';
import { useSyncExternalStore } from 'react';
import { newListeners } from '../listeners';

/** The width that divides the layouts; the style sheets say `width < 1024px`. */
const NARROW = '(max-width: 1023.98px)';

/** The style sheets say `width < 640px`. */
const PHONE = '(max-width: 639.98px)';

/** Kept for the browser, whoever signs in: it says what its screen is good for. */
const key = 'continueInBrowser';

const { subscribe, notify } = newListeners();

/** Whether the window is under 1024 px wide. */
export const useIsNarrow = (): boolean => useMediaQuery(NARROW, false, { getInitialValueInEffect: false });

/** Whether the window is as narrow as a phone. */
export const useIsPhone = (): boolean => useMediaQuery(PHONE, false, { getInitialValueInEffect: false });

/** Whether somebody chose the screens for narrow windows over the message. */
export const useContinuesInBrowser = (): boolean =>
  useSyncExternalStore(subscribe, () => localStorage.getItem(key) !== null);

/** From now on this browser shows the screens in narrow windows, too. A wide window shows them anyway, and chooses nothing. */
export function continueInBrowser(): void {
  if (!matchMedia(NARROW).matches) return;
  localStorage.setItem(key, 'yes');
  notify();
}

/** Whether a finger is what points here, most likely without a keyboard. */
export const useIsTouched = (): boolean =>
  useMediaQuery('(pointer: coarse)', false, { getInitialValueInEffect: false });

/** How something is brought into view: at once for who wants things to stand still, which style sheets cannot say for scripts. */
export const scrollMotion = (): ScrollBehavior =>
  matchMedia('(prefers-reduced-motion: reduce)').matches ? 'auto' : 'smooth';

/** How the keys that send are written on this device. */
export const sendKeyLabel = /Mac|iPhone|iPad/.test(navigator.platform) ? '⌘ Enter' : 'Ctrl+Enter';

interface Pressed {
  key: string;
  ctrlKey: boolean;
  metaKey: boolean;
}

/** Whether these keys send what is written. */
export const isSendKey = ({ key, ctrlKey, metaKey }: Pressed): boolean =>
  key === 'Enter' && (ctrlKey || metaKey);
