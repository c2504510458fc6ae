import { unique } from './support/api.js';
import { expect, test } from './support/journey.js';

test('who is upvoted climbs past who is not', async ({ api, openAs }) => {
  const rival = await api.newStudent();
  await api.ask(rival, unique('First'));
  const climber = await api.newStudent();
  const questionId = await api.ask(climber, unique('Second'));
  const page = await openAs(climber, '/leaderboard');
  const own = page.getByText(/^Your rank is \d+ with score of \d+ !$/);
  const rank = async () => Number(/is (\d+)/.exec(await own.innerText())?.[1]);
  await expect(own).toContainText('with score of 11 !');
  const before = await rank();

  await api.upvote(rival, questionId);
  await page.reload();
  await expect(own).toContainText('with score of 61 !');
  expect(await rank()).toBeLessThan(before);

  await page.getByRole('button', { name: 'How scores are made' }).click();
  await expect(page.getByRole('dialog', { name: 'Leaderboard Scores' })).toContainText('+50');
  await page.keyboard.press('Escape');
  const row = page.getByRole('main').getByRole('button', { name: climber.userName });
  await row.click();
  await expect(page.getByRole('definition').filter({ hasText: '1' }).first()).toBeVisible();
  await expect(row).toContainText('61 pts.');
});
