import type { Page } from '@playwright/test';
import { unique } from './support/api.js';
import { expect, test } from './support/journey.js';
import { newPicture } from './support/pictures.js';

// What moves of itself counts here.
test.use({ contextOptions: { reducedMotion: 'no-preference' } });

/** What counts as good is 0.1; nothing that is read here may move visibly. */
const MAX_SHIFT = 0.02;

const OBSERVE = `window.shifts = [];
new PerformanceObserver((list) => {
  for (const { value, sources } of list.getEntries())
    window.shifts.push({ value, moved: sources.map(({ node }) => node?.nodeType === 1 ? node.outerHTML.slice(0, 120) : String(node)) });
}).observe({ type: 'layout-shift', buffered: true });`;

interface Shift {
  readonly value: number;
  readonly moved: readonly string[];
}

/** Uploaded pictures arrive when they are released: after everything else, as on a slow line. */
async function heldPictures(page: Page) {
  let open = () => {};
  const opened = new Promise<void>((resolve) => (open = resolve));
  await page.route('**/media/**', async (route) => {
    await opened;
    await route.continue();
  });
  return { release: () => open() };
}

async function expectStill(
  page: Page,
  address: string,
  isThere: (page: Page) => Promise<void>,
): Promise<void> {
  const pictures = await heldPictures(page);
  await page.goto(address, { waitUntil: 'domcontentloaded' });
  await isThere(page);
  pictures.release();
  await page.waitForLoadState('networkidle');
  const shifts = await page.evaluate<Shift[]>('window.shifts');
  const total = shifts.reduce((sum, { value }) => sum + value, 0);
  await page.unrouteAll({ behavior: 'wait' });
  expect(total, `${address}\n${JSON.stringify(shifts, null, 2)}`).toBeLessThan(MAX_SHIFT);
}

test('nothing jumps while dashboard, question, leaderboard and profile load', async ({ api, openAs }) => {
  const [author, helper] = await Promise.all([api.newStudent(), api.newStudent()]);
  const imageUrls = [
    await api.upload(author, await newPicture('#2980b9')),
    await api.upload(author, await newPicture('#27ae60', 420, 900)),
  ];
  const title = unique('Does anything jump?');
  const questionId = await api.ask(author, title, { imageUrls });
  await api.answer(helper, questionId, '<p>Not that I can see.</p>');
  await api.comment(helper, questionId, 'Nor I.');
  await api.save(author, questionId);

  const page = await openAs(author, '/space');
  await page.addInitScript({ content: OBSERVE });
  const answerIsThere = (shown: Page) =>
    expect(shown.getByText('Not that I can see.', { exact: true }).first()).toBeVisible();
  await expectStill(page, `/dashboard?question=${questionId}`, answerIsThere);
  await expectStill(page, `/singleQuestion/${questionId}/home`, answerIsThere);
  await expectStill(page, '/leaderboard', (shown) =>
    expect(shown.getByText(/^Your rank is \d+/)).toBeVisible(),
  );
  await expectStill(page, '/profile', (shown) =>
    expect(shown.getByRole('link', { name: new RegExp(title.replace('?', '\\?')) })).toBeVisible(),
  );
});
