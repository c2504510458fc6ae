import { expectAccessible } from '../support/accessibility.js';
import { unique } from '../support/api.js';
import { expect, test } from '../support/journey.js';

test('a student leaves a space, keeps the posts, and rejoins', async ({ api, openAs }) => {
  const student = await api.newStudent();
  const title = unique('Mine for good');
  await api.ask(student, title);
  const page = await openAs(student, '/dashboard');
  await page.getByRole('button', { name: 'Exit Space' }).click();
  const exit = page.getByRole('dialog', { name: 'Exit Space' });
  await expect(exit).toContainText('Do you really want to Exit?');
  await expect(exit).toContainText('Your posts and points stay.');
  await exit.getByRole('button', { name: 'Exit Space' }).click();
  await expect(page).toHaveURL(/\/space$/);
  await expect(page.getByRole('heading', { name: 'All Spaces' })).toBeVisible();
  await expect(page.getByRole('heading', { name: 'My Spaces' })).toHaveCount(0);
  await page.goto('/dashboard');
  await expect(page).toHaveURL(/\/space$/);

  await page.getByRole('button', { name: /Greenfield High.*Join Space/ }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Join Space' }).click();
  await expect(page).toHaveURL(/\/dashboard$/);
  await page.goto('/dashboard?myQuestions=true');
  await expect(
    page.getByRole('list', { name: 'RECENTLY POSTED' }).getByRole('link', { name: title }),
  ).toBeVisible();
});

test('Logout asks for confirmation, ends the session and leads to the login', async ({ api, openAs }) => {
  const page = await openAs(await api.newStudent(), '/dashboard');
  await page.getByRole('navigation').getByRole('button', { name: 'Logout' }).click();
  const dialog = page.getByRole('dialog', { name: 'Logout' });
  await expect(dialog).toContainText('Do you really want to logout?');
  await dialog.getByRole('button', { name: 'Logout' }).click();
  await expect(page).toHaveURL(/\/login$/);
  await page.goto('/profile');
  await expect(page).toHaveURL(/\/login$/);
});

test('a narrow window shows only the notice, and the public question', async ({ api, openAs }) => {
  const student = await api.newStudent();
  const title = unique('Readable anywhere');
  const questionId = await api.ask(student, title);
  const page = await openAs(student, '/dashboard', { viewport: { width: 1023, height: 800 } });
  await expect(
    page.getByText('Nimo is available on desktop, or as the student mobile app in the store.'),
  ).toBeVisible();
  await expect(page.getByRole('navigation')).toHaveCount(0);
  await page.setViewportSize({ width: 1024, height: 800 });
  await expect(page.getByRole('navigation', { name: 'Main menu' })).toBeVisible();
  await page.setViewportSize({ width: 390, height: 800 });
  await page.goto(`/question/${questionId}`);
  await expect(page.getByRole('heading', { name: title })).toBeVisible();
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390);
});

test('a window made narrow and wide again keeps an open dialog with its text', async ({ api, openAs }) => {
  const [author, moderator] = [await api.newStudent(), await api.moderator()];
  const questionId = await api.ask(author, unique('Read in a small window'));
  await api.report(await api.newStudent(), 'QUESTION', questionId, 'Its spam');
  const page = await openAs(moderator, `/moderation/${questionId}`);
  await page.getByRole('button', { name: 'Uphold and remove' }).click();
  const reason = page
    .getByRole('dialog', { name: 'Remove this post?' })
    .getByRole('textbox', { name: 'Reason' });
  await reason.fill('Sells notes');
  const notice = page.getByText('Nimo is available on desktop, or as the student mobile app in the store.');
  await page.setViewportSize({ width: 900, height: 800 });
  await expect(notice).toBeVisible();
  await expectAccessible(page, 'the notice over an open dialog', { without: ['region'] });
  await page.setViewportSize({ width: 1440, height: 900 });
  await expect(notice).toBeHidden();
  await expect(reason).toHaveValue('Sells notes');
  await page.setViewportSize({ width: 900, height: 800 });
  await page.getByRole('button', { name: 'Continue in the browser' }).click();
  await expect(notice).toBeHidden();
  await expect(reason).toHaveValue('Sells notes');
});
