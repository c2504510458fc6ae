import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Locator, Page } from '@playwright/test';
import sharp from 'sharp';
import { expect } from '../support/journey.js';

const FOLDER = join(import.meta.dirname, '../../screenshots');

/** Takes a screenshot once nothing is loading. `pointing` leaves the pointer where it is. */
export async function take(page: Page, name: string, { pointing = false } = {}): Promise<void> {
  if (!pointing) await page.mouse.move(0, 0);
  await page.evaluate('document.fonts.ready');
  await expect(page.locator('[data-loading], .mantine-Skeleton-root')).toHaveCount(0);
  const picture = await page.screenshot({ animations: 'disabled' });
  await mkdir(FOLDER, { recursive: true });
  // The screens have few colours, and a palette image is a third of the size.
  await sharp(picture)
    .png({ palette: true, colours: 128, effort: 10 })
    .toFile(join(FOLDER, `${name}.png`));
}

/** Scrolls an element to just below the fixed header. */
export async function scrollBelowHeader(part: Locator): Promise<void> {
  await expect(part).toBeVisible();
  const { y = 0 } = (await part.boundingBox()) ?? {};
  await part.page().evaluate(`window.scrollBy(0, ${y - 84})`);
}
