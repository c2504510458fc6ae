import { expect, test } from '@playwright/test';

test('the login page opens without an error', async ({ page }) => {
  const errors: string[] = [];
  page.on('pageerror', (error) => errors.push(error.message));
  await page.goto('/login');
  await expect(page.getByRole('button', { name: /log ?in/i }).first()).toBeVisible();
  expect(errors).toEqual([]);
});
