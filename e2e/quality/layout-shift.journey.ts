import type { Page } from '@playwright/test';
import { unique } from '../support/api.js';
import { closedSpace, joinByCode, newClassCode } from '../support/closed-space.js';
import { expect, test } from '../support/journey.js';
import { expectNoShift, observeShifts } from '../support/layout-shift.js';
import { newPicture } from '../support/pictures.js';

// Motion counts here.
test.use({ contextOptions: { reducedMotion: 'no-preference' } });

/** Holds back uploaded images until they are released, as on a slow connection. */
async function heldPictures(page: Page) {
  let open = () => {};
  const opened = new Promise<void>((resolve) => (open = resolve));
  await page.route('**/media/**', async (route) => {
    await opened;
    await route.continue();
  });
  return { release: () => open() };
}

/** Waits for the screen, then releases its images, and expects no layout shift. */
async function expectStableLayout(
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
  await expectNoShift(page, `${address} at ${width} px`);
}

const hasHeading = (page: Page) => expect(page.getByRole('heading', { level: 1 })).toBeVisible();

for (const [width, height] of [
  [1440, 900],
  [1280, 720],
] as const)
  test(`student screens load without layout shifts at ${width} × ${height}`, async ({ api, openAs }) => {
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
    await expectStableLayout(page, `/dashboard?question=${questionId}`, answerIsThere);
    await expectStableLayout(page, `/singleQuestion/${questionId}/home`, answerIsThere);
    await expectStableLayout(page, '/leaderboard', (shown) =>
      expect(shown.getByText(/^Your rank is \d+/)).toBeVisible(),
    );
    await expectStableLayout(page, '/profile', (shown) =>
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
      await expectStableLayout(page, address);
  });

test('a class code stays where it is while thirty students join', async ({ api, openAs }) => {
  const space = await closedSpace(api, 'INVITATION');
  const code = await newClassCode(api, space);
  const page = await openAs(space.moderator, '/space');
  await observeShifts(page);
  await expectStableLayout(page, code.page);
  const shown = page.getByText(/^[A-Z3479]{3}-[A-Z3479]{3}$/);
  const before = await shown.boundingBox();
  for (let at = 1; at < 30; at += 1)
    await joinByCode(api, await api.newStudent({ firstName: `Maximiliane ${at}` }), code.secret);
  await expect(page.getByRole('heading', { name: '29 of 30 joined' })).toBeVisible();
  await expect(page.getByRole('listitem')).toHaveCount(29);
  expect(await shown.boundingBox()).toEqual(before);
  await expect(page.getByRole('img', { name: /^QR code/ })).toBeInViewport({ ratio: 1 });
});
