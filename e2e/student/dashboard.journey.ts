import { unique } from '../support/api.js';
import { openAnswer } from '../support/composer.js';
import { openFilters } from '../support/dashboard.js';
import { expect, test } from '../support/journey.js';

test('filters narrow the list, are part of the URL, and are restored from it', async ({ api, openAs }) => {
  const student = await api.newStudent();
  const { subject, topic } = await api.filing(student.token);
  const [open, solved] = [unique('Still open'), unique('Already solved')];
  await api.ask(student, open);
  const solvedId = await api.ask(student, solved);
  const helper = await api.newStudent();
  await api.accept(student, solvedId, await api.answer(helper, solvedId, '<p>So.</p>'));

  const page = await openAs(student, '/dashboard');
  await expect(page.getByRole('heading', { name: 'RECENTLY POSTED' })).toBeVisible();
  await openFilters(page);
  await expect(page.getByRole('combobox', { name: 'Topic' })).toHaveCount(0);
  await page.getByText('My Questions', { exact: true }).click();
  const list = page.getByRole('list', { name: 'RECENTLY POSTED' });
  await expect(list.getByRole('listitem')).toHaveCount(2);
  await page.getByText('Unsolved', { exact: true }).click();
  await expect(list.getByRole('listitem')).toHaveCount(1);
  await expect(list.getByRole('link', { name: open })).toBeVisible();
  await page.getByText('Solved', { exact: true }).click();
  await expect(list.getByRole('link', { name: solved })).toBeVisible();
  await expect(page.getByRole('checkbox', { name: 'Unsolved' })).not.toBeChecked();

  await page.getByRole('combobox', { name: 'Subject' }).click();
  await page.getByRole('option', { name: subject.name }).click();
  await expect(page.getByRole('heading', { name: `All ${subject.name} QUESTIONS` })).toBeVisible();
  await page.getByRole('combobox', { name: 'Topic' }).click();
  await page.getByRole('option', { name: topic.name, exact: true }).click();
  await expect(page.getByRole('heading', { name: `ALL QUESTIONS FROM ${topic.name}` })).toBeVisible();
  await page.reload();
  await expect(page.getByRole('heading', { name: `ALL QUESTIONS FROM ${topic.name}` })).toBeVisible();
  await expect(page.getByRole('checkbox', { name: 'Solved', exact: true })).toBeChecked();
  await expect(page.getByRole('button', { name: 'Filters, 4 active' })).toBeVisible();
  await page.getByRole('button', { name: 'Clear Filter' }).click();
  await expect(page).toHaveURL(/\/dashboard$/);
  await expect(page.getByRole('button', { name: 'Clear Filter' })).toHaveCount(0);
});

test('a slow device combines quick filter choices and restores none that were cleared', async ({
  api,
  openAs,
}) => {
  const page = await openAs(await api.newStudent(), '/dashboard');
  const own = page.getByText('My Questions', { exact: true });
  const unsolved = page.getByText('Unsolved', { exact: true });
  await openFilters(page);
  const device = await page.context().newCDPSession(page);
  await device.send('Emulation.setCPUThrottlingRate', { rate: 30 });
  await own.click();
  await unsolved.click();
  await expect(page).toHaveURL(/\?unsolvedQuestions=true&myQuestions=true$/);
  await page.getByRole('button', { name: 'Clear Filter' }).click();
  await unsolved.click();
  await expect(page).toHaveURL(/\?unsolvedQuestions=true$/);
});

test('Back restores the scroll position of the list', async ({ api, openAs }) => {
  const student = await api.newStudent();
  for (let count = 0; count < 24; count += 1) await api.ask(student, unique(`Question ${count}`));
  const page = await openAs(student, '/dashboard?myQuestions=true');
  const cards = page.getByRole('list', { name: 'RECENTLY POSTED' }).getByRole('listitem');
  await expect(cards).toHaveCount(20);
  await page.mouse.wheel(0, 20_000);
  await expect(cards).toHaveCount(24);
  await cards.nth(22).getByRole('link').click();
  await expect(page).toHaveURL(/question=/);
  const scrolled = () => page.evaluate('Math.round(window.scrollY)');
  const before = await scrolled();
  expect(before).toBeGreaterThan(400);
  await page.getByRole('link', { name: 'Leaderboard' }).click();
  await expect(page).toHaveURL(/leaderboard/);
  await page.goBack();
  await expect(cards).toHaveCount(24);
  await expect.poll(scrolled).toBe(before);
});

test('the dashboard requests everything once', async ({ api, openAs }) => {
  const student = await api.newStudent();
  const questionId = await api.ask(student, unique('What is requested?'));
  await api.answer(await api.newStudent(), questionId, '<p>Everything, once.</p>');
  const page = await openAs(student, '/space');
  // Blocks the socket, because the page refetches after subscribing.
  await page.routeWebSocket('**/graphql', () => undefined);
  // Requests of the previous page do not count.
  await page.waitForLoadState('networkidle');
  const requested: string[] = [];
  page.on('request', (request) => {
    const { operationName, variables } = (request.postDataJSON() ?? {}) as Record<string, unknown>;
    if (request.url().endsWith('/graphql')) requested.push(JSON.stringify([operationName, variables]));
  });
  await page.goto('/dashboard?myQuestions=true');
  await expect(page.getByText('Everything, once.')).toBeVisible();
  await page.waitForLoadState('networkidle');
  expect(requested.filter((one, place) => requested.indexOf(one) !== place)).toEqual([]);
  expect(requested.filter((one) => /AnswerList|QuestionComments|OwnRemovals|OwnReports/.test(one))).toEqual(
    [],
  );
});

test('no text shows below the footer of a composer next to the list', async ({ api, openAs }) => {
  const student = await api.newStudent();
  const questionId = await api.ask(student, unique('What shows beneath?'));
  const page = await openAs(student, `/dashboard?question=${questionId}`);
  const composer = await openAnswer(page);
  for (let line = 0; line < 30; line += 1) await page.keyboard.press('Enter');
  const panel = page.getByRole('region', { name: 'Selected question' });
  await panel.evaluate((element) => element.scrollBy({ top: -150 }));
  const below = async () => {
    const foot = await composer.getByRole('button', { name: 'Submit' }).locator('xpath=../..').boundingBox();
    const around = await panel.boundingBox();
    return Math.round((around?.y ?? 0) + (around?.height ?? 0) - (foot?.y ?? 0) - (foot?.height ?? 0));
  };
  await expect.poll(below).toBe(1);
});
