import { expect, type Page } from '@playwright/test';
import { newPhone, newUserName, type NimoApi } from './api.js';

/** Signs up by phone from a page with a "Sign Up" button. */
export async function signUpHere(page: Page, api: NimoApi, { firstName = 'Isha' } = {}): Promise<void> {
  const [phone, userName] = [newPhone(), newUserName()];
  await page.getByRole('button', { name: 'Sign Up' }).click();
  await page.getByLabel('Mobile number').fill(phone);
  await page.getByRole('button', { name: 'Get OTP' }).click();
  await expect(page.getByRole('dialog', { name: 'Create Account OTP verification' })).toBeVisible();
  await page.getByLabel('Digit 1').click();
  await page.keyboard.type(await api.latestCode(phone));
  await page.getByRole('button', { name: 'Verify' }).click();
  await page.getByRole('button', { name: 'Done' }).click();
  const profile = page.getByRole('dialog', { name: 'Create Profile' });
  await profile.getByLabel('First Name').fill(firstName);
  await profile.getByLabel('Last Name').fill('Patel');
  await profile.getByLabel('Password', { exact: false }).first().fill('Monsoon-2026');
  await profile.getByLabel('User Name').fill(userName);
  await profile.getByRole('button', { name: "Let's Get Started" }).click();
  await page.getByRole('button', { name: 'Login Now' }).click();
}
