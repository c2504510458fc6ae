import { startProduct, type Product } from '../../test/product.js';
import { expect, test } from '../support/journey.js';
import type { BrowserContext, Page } from '@playwright/test';

/** As in production, accepts only the web app's documents. The journeys' own operations are rejected, so everything is done in the browser. */
let product: Product;
test.beforeAll(async () => {
  product = await startProduct({ GRAPHQL_DOCUMENTS: 'own', RATE_LIMIT_FACTOR: '1000' });
});
test.afterAll(() => product.stop());
test.afterEach(({ context }) => context.unrouteAll({ behavior: 'ignoreErrors' }));

const STUDENT = 'asha';
const PASSWORD = 'learn-together';

interface Traffic {
  /** Bodies of HTTP requests. */
  readonly sent: { query?: string; extensions?: unknown }[];
  readonly refused: string[];
  readonly operations: Set<string>;
  readonly listened: string[];
  /** Bodies of requests without a response yet. */
  open: number;
}

async function listenTo(context: BrowserContext): Promise<Traffic> {
  const traffic: Traffic = { sent: [], refused: [], operations: new Set(), listened: [], open: 0 };
  const note = (text: string): void => {
    if (/DOCUMENT_NOT_REGISTERED|PersistedQueryNotFound/.test(text)) traffic.refused.push(text);
  };
  // Reads the response before the page does: after navigation it could no longer be read.
  await context.route('**/graphql', async (route) => {
    traffic.sent.push(route.request().postDataJSON() as Traffic['sent'][number]);
    traffic.open += 1;
    const answered = route.fetch().then(async (response) => ({ response, text: await response.text() }));
    // Also works after navigation.
    const { response, text } = await answered.finally(() => (traffic.open -= 1));
    note(text);
    for (const [, name = ''] of text.matchAll(/"data":\{"(\w+)"/g)) traffic.operations.add(name);
    // Fails if the page no longer waits.
    await route.fulfill({ response }).catch(() => undefined);
  });
  context.on('page', (page) =>
    page.on('websocket', (socket) => {
      socket.on('framesent', ({ payload }) => {
        if (String(payload).includes('subscription')) traffic.listened.push(String(payload));
      });
      socket.on('framereceived', ({ payload }) => note(String(payload)));
    }),
  );
  return traffic;
}

async function logIn(page: Page, userName: string): Promise<void> {
  await page.goto(`${product.url}/login`);
  await page.getByLabel('Username').fill(userName);
  await page.getByRole('textbox', { name: 'Password' }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Log In' }).click();
  await expect(page).toHaveURL(/\/space$/);
}

async function enterSpace(page: Page): Promise<void> {
  await page.getByText('Greenfield High').first().click();
  await expect(page).toHaveURL(/\/dashboard/);
}

test('unregistered documents are rejected, and the web app works', async ({ context, page, request }) => {
  const query = '{ getAvatars { category } }';
  const refused = await request.post(`${product.url}/graphql`, { data: { query } });
  expect(refused.status()).toBe(403);
  expect(await refused.text()).toContain('DOCUMENT_NOT_REGISTERED');

  const traffic = await listenTo(context);
  // A new page, to capture its first socket.
  const own = await context.newPage();
  await page.close();
  await logIn(own, STUDENT);
  await enterSpace(own);

  await own.getByRole('article').first().getByRole('link').first().click();
  await expect(own).toHaveURL(/question=/);
  await expect.poll(() => traffic.listened.some((text) => text.includes('questionUpdated'))).toBe(true);
  const comments = own.getByRole('region', { name: 'Comments on the question' });
  await comments.getByRole('button', { name: 'Write a comment or @mention' }).click();
  await comments.getByRole('textbox', { name: 'Write a comment' }).fill('By its id alone.');
  await comments.getByRole('button', { name: 'Send comment' }).click();
  await expect(comments.getByRole('list', { name: 'Comments' })).toContainText('By its id alone.');

  for (const path of [
    '/profile',
    '/setting',
    '/notifications',
    '/leaderboard',
    '/leaderboard/score',
    '/news',
    '/nimoSense',
    '/nimorisingstar',
    '/search?q=energy',
  ]) {
    await own.goto(`${product.url}${path}`);
    await expect(own.getByRole('main')).toBeVisible();
    await own.waitForLoadState('networkidle');
  }
  await own.goto(`${product.url}/logout`);
  await own.getByRole('button', { name: 'Logout' }).click();
  await expect(own).toHaveURL(/\/login$/);

  expect(traffic.refused).toEqual([]);
  expect(traffic.sent.filter(({ query: text }) => text !== undefined)).toEqual([]);
  const done = ['login', 'getSpaces', 'createQuestionComment', 'logout'];
  await expect.poll(() => done.filter((name) => !traffic.operations.has(name))).toEqual([]);
});

for (const [staff, paths] of [
  [
    'ms_rao',
    [
      '/moderation',
      '/moderation/entry',
      '/moderation/patterns',
      '/moderation/votes',
      '/moderation/cases',
      '/audit',
      '/audit/as-of',
      '/audit/proof',
    ],
  ],
  [
    'sam_admin',
    [
      '/maintenance',
      '/maintenance/log',
      '/maintenance/log/1',
      '/maintenance/log/stream?of=1',
      '/maintenance/scoring',
      '/maintenance/content/spaces',
      '/maintenance/content/avatars',
      '/maintenance/content/roles',
      '/maintenance/content/students',
      '/maintenance/content/news',
    ],
  ],
] as const)
  test(`the areas of ${staff} send only registered documents`, async ({ context, page }) => {
    const traffic = await listenTo(context);
    const own = await context.newPage();
    await page.close();
    await logIn(own, staff);
    for (const path of paths) {
      await own.goto(`${product.url}${path}`);
      await expect(own.getByRole('main').getByRole('heading', { level: 1 })).toBeVisible();
      // A page that polls every second may never be idle, but its requests get responses.
      await own.waitForLoadState('networkidle', { timeout: 10_000 }).catch(() => undefined);
      await expect.poll(() => traffic.open).toBe(0);
    }
    expect(traffic.refused).toEqual([]);
    expect(traffic.sent.length).toBeGreaterThan(paths.length);
    expect(traffic.sent.filter(({ query: text }) => text !== undefined)).toEqual([]);
  });
