import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { expect } from '../support/journey.js';

const FOLDER = join(import.meta.dirname, '../../screenshots');

export type Shoot = (page: Page, name: string) => Promise<void>;

/** Takes screenshots named `<flow>-<n>-<step>` once nothing is loading, with the pointer out of the way. */
export function shooter(colorScheme: 'light' | 'dark'): Shoot {
  return async (page, name) => {
    await page.mouse.move(0, 0);
    await page.evaluate('document.fonts.ready');
    await expect(page.locator('[data-loading], .mantine-Skeleton-root')).toHaveCount(0);
    await page.screenshot({ path: join(FOLDER, `${name}-${colorScheme}.png`), animations: 'disabled' });
  };
}
