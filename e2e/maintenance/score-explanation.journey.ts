import { expectAccessible } from '../support/accessibility.js';
import { unique } from '../support/api.js';
import { expect, test } from '../support/journey.js';

test('a student sees how the own score adds up', async ({ api, openAs }) => {
  const [author, voter, another] = await Promise.all([api.newStudent(), api.newStudent(), api.newStudent()]);
  const title = unique('Where does it come from?');
  const questionId = await api.ask(author, title);
  await api.upvote(voter, questionId);
  await api.upvote(another, questionId);
  const page = await openAs(author, '/leaderboard');
  await expect(page.getByText(/with score of 111 !$/)).toBeVisible();
  await page.getByRole('link', { name: 'How is my score calculated?' }).click();
  await expect(page).toHaveURL(/\/leaderboard\/score$/);
  await expect(page.getByText('Reputations 101 + commitments 10 = 111')).toBeVisible();
  const lines = page.getByRole('main').getByRole('listitem');
  await expect(lines).toHaveCount(2);
  await expect(lines.filter({ hasText: 'Question asked' })).toContainText('+10');
  // One entry for both votes, without the voters' names or times.
  const votes = lines.filter({ hasText: '2 upvotes for the question' });
  await expect(votes).toContainText('+100');
  await expect(votes.getByRole('time')).toHaveCount(0);
  await expect(page.getByText('Everyone starts with 1 reputation.')).toBeVisible();
  await expectAccessible(page, 'the explanation of a score');

  await page.getByRole('radio', { name: 'Questions upvoted +100' }).focus();
  await page.keyboard.press('Space');
  await expect(lines).toHaveCount(1);
  await page.reload();
  await expect(lines).toHaveCount(1);
  await page.getByText('All activity', { exact: true }).click();
  await expect(lines).toHaveCount(2);

  await lines.first().getByRole('link', { name: title }).click();
  await expect(page.getByRole('article', { name: /^Question:/ })).toContainText(title);
});

test('another student’s score is not explained', async ({ api, openAs }) => {
  const [curious, other] = await Promise.all([api.newStudent(), api.newStudent()]);
  await api.ask(other, unique('Mine'));
  const page = await openAs(curious, `/leaderboard/score?student=${other._id}`);
  await expect(page.getByRole('alert')).toContainText('You don’t have permission to do this.');
});
