import { unique } from '../support/api.js';
import { expect, test } from '../support/journey.js';

test('a student with an upvote overtakes one without', { tag: '@core' }, async ({ api, openAs }) => {
  const rival = await api.newStudent();
  await api.ask(rival, unique('First'));
  const climber = await api.newStudent();
  const questionId = await api.ask(climber, unique('Second'));
  await api.waitForScore(climber, 11);
  const page = await openAs(climber, '/leaderboard');
  const own = page.getByText(/^Your rank is \d+ with score of \d+ !$/);
  const rank = async () => Number(/is (\d+)/.exec(await own.innerText())?.[1]);
  await expect(own).toContainText('with score of 11 !');
  const before = await rank();

  await api.upvote(rival, questionId);
  await api.waitForScore(climber, 61);
  await page.reload();
  await expect(own).toContainText('with score of 61 !');
  expect(await rank()).toBeLessThan(before);

  await page.getByRole('button', { name: 'How scores are calculated' }).click();
  await expect(page.getByRole('dialog', { name: 'Leaderboard Scores' })).toContainText('+50');
  await page.keyboard.press('Escape');
  // Other journeys may have created any number of students.
  await page.getByRole('button', { name: 'Jump to my rank' }).click();
  const row = page.getByRole('main').getByRole('button', { name: climber.userName });
  await row.click();
  await expect(page.getByRole('definition').filter({ hasText: '1' }).first()).toBeVisible();
  await expect(row).toContainText('61 pts.');
});

test('the leaderboard jumps to one’s own rank and loads higher ranks from there', async ({ api, openAs }) => {
  const student = await api.newStudent();
  // More than one page, all with the same score: the last to reach it ranks last.
  for (let count = 0; count < 22; count += 1) await api.ask(await api.newStudent(), unique('One of many'));
  await api.ask(student, unique('The last'));
  const page = await openAs(student, '/leaderboard');
  const own = page.getByRole('main').getByRole('button', { name: student.userName });
  await page.getByRole('button', { name: 'Jump to my rank' }).click();
  await expect(own).toBeFocused();
  await expect(own).toBeInViewport();
  await page.keyboard.press('Enter');
  await expect(own).toHaveAttribute('aria-expanded', 'true');
  const before = page.getByRole('button', { name: 'Show higher ranks' });
  const first = page.getByRole('main').getByRole('button', { name: /^Rank 1\b/ });
  await expect(async () => {
    if (await before.isVisible()) await before.click();
    await expect(first).toBeVisible({ timeout: 15_000 });
  }).toPass();
  await expect(own).toHaveCount(1);
});
