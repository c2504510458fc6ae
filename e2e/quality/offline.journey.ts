import { unique } from '../support/api.js';
import { expect, test } from '../support/journey.js';

test.use({
  serviceWorkers: 'allow',
  expectedErrors: [/ERR_INTERNET_DISCONNECTED|Failed to load resource|Failed to fetch|WebSocket/],
});

// A page loaded while Chromium simulates a lost connection considers itself online.
const OFFLINE_TITLE = /^(You are offline|Can’t reach Nimo)/;
const SHELL_IS_KEPT = `caches.open('nimo-shell').then((shell) => shell.match('/')).then(Boolean)`;
const KEPT = `caches.keys().then((names) => names.filter((name) => name.startsWith('nimo-read-')))`;
const KEPT_COUNT = `(async () => {
  for (const name of await caches.keys())
    for (const { url } of await (await caches.open(name)).keys())
      if (url.includes('/kept/SpaceStart')) return (await (await caches.match(url)).json()).getNewNotificationCount;
})()`;

test('pages read before are available offline until logout', async ({ api, openAs }) => {
  const student = await api.newStudent();
  const title = unique('Is this kept?');
  const questionId = await api.ask(student, title);
  const page = await openAs(student, `/singleQuestion/${questionId}/home`);
  await expect(page.getByRole('heading', { name: title })).toBeVisible();
  await expect.poll(() => page.evaluate('navigator.serviceWorker.controller !== null')).toBe(true);
  await expect.poll(() => page.evaluate(SHELL_IS_KEPT)).toBe(true);
  await page.reload();
  await expect(page.getByRole('heading', { name: title })).toBeVisible();
  await page.waitForLoadState('networkidle');
  expect(await page.evaluate(KEPT)).toEqual([`nimo-read-${student._id}`]);

  await page.context().setOffline(true);
  await page.reload();
  await expect(page.getByRole('heading', { name: title })).toBeVisible();
  await expect(page.getByText(OFFLINE_TITLE)).toBeVisible();

  await page.context().setOffline(false);
  await expect(page.getByText(OFFLINE_TITLE)).toBeHidden();
  await page.getByRole('button', { name: 'Logout' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Logout' }).click();
  await expect(page.getByRole('heading', { name: 'Welcome' })).toBeVisible();
  await expect.poll(() => page.evaluate(KEPT)).toEqual([]);
});

test('the offline badge reflects notifications marked as read', async ({ api, openAs }) => {
  const [student, other] = await Promise.all([api.newStudent(), api.newStudent()]);
  const questionId = await api.ask(student, unique('Who answers this?'));
  await api.answer(other, questionId, '<p>I do.</p>');
  const page = await openAs(student, '/dashboard');
  await expect(page.getByRole('button', { name: 'Notifications, 1 new' })).toBeVisible();
  await expect.poll(() => page.evaluate('navigator.serviceWorker.controller !== null')).toBe(true);
  await expect.poll(() => page.evaluate(SHELL_IS_KEPT)).toBe(true);
  await page.reload();
  await page.getByRole('button', { name: 'Notifications, 1 new' }).click();
  const seen = page.getByRole('button', { name: 'Notifications', exact: true });
  await expect(seen).toBeVisible();
  await expect.poll(() => page.evaluate(KEPT_COUNT)).toBe(0);

  await page.context().setOffline(true);
  await page.reload();
  await expect(page.getByText(OFFLINE_TITLE)).toBeVisible();
  await expect(page.getByRole('article').first()).toBeVisible();
  await expect(seen).toBeVisible();
});
