import { expect, type Page } from '@playwright/test';

/** Scores up to 0.1 count as good, but here no text may move visibly. */
const MAX_SHIFT = 0.02;

const OBSERVE = `window.shifts = [];
new PerformanceObserver((list) => {
  for (const { value, sources } of list.getEntries())
    window.shifts.push({
      value,
      moved: sources.map(({ node, previousRect: from, currentRect: to }) =>
        (node?.nodeType === 1 ? node.outerHTML.slice(0, 120) : node?.textContent) +
          ' ' + [from.x, from.y, from.width, from.height] + ' > ' + [to.x, to.y, to.width, to.height]),
    });
}).observe({ type: 'layout-shift', buffered: true });`;

interface Shift {
  readonly value: number;
  readonly moved: readonly string[];
}

/** Observes layout shifts from the next navigation on. */
export const observeShifts = (page: Page): Promise<unknown> => page.addInitScript({ content: OBSERVE });

/** Expects almost no layout shift since navigation. */
export async function expectNoShift(page: Page, where: string): Promise<void> {
  const shifts = await page.evaluate<Shift[]>('window.shifts');
  const total = shifts.reduce((sum, { value }) => sum + value, 0);
  expect.soft(total, `layout shifts on ${where}\n${JSON.stringify(shifts, null, 2)}`).toBeLessThan(MAX_SHIFT);
}
