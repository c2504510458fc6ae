import { unique } from '../support/api.js';
import { openFilters } from '../support/dashboard.js';
import { expect, test } from '../support/journey.js';

test('Back and Forward restore filters, list and results without stale state', async ({ api, openAs }) => {
  const student = await api.newStudent();
  const title = unique('Whereto does Back lead');
  await api.ask(student, title);
  const page = await openAs(student, '/dashboard');
  const cards = page.locator('section[aria-labelledby="list-heading"]').getByRole('article');
  await expect(cards.nth(3)).toBeVisible();
  const filters = await openFilters(page);
  await filters.getByText('My Questions', { exact: true }).click();
  await expect(page).toHaveURL(/myQuestions=true/);
  await expect(cards).toHaveCount(1);
  await page.goBack();
  await expect(page).toHaveURL(/dashboard$/);
  await expect(cards.nth(3)).toBeVisible();
  await page.goForward();
  await expect(page).toHaveURL(/myQuestions=true/);
  await expect(cards).toHaveCount(1);

  await page.goto(`/search?text=${encodeURIComponent(title)}`);
  await page.getByRole('link', { name: title }).click();
  await expect(page).toHaveURL(/question=/);
  await page.goBack();
  await expect(page).not.toHaveURL(/question=/);
  await expect(page.getByRole('link', { name: title })).toBeVisible();
});

test('a member who follows a shared link has the menu and is one click from the question’s page', async ({
  api,
  openAs,
}) => {
  const student = await api.newStudent();
  const title = unique('Opened from elsewhere');
  const questionId = await api.ask(student, title);
  const page = await openAs(student, '/setting');
  await page.evaluate("localStorage.removeItem('currentSpace')");
  await page.goto(`/singleQuestion/${questionId}/home`);
  await page.getByRole('link', { name: 'Nimo Ask' }).click();
  await page.locator('section[aria-labelledby="list-heading"]').getByRole('link', { name: title }).click();
  await page.getByRole('link', { name: 'Open question page' }).click();
  await expect(page).toHaveURL(new RegExp(`singleQuestion/${questionId}`));
});

test('a reader of a public question joins its space with one click and stays on the question', async ({
  api,
  openAs,
}) => {
  const title = unique('Read before one joins');
  const questionId = await api.ask(await api.newStudent(), title);
  const guest = await openAs(await api.newStudent({ joins: false }), `/singleQuestion/${questionId}/home`);
  await guest.getByRole('main').getByRole('link', { name: 'Join Space' }).click();
  const dialog = guest.getByRole('dialog', { name: 'Awesome!' });
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await expect(dialog).toBeHidden();
  await guest.goBack();
  await guest.getByRole('main').getByRole('link', { name: 'Join Space' }).click();
  await dialog.getByRole('button', { name: 'Join Space' }).click();
  await expect(guest).toHaveURL(new RegExp(`/singleQuestion/${questionId}/home$`));
  await guest.getByRole('button', { name: 'Upvote, 0' }).click();
  await expect(guest.getByText('Question upvoted successfully!')).toBeVisible();
  await expect(guest.getByRole('link', { name: 'Join Space' })).toHaveCount(0);
});
