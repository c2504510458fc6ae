import { randomUUID } from 'node:crypto';
import { expectAccessible } from '../support/accessibility.js';
import { newUserName } from '../support/api.js';
import { expect, test } from '../support/journey.js';
import { mailedLink } from '../support/mail.js';

test('an email account is registered, confirmed and used, and its password is reset', async ({
  page,
  api,
}) => {
  const [email, userName] = [`${randomUUID().slice(0, 8)}@example.org`, newUserName()];
  await page.goto('/page-confirm-mail');
  await expect(page).toHaveURL(/\/register$/);
  await page.getByRole('button', { name: 'Register' }).click();
  await expect(page.getByText('Please enter a valid email.')).toBeVisible();
  await expectAccessible(page, 'registration with errors');
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Username').fill(userName);
  await page.getByRole('textbox', { name: 'Password' }).fill('Monsoon-2026');
  await page.getByRole('button', { name: 'Register' }).click();
  await expect(page.getByText('Register User Successfully')).toBeVisible();

  // Before confirmation, only the right password reveals what is missing.
  await page.goto('/login');
  await page.getByLabel('Username').fill(email);
  await page.getByRole('textbox', { name: 'Password' }).fill('Monsoon-2027');
  await page.getByRole('button', { name: 'Log In' }).click();
  await expect(page.getByText('Incorrect username or password.')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Resend the email' })).toHaveCount(0);
  await page.getByRole('textbox', { name: 'Password' }).fill('Monsoon-2026');
  await page.getByRole('button', { name: 'Log In' }).click();
  await expect(page.getByText(/^Confirm your email first/)).toBeVisible();
  await page.getByRole('button', { name: 'Resend the email' }).click();
  await expect(page.getByText('Email sent. Check your spam folder too.')).toBeVisible();

  const confirm = await mailedLink(api.url, email, 'Confirm your email for Nimo');
  await page.goto(confirm.replace(/^https?:\/\/[^/]+/, ''));
  await expect(page).toHaveURL(/\/register$/);
  await expectAccessible(page, 'confirmation');
  await page.getByRole('textbox', { name: 'Password' }).fill('Monsoon-2026');
  await page.getByRole('button', { name: 'Confirm email' }).click();
  await expect(page).toHaveURL(/\/space$/);
  await page.goto('/logout');
  await page.getByRole('button', { name: 'Logout' }).click();
  await expect(page).toHaveURL(/\/login$/);

  await page.goto(confirm.replace(/^https?:\/\/[^/]+/, ''));
  await expect(page.getByRole('heading', { level: 1, name: 'Email confirmed' })).toBeVisible();
  await expectAccessible(page, 'used confirmation');

  await page.goto('/pages-forgot-pwd');
  await expect(page).toHaveURL(/\/forgot-password$/);
  await page.getByLabel('Email').fill(email);
  await page.getByRole('button', { name: 'Reset password' }).click();
  await expect(page.getByText('Reset link are sended to your mailbox, check there first')).toBeVisible();
  await expectAccessible(page, 'forgot password by email');
  const reset = await mailedLink(api.url, email, 'Set a new password for Nimo');
  await page.goto(reset.replace(/^https?:\/\/[^/]+/, ''));
  await page.getByLabel('New password').first().fill('Another-horse-2');
  await page.getByLabel('Confirm password').first().fill('Another-horse-2');
  await page.getByRole('button', { name: 'Set new password' }).click();
  await expect(page.getByText('Password Changed Successfully!')).toBeVisible();
  await page.getByRole('link', { name: 'Login Now' }).click();
  await page.getByLabel('Username').fill(userName);
  await page.getByRole('textbox', { name: 'Password' }).fill('Another-horse-2');
  await page.getByRole('button', { name: 'Log In' }).click();
  await expect(page).toHaveURL(/\/space$/);
});

test('the response for an unknown address is the same as for a known one', async ({ page }) => {
  await page.goto('/forgot-password');
  await page.getByLabel('Email').fill(`${randomUUID()}@example.org`);
  await page.getByRole('button', { name: 'Reset password' }).click();
  await expect(page.getByText('Reset link are sended to your mailbox, check there first')).toBeVisible();
});

test('an expired link offers a new one', async ({ page }) => {
  const link = 'A'.repeat(43);
  await page.goto(`/register#${link}`);
  await page.getByRole('link', { name: 'Register again' }).click();
  await expect(page.getByLabel('Email')).toBeVisible();
  await page.goto(`/forgot-password#${link}`);
  await page.getByLabel('New password').first().fill('Another-horse-2');
  await page.getByLabel('Confirm password').first().fill('Another-horse-2');
  await page.getByRole('button', { name: 'Set new password' }).click();
  await page.getByRole('link', { name: 'Request a new link' }).click();
  await expect(page.getByLabel('Email')).toBeVisible();
});
