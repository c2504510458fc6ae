import type { Page } from '@playwright/test';
import { unique } from '../support/api.js';
import { openFilters, unfold } from '../support/dashboard.js';
import { expect, test } from '../support/journey.js';

const scrolled = (page: Page) => page.evaluate<number>('Math.round(window.scrollY)');
const scrollable = (page: Page) =>
  page.evaluate<number>('document.documentElement.scrollHeight - window.innerHeight');

test('a new question is announced above the list, which does not move', async ({ api, openAs }) => {
  const [reader, author] = await Promise.all([api.newStudent(), api.newStudent()]);
  const before = unique('Here already');
  await api.ask(author, before);
  const page = await openAs(reader, '/dashboard');
  const list = page.getByRole('list', { name: 'RECENTLY POSTED' });
  await expect(list.getByRole('listitem').first()).toContainText(before);
  await page.waitForLoadState('networkidle');
  const title = unique('Asked meanwhile');
  const place = (await list.boundingBox())?.y;
  await api.ask(author, title);
  const bar = page.getByRole('button', { name: '1 new question', exact: true });
  await expect(bar).toBeVisible();
  expect((await list.boundingBox())?.y).toBe(place);
  await expect(list.getByRole('link', { name: title })).toHaveCount(0);
  await bar.click();
  await expect(list.getByRole('listitem').first()).toContainText(title);
  await expect(bar).toHaveCount(0);
});

test('the first question is at most ten tab stops away, and open sections stay open', async ({
  api,
  openAs,
}) => {
  const student = await api.newStudent();
  await api.ask(student, unique('How far is it?'));
  const page = await openAs(student, '/dashboard');
  const first = page.getByRole('list', { name: 'RECENTLY POSTED' }).getByRole('link').first();
  await expect(first).toBeVisible();
  const stopsToFirst = async () => {
    await page.keyboard.press('Tab');
    await expect(page.getByRole('link', { name: 'Skip to content' })).toBeFocused();
    await page.keyboard.press('Enter');
    let stops = 0;
    do {
      await page.keyboard.press('Tab');
      stops += 1;
    } while (stops < 30 && !(await first.evaluate((link) => link === link.ownerDocument.activeElement)));
    return stops;
  };
  expect(await stopsToFirst(), 'with everything folded').toBeLessThanOrEqual(5);

  const filters = await openFilters(page);
  await unfold(page, 'Unsolved Questions');
  await unfold(page, 'All Topics');
  const chips = filters.getByRole('checkbox');
  await chips.first().focus();
  await page.keyboard.press('ArrowRight');
  await expect(chips.nth(1)).toBeFocused();

  await page.reload();
  await expect(page.getByRole('region', { name: 'All Topics' }).getByRole('listitem').first()).toBeVisible();
  await expect(filters).toBeVisible();
  expect(await stopsToFirst(), 'with everything open').toBeLessThanOrEqual(10);
  const unsolved = page.getByRole('button', { name: 'Unsolved Questions', exact: true });
  await expect(unsolved).toHaveAttribute('aria-expanded', 'true');
  await unsolved.click();
  await page.reload();
  await expect(unsolved).toHaveAttribute('aria-expanded', 'false');
  await expect(page.getByRole('region', { name: 'Unsolved Questions' })).toHaveCount(0);
});

/** Parts between the top of the window and the list. */
const top = (page: Page) => ({
  heading: page.locator('#list-heading'),
  card: page
    .getByRole('list', { name: /RECENTLY POSTED|QUESTIONS/ })
    .getByRole('listitem')
    .first(),
  row: page
    .getByRole('button', { name: /^Filter/ })
    .first()
    .locator('..'),
});

/** Vertical centre of each part. */
const middles = (parts: readonly { getBoundingClientRect: () => { y: number; height: number } }[]) =>
  parts.map((part) => {
    const { y, height } = part.getBoundingClientRect();
    return Math.round(y + height / 2);
  });

for (const [width, height] of [
  [1280, 720],
  [1440, 900],
  [1024, 768],
] as const)
  test(`at ${width} × ${height} the first question is in view, and filters move nothing`, async ({
    api,
    openAs,
  }) => {
    const student = await api.newStudent();
    const { subject } = await api.filing(student.token);
    await api.ask(student, unique('Is it in view?'));
    const page = await openAs(student, '/dashboard', { viewport: { width, height } });
    const { heading, card, row } = top(page);
    await expect(card).toBeInViewport({ ratio: 1 });
    const at = async () => (await heading.boundingBox())?.y ?? 0;
    expect(await at()).toBeLessThanOrEqual(135);
    const filters = await openFilters(page);
    await page.waitForLoadState('networkidle');
    const places = () =>
      filters
        .locator('label, input:visible')
        .evaluateAll((parts) => parts.map((part) => Math.round(part.getBoundingClientRect().x)));
    const [before, chips] = [await at(), await places()];
    await filters.getByText('My Questions', { exact: true }).click();
    await filters.getByText('Unsolved', { exact: true }).click();
    await filters.getByRole('combobox', { name: 'Subject' }).click();
    await page.getByRole('option', { name: subject.name }).click();
    await expect(page.getByRole('heading', { name: `All ${subject.name} QUESTIONS` })).toBeVisible();
    await expect(filters.getByRole('combobox', { name: 'Topic' })).toBeVisible();
    await expect(page.getByRole('button', { name: 'Clear Filter' })).toBeVisible();
    expect(await at()).toBe(before);
    expect(await places()).toEqual(expect.arrayContaining(chips));
    const isOneRow = async () => {
      expect(new Set(await row.locator(':scope > *').evaluateAll(middles)).size).toBe(1);
      expect(await row.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0);
    };
    await isOneRow();
    await page.evaluate("localStorage.setItem('I18N_LANGUAGE', 'de')");
    await page.reload();
    await expect(page.getByRole('button', { name: 'Filter zurücksetzen' })).toBeVisible();
    await expect(page.getByRole('button', { name: `Alle Themen in ${subject.name}` }).first()).toBeVisible();
    await isOneRow();
  });

test('the filter bar stays in view above a long list, and a section opened from it is visible', async ({
  api,
  openAs,
}) => {
  const page = await openAs(await api.newStudent(), '/dashboard', { viewport: { width: 1280, height: 720 } });
  await expect(top(page).card).toBeVisible();
  await page.mouse.move(500, 500);
  await page.mouse.wheel(0, 600);
  await expect.poll(() => scrolled(page)).toBeGreaterThan(90);
  await expect(page.getByRole('button', { name: 'Filters' })).toBeInViewport({ ratio: 1 });
  await unfold(page, 'Unsolved Questions');
  await expect(page.getByRole('region', { name: 'Unsolved Questions' })).toBeInViewport({ ratio: 1 });
});

test('the list leaves most space to the selected question and shows active filters', async ({
  api,
  openAs,
}) => {
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
    const pane = await page.getByRole('region', { name: 'Selected question' }).boundingBox();
    expect(list?.width, String(width)).toBe(340);
    expect(list?.width, String(width)).toBeLessThan(pane?.width ?? 0);
  }
});

test('a notification opens its comment, expanded', async ({ api, openAs }) => {
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

test('all notifications can be marked as read', async ({ api, openAs }) => {
  const [author, helper] = await Promise.all([api.newStudent(), api.newStudent()]);
  const questionId = await api.ask(author, unique('Anything new?'));
  await api.answer(helper, questionId, '<p>This.</p>');
  const page = await openAs(author, '/notifications');
  const rows = page.getByRole('main');
  await expect(rows.getByText(`${helper.userName} answered your question`)).toBeVisible();
  await page.getByRole('button', { name: 'Mark all as read' }).click();
  await expect(rows.getByText('New', { exact: true })).toHaveCount(0);
});

test('Back restores the scroll position of every list, and other pages start at the top', async ({
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
    await expect.poll(() => scrollable(page), address).toBeGreaterThan(100);
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
