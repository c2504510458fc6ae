import { expectAccessible } from '../support/accessibility.js';
import { expect, test } from '../support/journey.js';

test('the terms can be read during sign-up without losing input', async ({ page }) => {
  await page.goto('/register');
  await page.getByLabel('Email').fill('ada@example.org');
  const opened = page.waitForEvent('popup');
  await page.getByText('By signing up you accept the').getByRole('link', { name: 'terms of use' }).click();
  const terms = await opened;
  await expect(terms.getByRole('heading', { name: 'Terms of use' })).toBeVisible();
  await expect(terms.getByText('Version nimo-1')).toBeVisible();
  await expect(terms.getByText(/^Nimo is a place to ask/)).toBeVisible();
  await expectAccessible(terms, 'terms of use');
  await terms.screenshot({ path: 'test-results/terms.png' });
  await expect(page.getByLabel('Email')).toHaveValue('ada@example.org');
});
