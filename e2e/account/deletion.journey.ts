import type { Page } from '@playwright/test';
import { expectAccessible } from '../support/accessibility.js';
import { unique, type Student } from '../support/api.js';
import { nimo } from '../support/command-line.js';
import { expect, test } from '../support/journey.js';

const banner = (page: Page) =>
  page.getByRole('status').filter({ hasText: 'Your account will be deleted on' });

async function ask(page: Page, { password }: Student, look?: () => Promise<void>): Promise<void> {
  await page.goto('/setting?tab=deletion');
  await page.getByRole('button', { name: 'Delete my account' }).click();
  const dialog = page.getByRole('dialog', { name: 'Delete your account?' });
  await dialog.getByRole('textbox', { name: 'Password' }).fill(password);
  await look?.();
  await dialog.getByRole('button', { name: 'Delete my account' }).click();
  await expect(dialog).toBeHidden();
  await expect(banner(page)).toBeVisible();
}

test('an account deletion is requested, cancelled, requested again and carried out', async ({
  api,
  product,
  openAs,
}) => {
  const [leaver, friend] = [await api.newStudent(), await api.newStudent()];
  const title = unique('What stays of me?');
  const question = await api.ask(leaver, title);
  const page = await openAs(leaver, '/dashboard');
  await ask(page, leaver, () => expectAccessible(page, 'the deletion dialog'));

  for (const path of ['/space', '/dashboard', '/profile', '/setting']) {
    await page.goto(path);
    await expect(banner(page)).toBeVisible();
  }
  await expectAccessible(page, 'settings, account pending deletion');
  await page.goto('/dashboard');
  await page.screenshot({ path: 'test-results/deletion-banner.png' });
  await page.getByRole('button', { name: 'Keep my account' }).click();
  await expect(banner(page)).toBeHidden();
  await page.reload();
  await expect(page.getByRole('navigation', { name: 'Main menu' })).toBeVisible();
  await expect(banner(page)).toBeHidden();

  await ask(page, leaver);
  // The week cannot pass here: an operator cancels the request and erases the account immediately.
  for (const words of [
    ['student', 'cancel-erasure', leaver.userName],
    ['student', 'erase', leaver.userName, '--reason', 'A journey', '--now'],
  ]) {
    const { code, output } = await nimo(product.dataDir, ...words);
    expect(code, output).toBe(0);
  }
  await expect
    .poll(async () => {
      await page.goto('/dashboard');
      await page.waitForLoadState('networkidle');
      return new URL(page.url()).pathname;
    })
    .toBe('/login');
  await page.getByLabel('Username').fill(leaver.userName);
  await page.getByRole('textbox', { name: 'Password' }).fill(leaver.password);
  await page.getByRole('button', { name: 'Log In' }).click();
  await expect(page.getByRole('alert')).toHaveText('Incorrect username or password.');

  const reader = await openAs(friend, `/singleQuestion/${question}/home`);
  await expect(reader.getByRole('heading', { name: title })).toBeVisible();
  await expect(reader.getByText('Deleted student').first()).toBeVisible();
  expect(await reader.content()).not.toContain(leaver.userName);
});
