import { unique } from './support/api.js';
import { expect, test } from './support/journey.js';

test('an open question shows what others do to it, without a reload', async ({ api, openAs }) => {
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
  await other.getByRole('button', { name: 'Add Your Answer' }).click();
  await other.getByRole('textbox', { name: 'Your answer' }).click();
  await other.keyboard.type('I am.');
  await other.getByRole('dialog').getByRole('button', { name: 'Submit' }).click();
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
