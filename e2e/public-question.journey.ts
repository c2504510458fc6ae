import { unique } from './support/api.js';
import { expect, test } from './support/journey.js';

test('a visitor reads a question by its link; acting leads to the log-in and back', async ({ page, api }) => {
  const [author, reader] = await Promise.all([api.newStudent(), api.newStudent()]);
  const title = unique('Who wrote the Edda?');
  const questionId = await api.ask(author, title);
  await api.answer(author, questionId, '<p>Snorri Sturluson, it is said.</p>');
  await page.goto(`/question/${questionId}`);
  await expect(page.getByRole('heading', { name: title })).toBeVisible();
  await expect(page.getByText('Snorri Sturluson, it is said.')).toBeVisible();

  await page
    .getByRole('button', { name: /^Upvote/ })
    .first()
    .click();
  await expect(page).toHaveURL(/\/login$/);
  await page.getByLabel('Username').fill(reader.userName);
  await page.getByRole('textbox', { name: 'Password' }).fill(reader.password);
  await page.getByRole('button', { name: 'Log In' }).click();
  await expect(page).toHaveURL(new RegExp(`/singleQuestion/${questionId}/home$`));
  await page
    .getByRole('button', { name: /^Upvote/ })
    .first()
    .click();
  await expect(page.getByText('Question upvoted successfully!')).toBeVisible();
});

test('a deleted or invented question says that it is not here', async ({ page }) => {
  await page.goto('/question/7d1cfb44-8a0c-4c9a-9d52-0c8f60a3f9a1');
  await expect(page.getByRole('heading', { name: 'This question is not here' })).toBeVisible();
});

test('Copy gives the public link', async ({ api, openAs }) => {
  const author = await api.newStudent();
  const questionId = await api.ask(author, unique('To share'));
  const page = await openAs(author, `/singleQuestion/${questionId}/profile`, {
    permissions: ['clipboard-read', 'clipboard-write'],
  });
  await page.getByRole('button', { name: 'Copy' }).click();
  await expect(page.getByText('Copied!')).toBeVisible();
  expect(await page.evaluate('navigator.clipboard.readText()')).toBe(`${api.url}/question/${questionId}`);
  await page.getByRole('link', { name: 'Back' }).click();
  await expect(page).toHaveURL(/\/profile$/);
});
