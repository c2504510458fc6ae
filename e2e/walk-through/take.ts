import { join } from 'node:path';
import type { Locator, Page } from '@playwright/test';
import sharp from 'sharp';
import { expect } from '../support/journey.js';

const FOLDER = join(import.meta.dirname, '../../screenshots');

/** A picture of a step, once nothing is on its way any more; `pointing` leaves the pointer where it is. */
export async function take(page: Page, name: string, { pointing = false } = {}): Promise<void> {
  if (!pointing) await page.mouse.move(0, 0);
  await page.evaluate('document.fonts.ready');
  await expect(page.locator('[data-loading], .mantine-Skeleton-root')).toHaveCount(0);
  const picture = await page.screenshot({ animations: 'disabled' });
  // A palette is a third of the size, and what is drawn here has few colours.
  await sharp(picture)
    .png({ palette: true, colours: 128, effort: 10 })
    .toFile(join(FOLDER, `${name}.png`));
}

/** Scrolls until it stands below the header, which stays where it is. */
export async function bringUp(part: Locator): Promise<void> {
  await expect(part).toBeVisible();
  const { y = 0 } = (await part.boundingBox()) ?? {};
  await part.page().evaluate(`window.scrollBy(0, ${y - 84})`);
}
