import { AxeBuilder } from '@axe-core/playwright';
import { expect, type Page } from '@playwright/test';

// Colours that are still on their way from one scheme to the other are neither's.
const COLOURS_HAVE_SETTLED =
  'Promise.all(document.getAnimations().map(({ finished }) => finished.catch(() => undefined))).then(() => undefined)';

/** Nothing for axe to find, by all its rules, in dark and in light; leaves the page in light. */
export async function expectAccessible(
  page: Page,
  what: string,
  { without = [] as string[] } = {},
): Promise<void> {
  for (const colorScheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', colorScheme);
    await page.evaluate(COLOURS_HAVE_SETTLED);
    const { violations } = await new AxeBuilder({ page }).disableRules(without).analyze();
    const found = violations.map(({ id, nodes }) => ({
      id,
      nodes: nodes.map(({ target, failureSummary }) => `${target.join(' ')}: ${failureSummary ?? ''}`),
    }));
    expect(found, `${what} in ${colorScheme}`).toEqual([]);
  }
}
