import type { Page } from '@playwright/test';
import type { Student } from '../support/api.js';
import { expect, test } from '../support/journey.js';

async function logIn(page: Page, { userName, password }: Student): Promise<void> {
  await page.getByLabel('Username').fill(userName);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Log In' }).click();
  await expect(page).not.toHaveURL(/login/);
}

const menuOf = (page: Page, { userName }: Student) =>
  page.getByRole('button', { name: new RegExp(userName) });

test('without "Remember me" one session covers all tabs of a browser and ends with it', async ({
  api,
  browser,
  context,
  page,
}) => {
  const [ada, bob] = await Promise.all([api.newStudent(), api.newStudent()]);
  await page.goto('/login');
  await logIn(page, ada);
  const second = await context.newPage();
  await second.goto('/setting');
  await expect(menuOf(second, ada)).toBeVisible();

  // Without session cookies, what remains on the browser's disk is not a session.
  const { origins } = await context.storageState();
  const later = await browser.newContext({ baseURL: api.url, storageState: { cookies: [], origins } });
  const reopened = await later.newPage();
  await reopened.goto('/setting');
  await expect(reopened.getByRole('button', { name: 'Log In' })).toBeVisible();
  await later.close();

  await page.goto('/logout');
  await page.getByRole('button', { name: 'Logout' }).click();
  await expect(second.getByText('You were logged out in another tab.')).toBeVisible();

  await logIn(page, bob);
  await expect(menuOf(second, bob)).toBeVisible();
});

test('a session ended by the API is explained at the login, and every tab returns to its draft', async ({
  api,
  openAs,
}) => {
  const student = await api.newStudent();
  const page = await openAs(student, '/ask');
  await page.getByLabel('Title').fill('Begun before the session ended');
  const second = await page.context().newPage();
  await second.goto('/dashboard?myQuestions=true');
  await expect(second.getByRole('heading', { name: 'RECENTLY POSTED' })).toBeVisible();
  await api.graphql('mutation { logout { flag } }', {}, student.token);
  for (const tab of [page, second])
    await expect(
      tab.getByText('Your session has ended. Log in to pick up where you left off.'),
    ).toBeVisible();

  await logIn(page, student);
  await expect(page).toHaveURL(/ask$/);
  await expect(page.getByLabel('Title')).toHaveValue('Begun before the session ended');
  await expect(second).toHaveURL(/dashboard\?myQuestions=true$/);
});
