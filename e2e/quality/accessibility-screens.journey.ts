import type { Page } from '@playwright/test';
import { expectAccessible } from '../support/accessibility.js';
import { unique } from '../support/api.js';
import { closedSpace, joinByCode, newClassCode } from '../support/closed-space.js';
import { expect, test } from '../support/journey.js';

/** Expects exactly one level-1 heading and no skipped levels. */
async function expectHeadingsInOrder(page: Page, address: string): Promise<void> {
  const levels = await page
    .locator('h1, h2, h3, h4')
    .evaluateAll((headings) => headings.map(({ tagName }) => Number(tagName.slice(1))));
  const jumps = levels.filter((level, index) => level > (levels[index - 1] ?? 0) + 1);
  expect({ address, levels, jumps, first: levels.filter((level) => level === 1).length }).toMatchObject({
    jumps: [],
    first: 1,
  });
}

async function expectScreen(page: Page, address: string, heading: string | RegExp): Promise<void> {
  await page.goto(address);
  await expect(page.getByRole('heading', { level: 1, name: heading })).toBeVisible();
  await page.waitForLoadState('networkidle');
  await expectHeadingsInOrder(page, address);
  await expectAccessible(page, address);
}

test('axe finds nothing on registration and password reset by email', async ({ page }) => {
  await expectScreen(page, '/register', 'Register');
  await page.getByRole('button', { name: 'Register' }).click();
  await expectAccessible(page, 'register with errors');
  await expectScreen(page, '/forgot-password', 'Reset password');
});

test('axe finds nothing on settings, news, analytics and a student’s page', async ({ api, openAs }) => {
  const [student, peer] = await Promise.all([api.newStudent(), api.newStudent()]);
  const questionId = await api.ask(student, unique('What is read aloud here?'));
  await api.answer(peer, questionId, '<p>Everything.</p>');
  await api.comment(peer, questionId, `Right, @[${student._id}]?`);
  const page = await openAs(student, '/space');
  await expectScreen(page, '/setting', 'Settings');
  for (const tab of ['Password', 'Student settings']) {
    await page.getByRole('tab', { name: tab }).click();
    await expectAccessible(page, `settings, ${tab}`);
  }
  await expectScreen(page, '/news', 'News');
  await expectScreen(page, '/nimoSense', 'Nimo Sense');
  for (const tab of ['Subject clarity', 'Career Development']) {
    await page.getByRole('tab', { name: tab }).click();
    await page.waitForLoadState('networkidle');
    await expectAccessible(page, `Nimo Sense, ${tab}`);
  }
  await expectScreen(page, `/nimorisingstarsingle?id=${peer._id}`, peer.userName);
  await expectScreen(page, '/leaderboard/score', 'How is my score calculated?');
  await page.goto('/profile');
  await page.getByRole('tab', { name: 'My Activities' }).click();
  await page.waitForLoadState('networkidle');
  await expectHeadingsInOrder(page, 'profile');
  await expectAccessible(page, 'activities');
  await page.getByRole('button', { name: /^Notifications/ }).click();
  await expect(page.getByRole('dialog', { name: 'Notifications' })).toBeVisible();
  // It floats above the page, outside its landmarks.
  await expectAccessible(page, 'notifications', { without: ['region'] });
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Exit Space' }).click();
  await expect(page.getByRole('dialog')).toBeVisible();
  await expectAccessible(page, 'exit space');
});

test('axe finds nothing on the security log', async ({ api, openAs }) => {
  const page = await openAs(await api.newStudent(), '/space');
  await page.goto('/setting?tab=securityLog');
  await expect(page.getByRole('list', { name: 'Security log' }).getByText('Logged in').first()).toBeVisible();
  await expectHeadingsInOrder(page, 'security log');
  await expectAccessible(page, 'security log');
});

test('axe finds nothing on a class code shown to a class', async ({ api, openAs }) => {
  const space = await closedSpace(api, 'INVITATION');
  const code = await newClassCode(api, space, 2);
  const [first, second] = await Promise.all([api.newStudent(), api.newStudent()]);
  await joinByCode(api, first, code.secret);
  const page = await openAs(space.moderator, '/space');
  await expectScreen(page, code.page, space.name);
  await page.setViewportSize({ width: 390, height: 844 });
  await page.getByRole('button', { name: 'Continue in the browser' }).click();
  await expect(page.getByRole('img', { name: /^QR code/ })).toBeInViewport({ ratio: 1 });
  expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBe(390);
  await expectAccessible(page, 'a class code on a phone');
  await joinByCode(api, second, code.secret);
  await expect(page.getByRole('main').getByText('This code has no uses left.')).toBeVisible();
  await expectAccessible(page, 'a class code without uses');
});

test('toasts are announced, and nothing moves with reduced motion', async ({ api, openAs }) => {
  const [author, reader] = await Promise.all([api.newStudent(), api.newStudent()]);
  const questionId = await api.ask(author, unique('Who hears of it?'));
  const page = await openAs(reader, `/singleQuestion/${questionId}/home`, { reducedMotion: 'reduce' });
  await page
    .getByRole('button', { name: /^Upvote/ })
    .first()
    .click();
  await expect(page.getByRole('status').filter({ hasText: 'Question upvoted successfully!' })).toBeVisible();
  const longest = await page.evaluate<number>(
    `Math.max(0, ...document.getAnimations().map((animation) => Number(animation.effect.getComputedTiming().duration)))`,
  );
  expect(longest).toBeLessThanOrEqual(1);
});
