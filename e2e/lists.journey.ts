import type { Page } from '@playwright/test';
import { unique } from './support/api.js';
import { expect, test } from './support/journey.js';

const scrolled = (page: Page) => page.evaluate<number>('Math.round(window.scrollY)');

test('a question that others ask is announced above the list, which stands still', async ({
  api,
  openAs,
}) => {
  const [reader, author] = await Promise.all([api.newStudent(), api.newStudent()]);
  const before = unique('Here already');
  await api.ask(author, before);
  const page = await openAs(reader, '/dashboard');
  const list = page.getByRole('list', { name: 'RECENTLY POSTED' });
  await expect(list.getByRole('listitem').first()).toContainText(before);
  await page.waitForLoadState('networkidle');
  const title = unique('Asked meanwhile');
  await api.ask(author, title);
  const bar = page.getByRole('button', { name: '1 new question', exact: true });
  await expect(bar).toBeVisible();
  await expect(list.getByRole('link', { name: title })).toHaveCount(0);
  await bar.click();
  await expect(list.getByRole('listitem').first()).toContainText(title);
  await expect(bar).toHaveCount(0);
});

test('ten stops of the Tab key lead to the first question; strips fold and stay folded', async ({
  api,
  openAs,
}) => {
  const student = await api.newStudent();
  await api.ask(student, unique('How far is it?'));
  const page = await openAs(student, '/dashboard');
  const first = page.getByRole('list', { name: 'RECENTLY POSTED' }).getByRole('link').first();
  await expect(first).toBeVisible();
  await expect(page.getByRole('region', { name: 'All Topics' }).getByRole('listitem').first()).toBeVisible();
  await page.keyboard.press('Tab');
  await expect(page.getByRole('link', { name: 'Skip to content' })).toBeFocused();
  await page.keyboard.press('Enter');
  let stops = 0;
  do {
    await page.keyboard.press('Tab');
    stops += 1;
  } while (stops < 30 && !(await first.evaluate((link) => link === link.ownerDocument.activeElement)));
  expect(stops).toBeLessThanOrEqual(10);

  const chips = page.getByRole('checkbox');
  await chips.first().focus();
  await page.keyboard.press('ArrowRight');
  await expect(chips.nth(1)).toBeFocused();

  const fold = page.getByRole('button', { name: 'Unsolved Questions', exact: true });
  await expect(fold).toHaveAttribute('aria-expanded', 'true');
  await fold.click();
  await page.reload();
  await expect(fold).toHaveAttribute('aria-expanded', 'false');
  await expect(page.getByRole('region', { name: 'Unsolved Questions' }).getByRole('list')).toHaveCount(0);
});

test('the list is never wider than what it opens, and says which filters are on', async ({ api, openAs }) => {
  const student = await api.newStudent();
  await api.ask(student, unique('How wide?'));
  const page = await openAs(student, '/dashboard?myQuestions=true');
  await expect(page.getByRole('list', { name: 'RECENTLY POSTED' })).toBeVisible();
  await expect(
    page.locator('section[aria-labelledby="list-heading"]').getByText('My Questions'),
  ).toBeVisible();
  for (const width of [1024, 1280, 1440, 1920]) {
    await page.setViewportSize({ width, height: 900 });
    const list = await page.locator('section[aria-labelledby="list-heading"]').boundingBox();
    const pane = await page.getByRole('region', { name: 'Open question' }).boundingBox();
    expect(list?.width, String(width)).toBeLessThan(pane?.width ?? 0);
  }
});

test('a notification opens the very comment, unfolded', async ({ api, openAs }) => {
  const [author, helper] = await Promise.all([api.newStudent(), api.newStudent()]);
  const questionId = await api.ask(author, unique('Who comments?'));
  for (let count = 1; count <= 12; count += 1)
    await api.comment(helper, questionId, `Comment number ${count}.`);
  const page = await openAs(author, '/notifications');
  await expect(page.getByRole('heading', { level: 1, name: 'Notifications' })).toBeVisible();
  await page.getByRole('link', { name: /Comment number 12\./ }).click();
  await expect(page).toHaveURL(new RegExp(`/singleQuestion/${questionId}/home$`));
  const comment = page.getByRole('listitem').filter({ hasText: 'Comment number 12.' });
  await expect(comment).toBeInViewport();
  await expect(comment).toBeFocused();
});

test('all notifications are marked as read at once', async ({ api, openAs }) => {
  const [author, helper] = await Promise.all([api.newStudent(), api.newStudent()]);
  const questionId = await api.ask(author, unique('Anything new?'));
  await api.answer(helper, questionId, '<p>This.</p>');
  const page = await openAs(author, '/notifications');
  const rows = page.getByRole('main');
  await expect(rows.getByText(`${helper.userName} answered your question`)).toBeVisible();
  await page.getByRole('button', { name: 'Mark all as read' }).click();
  await expect(rows.getByText('New', { exact: true })).toHaveCount(0);
});

test('Back leads to the same place of every list; another page begins at its top', async ({
  api,
  openAs,
}) => {
  const student = await api.newStudent();
  for (let count = 0; count < 14; count += 1) {
    await api.save(student, await api.ask(student, unique(`Saved ${count}`)));
  }
  const page = await openAs(student, '/profile');
  for (const address of ['/profile', '/profile?tab=activities', '/leaderboard', `/search?text=Saved`]) {
    await page.goto(address);
    await page.waitForLoadState('networkidle');
    await page.mouse.move(700, 600);
    await page.mouse.wheel(0, 400);
    await expect.poll(() => scrolled(page), address).toBeGreaterThan(100);
    const before = await scrolled(page);
    await page.getByRole('link', { name: 'Nimo Ask' }).click();
    await expect(page).toHaveURL(/dashboard/);
    await expect.poll(() => scrolled(page), address).toBe(0);
    await page.goBack();
    await expect.poll(() => scrolled(page), address).toBe(before);
  }
});
