import type { Page } from '@playwright/test';
import { unique } from '../support/api.js';
import { expect, test } from '../support/journey.js';
import { expectStill, observeShifts } from '../support/layout-shift.js';
import { newPicture } from '../support/pictures.js';

// What moves of itself counts here.
test.use({ contextOptions: { reducedMotion: 'no-preference' } });

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

/** The screen is there, then its pictures, and then nothing has moved. */
async function expectStillThere(
  page: Page,
  address: string,
  isThere: (page: Page) => Promise<void> = hasHeading,
): Promise<void> {
  const pictures = await heldPictures(page);
  await page.goto(address, { waitUntil: 'domcontentloaded' });
  await isThere(page);
  pictures.release();
  await page.waitForLoadState('networkidle');
  await page.unrouteAll({ behavior: 'wait' });
  const { width = 0 } = page.viewportSize() ?? {};
  await expectStill(page, `${address} at ${width} px`);
}

const hasHeading = (page: Page) => expect(page.getByRole('heading', { level: 1 })).toBeVisible();

for (const [width, height] of [
  [1440, 900],
  [1280, 720],
] as const)
  test(`nothing jumps while a student's screens load at ${width} × ${height}`, async ({ api, openAs }) => {
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

    const page = await openAs(author, '/space', { viewport: { width, height } });
    await observeShifts(page);
    const answerIsThere = (shown: Page) =>
      expect(shown.getByText('Not that I can see.', { exact: true }).first()).toBeVisible();
    await expectStillThere(page, `/dashboard?question=${questionId}`, answerIsThere);
    await expectStillThere(page, `/singleQuestion/${questionId}/home`, answerIsThere);
    await expectStillThere(page, '/leaderboard', (shown) =>
      expect(shown.getByText(/^Your rank is \d+/)).toBeVisible(),
    );
    await expectStillThere(page, '/profile', (shown) =>
      expect(shown.getByRole('link', { name: new RegExp(title.replace('?', '\\?')) })).toBeVisible(),
    );
    for (const address of [
      '/space',
      '/dashboard',
      '/ask',
      '/search?text=jump',
      '/leaderboard/score',
      '/nimoSense',
      '/profile?tab=activities',
      '/notifications',
      `/nimorisingstarsingle?id=${helper._id}`,
      '/news',
      '/setting',
    ])
      await expectStillThere(page, address);
  });
