import { unique } from '../support/api.js';
import { expect, test } from '../support/journey.js';

test(
  'votes up, down and withdrawn count once the server has responded',
  { tag: '@core' },
  async ({ api, openAs }) => {
    const [author, voter] = await Promise.all([api.newStudent(), api.newStudent()]);
    const questionId = await api.ask(author, unique('Is zero even?'));
    await api.answer(author, questionId, '<p>It is.</p>');
    const page = await openAs(voter, `/singleQuestion/${questionId}/home`);
    const question = page.getByRole('article', { name: /^Question:/ });
    const up = question.getByRole('button', { name: /upvote,/i });
    const down = question.getByRole('button', { name: /downvote,/i });
    await expect(up).toHaveAccessibleName('Upvote, 0');

    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    await page.route('**/graphql', async (route) => {
      if (route.request().postData()?.includes('UpvoteQuestion') === true) await held;
      await route.continue();
    });
    await up.click();
    await expect(up).toHaveAttribute('aria-disabled', 'true');
    await expect(up).toHaveAccessibleName('Upvote, 0');
    release();
    // Toasts first: they disappear after three seconds.
    await expect(page.getByText('Question upvoted successfully!')).toBeVisible();
    await expect(up).toHaveAccessibleName('Remove upvote, 1');

    await down.click();
    await expect(page.getByText('Question downvoted successfully!')).toBeVisible();
    await expect(down).toHaveAccessibleName('Remove downvote, 1');
    await expect(up).toHaveAccessibleName('Upvote, 0');
    await down.click();
    await expect(down).toHaveAccessibleName('Downvote, 0');

    const answer = page.getByRole('article', { name: /^Answer by/ });
    const answerUp = answer.getByRole('button', { name: /upvote,/i });
    await answerUp.click();
    await expect(answerUp).toHaveAccessibleName('Remove upvote, 1');
    await page.reload();
    await expect(answerUp).toHaveAccessibleName('Remove upvote, 1');
  },
);

test('students cannot vote on their own posts', async ({ api, openAs }) => {
  const author = await api.newStudent();
  const page = await openAs(author, `/singleQuestion/${await api.ask(author, unique('Mine'))}/home`);
  const up = page.getByRole('button', { name: /^Upvote/ });
  await expect(up).toHaveAttribute('aria-disabled', 'true');
  await up.hover();
  await expect(page.getByRole('tooltip')).toHaveText('You cannot vote on your own post.');
});
