import type { BrowserContextOptions } from '@playwright/test';

/** A window of that size on a device that is held in a hand. */
export const handheld = (width: number, height: number): BrowserContextOptions => ({
  viewport: { width, height },
  hasTouch: true,
  isMobile: true,
});
