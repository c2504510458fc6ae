import { unique } from '../support/api.js';
import { openAnswer } from '../support/composer.js';
import { expect, test } from '../support/journey.js';

test(
  'a question is answered, discussed with a mention, and the answer accepted',
  { tag: '@core' },
  async ({ api, openAs }) => {
    const [asker, helper] = await Promise.all([api.newStudent(), api.newStudent()]);
    const questionId = await api.ask(asker, unique('How do I factor this?'));
    const page = await openAs(helper, `/singleQuestion/${questionId}/home`);

    const dialog = await openAnswer(page);
    await dialog.getByRole('button', { name: 'Submit' }).click();
    await expect(dialog.getByText('Please add your answer')).toBeVisible();
    await expect(dialog.getByRole('textbox', { name: 'Your answer' })).toBeFocused();
    await dialog.getByRole('textbox', { name: 'Your answer' }).click();
    await page.keyboard.type('Take out the common factor first.');
    await dialog.getByRole('button', { name: 'Submit' }).click();
    await expect(page.getByText('Answer added successfully!')).toBeVisible();
    const answer = page.getByRole('article', { name: `Answer by ${helper.userName}` });
    await expect(answer).toContainText('Take out the common factor first.');
    await expect(page.getByRole('heading', { name: '1 Answer' })).toBeVisible();

    await answer.getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('menuitem', { name: 'Edit' }).click();
    const editing = page.getByRole('form', { name: 'Edit your Answer' });
    await editing.getByRole('textbox', { name: 'Your answer' }).click();
    await page.keyboard.press('Control+End');
    await page.keyboard.type(' Then look for squares.');
    await editing.getByRole('button', { name: 'Submit' }).click();
    await expect(page.getByText('Answer updated successfully!')).toBeVisible();
    await expect(answer).toContainText('Then look for squares.');

    const comments = page.getByRole('region', { name: 'Comments on the question' });
    await comments.getByRole('button', { name: 'Send comment' }).click();
    await expect(comments.getByText('Comment should not be empty!')).toBeVisible();
    await comments.getByRole('button', { name: 'Write a comment or @mention' }).click();
    const box = comments.getByRole('textbox', { name: 'Write a comment' });
    await expect(box).toBeFocused();
    await page.keyboard.type(`Does this help, @${asker.userName.slice(0, -2)}`);
    await page.getByRole('option', { name: asker.userName }).click();
    await page.keyboard.type('?');
    await comments.getByRole('button', { name: 'Send comment' }).click();
    await expect(comments.getByRole('list', { name: 'Comments' })).toContainText(
      `Does this help, @${asker.userName}`,
    );
    await comments
      .getByRole('button', { name: `More actions for the comment by ${helper.userName}` })
      .click();
    await expect(page.getByRole('menuitem', { name: 'Delete Comment' })).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(answer.getByRole('button', { name: 'Accept' })).toHaveCount(0);

    const askersPage = await openAs(asker, `/singleQuestion/${questionId}/home`);
    const forAsker = askersPage.getByRole('article', { name: `Answer by ${helper.userName}` });
    await forAsker.getByRole('button', { name: 'Accept' }).click();
    await expect(askersPage.getByText('Answer accepted successfully!')).toBeVisible();
    await expect(forAsker.getByText('Accepted', { exact: true })).toBeVisible();
    await expect(forAsker.getByRole('button', { name: 'Accept' })).toHaveCount(0);
    await expect(askersPage.getByRole('article', { name: /^Question:/ }).getByText('Solved')).toBeVisible();
  },
);

test('authors delete their comments and answers, and only three of many comments show at first', async ({
  api,
  openAs,
}) => {
  const student = await api.newStudent();
  const questionId = await api.ask(student, unique('What is inertia?'));
  await api.answer(student, questionId, '<p>A body keeps its motion.</p>');
  for (const body of ['One', 'Two', 'Three', 'Four']) await api.comment(student, questionId, body);
  const page = await openAs(student, `/singleQuestion/${questionId}/home`);

  const comments = page.getByRole('list', { name: 'Comments' });
  await expect(comments.getByRole('listitem')).toHaveCount(3);
  await page.getByRole('button', { name: 'View all' }).click();
  await expect(comments.getByRole('listitem')).toHaveCount(4);
  await comments.getByRole('listitem').filter({ hasText: 'Four' }).getByRole('button').click();
  await page.getByRole('menuitem', { name: 'Delete Comment' }).click();
  await page.getByRole('button', { name: 'Yes, delete it!' }).click();
  await expect(page.getByText('Question comment deleted successfully!')).toBeVisible();
  await expect(comments.getByRole('listitem')).toHaveCount(3);

  const answer = page.getByRole('article', { name: `Answer by ${student.userName}` });
  await answer.getByRole('button', { name: 'Write a comment or @mention' }).click();
  await expect(answer.getByRole('textbox', { name: 'Write a comment' })).toBeFocused();
  await page.keyboard.type('On second thought');
  await page.keyboard.press('Control+Enter');
  await answer.getByRole('button', { name: 'More actions for the comment' }).click();
  await page.getByRole('menuitem', { name: 'Delete Comment' }).click();
  await page.getByRole('button', { name: 'Yes, delete it!' }).click();
  await expect(page.getByText('Answer comment deleted successfully!')).toBeVisible();
  await expect(answer.getByText('On second thought')).toHaveCount(0);

  await answer.getByRole('button', { name: 'More actions for the answer' }).click();
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  await page.getByRole('button', { name: 'Yes, delete it!' }).click();
  await expect(page.getByText('Answer deleted successfully!')).toBeVisible();
  await expect(page.getByText('No answers yet')).toBeVisible();
});
