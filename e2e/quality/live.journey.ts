import { unique } from '../support/api.js';
import { openAnswer } from '../support/composer.js';
import { expect, test } from '../support/journey.js';

test('an open question shows other people’s changes without a reload', async ({ api, openAs }) => {
  const [reader, writer] = await Promise.all([api.newStudent(), api.newStudent()]);
  const questionId = await api.ask(reader, unique('Anybody there?'));
  const page = await openAs(reader, '/profile');
  const subscribed = page
    .waitForEvent('websocket')
    .then((socket) =>
      socket.waitForEvent('framesent', ({ payload }) => String(payload).includes('questionUpdated')),
    );
  await page.goto(`/singleQuestion/${questionId}/home`);
  await expect(page.getByText('No answers yet')).toBeVisible();
  await subscribed;

  const other = await openAs(writer, `/singleQuestion/${questionId}/home`);
  const answer = await openAnswer(other);
  await other.keyboard.type('I am.');
  await answer.getByRole('button', { name: 'Submit' }).click();
  await expect(page.getByRole('article', { name: `Answer by ${writer.userName}` })).toContainText('I am.');
  await expect(page.getByRole('heading', { name: '1 Answer' })).toBeVisible();

  await other
    .getByRole('button', { name: /^Upvote/ })
    .first()
    .click();
  await expect(page.getByRole('button', { name: 'Upvote, 1' })).toBeVisible();
  await api.comment(writer, questionId, 'Look here');
  await expect(page.getByRole('region', { name: 'Comments on the question' })).toContainText('Look here');
});

test('an unfinished answer survives the removal of its question and can be copied', async ({
  api,
  openAs,
}) => {
  const [author, writer] = await Promise.all([api.newStudent(), api.newStudent()]);
  const questionId = await api.ask(author, unique('Is anybody still writing?'));
  const page = await openAs(writer, '/profile');
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  const subscribed = page
    .waitForEvent('websocket')
    .then((socket) =>
      socket.waitForEvent('framesent', ({ payload }) => String(payload).includes('questionUpdated')),
    );
  await page.goto(`/singleQuestion/${questionId}/home`);
  const composer = await openAnswer(page);
  const field = composer.getByRole('textbox', { name: 'Your answer' });
  await field.click();
  await page.keyboard.type('Half an');
  await subscribed;

  const other = await openAs(author, `/singleQuestion/${questionId}/home`);
  await other.getByRole('button', { name: 'More actions for this question' }).click();
  await other.getByRole('menuitem', { name: 'Delete' }).click();
  await other.getByRole('button', { name: 'Yes, delete it!' }).click();
  await expect(composer.getByText('Not sent: this question is no longer available')).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Question not found' })).toBeVisible();

  await page.keyboard.type(' answer');
  await expect(field).toHaveText('Half an answer');
  await composer.getByRole('button', { name: 'Copy text' }).click();
  await expect(page.getByText('Copied!')).toBeVisible();
  expect(await page.evaluate('navigator.clipboard.readText()')).toBe('Half an answer');
});
