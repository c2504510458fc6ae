import { AxeBuilder } from '@axe-core/playwright';
import { expect, type Page } from '@playwright/test';

/** Colours that are still on their way from one scheme to the other are neither's; what inherits one may set off after it has arrived. */
const COLOURS_HAVE_SETTLED = `(async () => {
  for (let framesAtRest = 0; framesAtRest < 2; framesAtRest += 1) {
    const moving = document.getAnimations().filter(({ playState }) => playState === 'running');
    if (moving.length > 0) framesAtRest = 0;
    await Promise.all(moving.map(({ finished }) => finished.catch(() => undefined)));
    await new Promise(requestAnimationFrame);
  }
})()`;

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
    // In the page itself, and telling only what it finds: a page of its own for each result takes twice the time.
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
