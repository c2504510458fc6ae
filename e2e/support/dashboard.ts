import { expect, type Locator, type Page } from '@playwright/test';

/** Expands a section between the bar and the list of the dashboard. */
export async function unfold(page: Page, name: 'Unsolved Questions' | 'All Topics' | RegExp): Promise<void> {
  const opener = page.getByRole('main').getByRole('button', { name, expanded: false });
  await opener.click();
  await expect(opener).toHaveCount(0);
}

/** Opens the filters of the dashboard. */
export async function openFilters(page: Page): Promise<Locator> {
  await unfold(page, /^Filters/);
  return page.getByRole('group', { name: 'Filters' });
}
