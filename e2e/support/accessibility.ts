import { AxeBuilder } from '@axe-core/playwright';
import { expect, type Page } from '@playwright/test';

/** Waits for colour transitions between schemes; elements that inherit a colour may start theirs later. */
const COLOURS_HAVE_SETTLED = `(async () => {
  for (let framesAtRest = 0; framesAtRest < 2; framesAtRest += 1) {
    const moving = document.getAnimations().filter(({ playState }) => playState === 'running');
    if (moving.length > 0) framesAtRest = 0;
    await Promise.all(moving.map(({ finished }) => finished.catch(() => undefined)));
    await new Promise(requestAnimationFrame);
  }
})()`;

/** Expects axe to find nothing with all rules, in dark and light mode. Leaves the page in light mode. */
export async function expectAccessible(
  page: Page,
  what: string,
  { without = [] as string[] } = {},
): Promise<void> {
  for (const colorScheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', colorScheme);
    await page.evaluate(COLOURS_HAVE_SETTLED);
    // Legacy mode runs in the page itself, and only violations are returned: a separate page takes twice as long.
    const { violations } = await new AxeBuilder({ page })
      .setLegacyMode()
      .options({ resultTypes: ['violations'] })
      .disableRules(without)
      .analyze();
    const found = violations.map(({ id, nodes }) => ({
      id,
      nodes: nodes.map(({ target, failureSummary }) => `${target.join(' ')}: ${failureSummary ?? ''}`),
    }));
    expect(found, `${what} in ${colorScheme}`).toEqual([]);
  }
}
