import type { BrowserContextOptions } from '@playwright/test';

/** A window on a handheld touch device. */
export const handheld = (width: number, height: number): BrowserContextOptions => ({
  viewport: { width, height },
  hasTouch: true,
  isMobile: true,
});
