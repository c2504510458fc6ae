import { Secret, TOTP } from 'otpauth';
import { startProduct, type Product } from '../../test/product.js';
import { expectAccessible } from '../support/accessibility.js';
import { NimoApi, type Student } from '../support/api.js';
import { expect, test } from '../support/journey.js';
import type { Page } from '@playwright/test';

/** A product that requires the second factor for staff, as in production; in other journeys it is optional. */
let product: Product;
let sam: Student;
test.beforeAll(async () => {
  product = await startProduct({ STAFF_SECOND_FACTOR: 'required', RATE_LIMIT_FACTOR: '1000' });
  sam = await new NimoApi(product.url).maintainer();
});
test.afterAll(() => product.stop());

const codeOf = (secret: string, periods = 0): string =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: Date.now() + periods * 30_000 });

async function enterPassword(page: Page): Promise<void> {
  await page.goto(`${product.url}/login`);
  await page.getByLabel('Username').fill(sam.userName);
  await page.getByRole('textbox', { name: 'Password' }).fill(sam.password);
  await page.getByRole('button', { name: 'Log In' }).click();
}

async function enterCode(page: Page, code: string): Promise<void> {
  await page.getByLabel('Code', { exact: true }).fill(code);
  await page.getByRole('button', { name: 'Log In' }).click();
}

async function signOut(page: Page): Promise<void> {
  await page.goto(`${product.url}/logout`);
  await page.getByRole('button', { name: 'Logout' }).click();
  await expect(page).toHaveURL(/\/login$/);
}

test('staff set up an authenticator app and a passkey, and enter their areas with either or a recovery code', async ({
  page,
}) => {
  await enterPassword(page);
  await expect(page).toHaveURL(/\/space$/);
  await page.goto(`${product.url}/moderation`);
  await expect(page.getByRole('heading', { name: 'Set up a second factor' })).toBeVisible();
  await expectAccessible(page, 'the second-factor gate');
  await page.getByRole('textbox', { name: 'Password' }).fill(sam.password);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('img', { name: 'QR code for your authenticator app' })).toBeVisible();
  await expectAccessible(page, 'the authenticator code');
  const secret = (await page.getByTestId('totp-key').innerText()).replace(/\s/g, '');
  const used = codeOf(secret);
  await page.getByLabel('Code from the app').fill(used);
  await page.getByRole('button', { name: 'Finish' }).click();
  const listed = page.getByRole('list', { name: 'Recovery codes' }).getByRole('listitem');
  await expect(listed).toHaveCount(10);
  const codes = await listed.allInnerTexts();
  await expectAccessible(page, 'recovery codes');
  await page.getByRole('button', { name: 'I’ve saved my codes' }).click();
  await expect(page.getByRole('navigation', { name: 'Areas' })).toBeVisible();

  await signOut(page);
  await enterPassword(page);
  await expect(page.getByRole('heading', { name: 'Confirm it’s you' })).toBeVisible();
  await expectAccessible(page, 'the second login step');
  await enterCode(page, used);
  await expect(page.getByRole('alert')).toContainText('was already used');
  await enterCode(page, codeOf(secret, 1));
  await expect(page).toHaveURL(/\/space$/);
  await page.goto(`${product.url}/moderation`);
  await expect(page.getByRole('navigation', { name: 'Areas' })).toBeVisible();

  const authenticator = await page.context().newCDPSession(page);
  await authenticator.send('WebAuthn.enable');
  await authenticator.send('WebAuthn.addVirtualAuthenticator', {
    options: { protocol: 'ctap2', transport: 'internal', hasUserVerification: true, isUserVerified: true },
  });
  await page.goto(`${product.url}/setting?tab=secondFactor`);
  await page.getByRole('button', { name: 'Add another' }).click();
  await page.getByLabel('Passkey', { exact: true }).check();
  await page.getByLabel('Passkey name').fill('Laptop');
  await page.getByRole('textbox', { name: 'Password' }).fill(sam.password);
  await page.getByRole('button', { name: 'Continue' }).click();
  await expect(page.getByRole('list', { name: 'Your second factors' })).toContainText('Laptop');
  await expectAccessible(page, 'settings, second factor');

  await signOut(page);
  await enterPassword(page);
  await page.getByRole('button', { name: 'Use a passkey' }).click();
  await expect(page).toHaveURL(/\/space$/);
  await signOut(page);
  await enterPassword(page);
  await enterCode(page, codes[0] ?? '');
  await expect(page).toHaveURL(/\/space$/);
  await signOut(page);
  await enterPassword(page);
  await enterCode(page, codes[0] ?? '');
  await expect(page.getByRole('alert')).toContainText('was already used');
});
