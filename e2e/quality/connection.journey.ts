import { unique } from '../support/api.js';
import { expect, test } from '../support/journey.js';

test.use({
  expectedErrors: [
    /ERR_INTERNET_DISCONNECTED|Failed to load resource|Failed to fetch|WebSocket|MissingChunkError/,
  ],
});

test('a lost connection leaves the screen usable and keeps drafts', async ({ api, openAs }) => {
  const student = await api.newStudent();
  const questionId = await api.ask(student, unique('Is anybody connected?'));
  const page = await openAs(student, `/singleQuestion/${questionId}/home`);
  await expect(page.getByText('No answers yet')).toBeVisible();
  // The editor loads while reading.
  await page.waitForFunction(() =>
    performance.getEntriesByType('resource').some(({ name }) => name.includes('/editor-')),
  );
  const bar = page.getByText('You are offline.');
  await page.context().setOffline(true);
  await expect(bar).toBeVisible();
  await page.getByRole('button', { name: 'Write a comment' }).first().click();
  await expect(page.locator('[contenteditable]:focus')).toBeVisible();
  await page.keyboard.type('Written on the train');
  await expect(page.getByText('Written on the train')).toBeVisible();

  await page.getByRole('link', { name: 'Leaderboard' }).click();
  await expect(page).toHaveURL(/leaderboard/);
  await expect(page.getByText('Something went wrong on this screen')).toBeHidden();
  await expect(bar).toBeVisible();
  await page.context().setOffline(false);
  await expect(page.getByRole('heading', { name: 'Leaderboard', level: 1 })).toBeVisible();
  await expect(bar).toBeHidden();

  await page.goBack();
  await expect(page.getByText('Written on the train')).toBeVisible();
});

test('an answer written offline is sent once, automatically, when the connection returns', async ({
  api,
  openAs,
}) => {
  const [student, other] = await Promise.all([api.newStudent(), api.newStudent()]);
  const questionId = await api.ask(student, unique('Who answers on a train?'));
  const page = await openAs(other, `/singleQuestion/${questionId}/home`);
  await page.getByRole('button', { name: 'Add Your Answer' }).click();
  const composer = page.getByRole('form', { name: 'Add Your Answer' });
  await composer.locator('[contenteditable]').click();
  await page.keyboard.type('Written in a tunnel');
  await page.context().setOffline(true);
  await composer.getByRole('button', { name: 'Submit' }).click();
  const notice = page.getByText('Not sent yet. Nimo will send it when you’re back online.');
  await expect(notice).toBeVisible();
  await expect(composer.locator('[contenteditable]')).toHaveText('Written in a tunnel');

  await page.context().setOffline(false);
  await expect(page.getByText('Answer added successfully!')).toBeVisible();
  await expect(page.getByRole('heading', { name: '1 Answer' })).toBeVisible();
  await expect(page.getByText('Written in a tunnel')).toHaveCount(1);
  await expect(notice).toBeHidden();
  await expect(page.getByText('You are offline.')).toBeHidden();
});

test('a press shows immediately and survives a failed style sheet of its target', async ({ page }) => {
  let styles = 0;
  await page.route('**/assets/space-*.css', (route) => {
    styles += 1;
    return styles > 1 ? route.continue() : route.abort();
  });
  // Another request is pending when the first fails and its chunk is retried.
  await page.route('**/assets/account-*.css', async (route) => {
    await page.waitForTimeout(1_000);
    await route.continue();
  });
  // A shadow alone is not visible on a dark page.
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.goto('/login');
  await page.getByRole('button', { name: 'Sign Up' }).click();
  await expect(page.getByText('Loading…')).toBeVisible();
  await expect(page.getByText('Loading…')).toHaveCSS('background-color', 'rgb(30, 37, 54)');
  await expect(page.getByRole('dialog', { name: 'Create Account' })).toBeVisible();
  await expect(page.getByText('Loading…')).toBeHidden();
  expect(styles).toBe(2);
});

test('an open page detects a new version and does not report removed files as broken', async ({
  api,
  openAs,
}) => {
  const page = await openAs(await api.newStudent(), '/dashboard');
  await expect(page.getByRole('heading', { name: 'RECENTLY POSTED' })).toBeVisible();
  await expect(page.getByText('A new version of Nimo is available.')).toBeHidden();
  for (const answers of ['**/graphql', '**/health/live'])
    await page.route(answers, async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, headers: { ...response.headers(), 'x-web-version': 'another' } });
    });
  await page.route('**/assets/screens-*', (route) => route.fulfill({ status: 404 }));
  await page.getByRole('link', { name: 'Leaderboard' }).click();
  await expect(page.getByText('Reload the page to continue.')).toBeVisible();
  await page.getByRole('link', { name: 'Nimo Ask' }).click();
  const notice = page.getByText('A new version of Nimo is available.');
  await expect(notice).toBeVisible();
  await page.unrouteAll({ behavior: 'wait' });
  // The previous screen has such a button too, until the next one is shown.
  await notice.locator('..').getByRole('button', { name: 'Reload' }).click();
  await expect(page.getByText('A new version of Nimo is available.')).toBeHidden();
});
