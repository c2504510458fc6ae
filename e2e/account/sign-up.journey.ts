import type { Page } from '@playwright/test';
import { newPhone, newUserName } from '../support/api.js';
import { expect, test } from '../support/journey.js';

/** The field has the focus, and a correct code is verified automatically after its last digit. */
async function typeCode(page: Page, code: string): Promise<void> {
  await expect(page.getByLabel('Digit 1')).toBeFocused();
  await page.keyboard.type(code);
}

async function verifyWrong(page: Page, code: string): Promise<void> {
  await typeCode(page, code === '0000' ? '1111' : '0000');
}

test(
  'a new student signs up by phone, picks an avatar, is signed in and joins a space',
  { tag: '@core' },
  async ({ page, api }) => {
    const [phone, userName] = [newPhone(), newUserName()];
    await page.goto('/');
    await expect(page).toHaveURL(/\/login$/);
    await page.getByRole('button', { name: 'Sign Up' }).click();

    await page.getByRole('button', { name: 'Get OTP' }).click();
    await expect(page.getByText('Empty input!')).toBeVisible();
    await expect(page.getByLabel('Country code')).toBeDisabled();
    await page.getByLabel('Mobile number').fill(phone);
    await page.getByRole('button', { name: 'Get OTP' }).click();

    await expect(page.getByRole('dialog', { name: 'Create Account OTP verification' })).toBeVisible();
    await verifyWrong(page, await api.latestCode(phone));
    await expect(page.getByRole('alert').filter({ hasText: 'OTP not matched!' })).toBeVisible();
    await page.getByRole('button', { name: 'Resend OTP' }).click();
    await expect(page.getByText('OTP resent.')).toBeVisible();
    await typeCode(page, await api.latestCode(phone, 1));
    await expect(page.getByRole('dialog', { name: 'Mobile Number Verified Successfully' })).toBeVisible();
    await page.getByRole('button', { name: 'Done' }).click();

    const profile = page.getByRole('dialog', { name: 'Create Profile' });
    await profile.getByLabel('First Name').fill('Isha');
    await profile.getByLabel('Last Name').fill('Patel');
    await profile.getByLabel('Password', { exact: false }).first().fill('Monsoon-2026');
    await profile.getByLabel('User Name').fill('isha patel');
    await profile.getByRole('button', { name: "Let's Get Started" }).click();
    await expect(
      profile.getByText(
        'Username should contain not contain any spaces or special characters except underscore!',
      ),
    ).toBeVisible();
    await profile.getByLabel('User Name').fill(userName);
    await profile.getByLabel('Shot Bio').fill('I like optics.');
    await profile.getByRole('button', { name: 'Select Avatar' }).click();
    await page.getByRole('radio', { name: 'animals avatar 3' }).check();
    await page.getByRole('button', { name: 'Select', exact: true }).click();
    await profile.getByRole('button', { name: "Let's Get Started" }).click();
    await expect(page.getByText('Registration completed successfully!')).toBeVisible();
    await expect(page.getByRole('dialog', { name: 'Account created Successfully' })).toBeVisible();
    await page.getByRole('button', { name: 'Login Now' }).click();

    await expect(page).toHaveURL(/\/space$/);

    await expect(page.getByRole('heading', { name: 'My Spaces' })).toBeHidden();
    await page.getByRole('button', { name: /Greenfield High.*Join Space/ }).click();
    const join = page.getByRole('dialog', { name: 'Awesome!' });
    await join.getByRole('button', { name: 'Cancel' }).click();
    await expect(join).toBeHidden();
    await page.getByRole('button', { name: /Greenfield High.*Join Space/ }).click();
    await join.getByRole('button', { name: 'Join Space' }).click();
    await expect(page).toHaveURL(/\/dashboard$/);
    await expect(page.getByRole('navigation', { name: 'Main menu' })).toContainText('Greenfield High');

    await page.getByRole('link', { name: 'My Profile' }).click();
    await expect(page.getByRole('heading', { name: userName })).toBeVisible();
    await expect(page.getByText('I like optics.')).toBeVisible();
  },
);

test('a registered phone number cannot sign up again', async ({ page, api }) => {
  const { phone } = await api.newStudent();
  await page.goto('/login');
  await page.getByRole('button', { name: 'Sign Up' }).click();
  await page.getByLabel('Mobile number').fill(phone);
  await page.getByRole('button', { name: 'Get OTP' }).click();
  await expect(page.getByRole('alert').filter({ hasText: 'User already exist!' })).toBeVisible();
});

test('a forgotten password is reset by phone, and the number works for the login', async ({ page, api }) => {
  const { phone } = await api.newStudent();
  await page.goto('/login');
  await page.getByRole('button', { name: 'Forgot your password' }).click();
  await page.getByLabel('Mobile number').fill('123');
  await page.getByRole('button', { name: 'Get OTP' }).click();
  await expect(page.getByText('Invalid mobile number')).toBeVisible();
  const stranger = newPhone();
  await page.getByLabel('Mobile number').fill(stranger);
  await page.getByRole('button', { name: 'Get OTP' }).click();
  await expect(page.getByText(`Student with phone: 91${stranger} does not exist in DB.`)).toBeVisible();
  await page.getByLabel('Mobile number').fill(phone);
  await page.getByRole('button', { name: 'Get OTP' }).click();

  await expect(page.getByLabel('Digit 1')).toBeVisible();
  const code = await api.latestCode(phone, 1);
  await verifyWrong(page, code);
  await expect(page.getByText('Invalid OTP. Please enter valid OTP.')).toBeVisible();
  await typeCode(page, code);

  const dialog = page.getByRole('dialog', { name: 'Set new password' });
  await dialog.getByLabel('New password').first().fill('Another-horse-2');
  await dialog.getByLabel('Confirm password').first().fill('Another-horse-3');
  await dialog.getByRole('button', { name: 'Set new password' }).click();
  await expect(dialog.getByText('Passwords do not match')).toBeVisible();
  await dialog.getByLabel('Confirm password').first().fill('Another-horse-2');
  await dialog.getByRole('button', { name: 'Set new password' }).click();
  await expect(page.getByRole('dialog', { name: 'Password changed success' })).toBeVisible();
  await page.getByRole('button', { name: 'Login Now' }).click();

  await page.getByLabel('Username').fill(phone);
  await page.getByRole('textbox', { name: 'Password' }).fill('Correct-horse-1');
  await page.getByRole('button', { name: 'Log In' }).click();
  await expect(page.getByRole('alert')).toBeVisible();
  await page.getByRole('textbox', { name: 'Password' }).fill('Another-horse-2');
  await page.getByRole('button', { name: 'Log In' }).click();
  await expect(page).toHaveURL(/\/space$/);
});
