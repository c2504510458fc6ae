import { randomUUID } from 'node:crypto';
import { createServer } from 'node:net';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { startOpenIdProvider, type OpenIdProvider } from '../../test/servers/open-id-provider.js';
import { startProduct, type Product } from '../../test/product.js';
import { newUserName } from '../support/api.js';
import { expect, test } from '../support/journey.js';

// The provider's pages request a font and an icon.
test.use({ expectedErrors: [/fonts\.googleapis\.com|favicon\.ico/] });

let provider: OpenIdProvider;
let product: Product;

/** The provider needs the redirect URL before Nimo listens there. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

test.beforeAll(async () => {
  const port = await freePort();
  provider = await startOpenIdProvider([`http://localhost:${port}/auth/oidc/first/callback`]);
  product = await startProduct({
    PORT: String(port),
    RATE_LIMIT_FACTOR: '1000',
    OIDC_FIRST_LABEL: 'School account',
    OIDC_FIRST_ISSUER: provider.issuer,
    OIDC_FIRST_CLIENT_ID: provider.clientId,
    OIDC_FIRST_CLIENT_SECRET: provider.clientSecret,
  });
});
test.afterAll(async () => {
  await product.stop();
  await provider.stop();
});

test('a new user signs in with a provider, completes the profile, and can sign in again', async ({
  page,
}) => {
  const [sub, userName] = [randomUUID(), newUserName()];
  provider.addAccount({ sub, email: `${sub}@school.example`, email_verified: true });
  await page.goto(`${product.url}/login`);
  await expect(page.getByRole('button', { name: 'Facebook' })).toHaveAttribute('aria-disabled', 'true');
  await page.getByRole('button', { name: 'School account' }).click();
  await page.getByPlaceholder('Enter any login').fill(sub);
  await page.getByPlaceholder('and password').fill('any');
  await page.getByRole('button', { name: 'Sign-in' }).click();
  await page.getByRole('button', { name: 'Continue' }).click();

  const profile = page.getByRole('dialog', { name: 'Create Profile' });
  await profile.getByLabel('User Name').fill(userName);
  await profile.getByRole('button', { name: "Let's Get Started" }).click();
  await expect(page.getByRole('dialog', { name: 'Account created Successfully' })).toBeVisible();
  await page.getByRole('button', { name: 'Login Now' }).click();
  await expect(page).toHaveURL(/\/space$/);

  await page.goto(`${product.url}/logout`);
  await page.getByRole('button', { name: 'Logout' }).click();
  await expect(page).toHaveURL(/\/login$/);
  await page.getByRole('button', { name: 'School account' }).click();
  await expect(page).toHaveURL(/\/space$/);
});

test('cancelling at the provider shows a message', async ({ page }) => {
  await page.goto(`${product.url}/login`);
  await page.getByRole('button', { name: 'School account' }).click();
  await page.getByRole('link', { name: 'Cancel' }).click();
  await expect(page.getByRole('alert')).toHaveText('Login cancelled.');
});
