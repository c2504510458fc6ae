import { expect, test } from '../support/journey.js';
import { allowNews, forbidNews } from './poison-event.js';
import { loadScenario } from './scenario.js';
import { scrollBelowHeader, take } from './take.js';

test.use({ contextOptions: { reducedMotion: 'reduce' } });

test('projections: list, rebuild, verification', async ({ openAs }) => {
  const { maintainer } = loadScenario();
  const page = await openAs(maintainer, '/maintenance');
  const list = page.getByRole('table', { name: 'Projections' });
  await expect(list.getByText('Up to date').first()).toBeVisible();
  await expect(list.getByText('Catching up')).toHaveCount(0);
  await take(page, 'maintenance-01-projections');

  await page.goto('/maintenance/projections/questions');
  await page.getByRole('button', { name: 'Rebuild', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Rebuild' });
  await expect(dialog).toContainText('replaces it');
  await take(page, 'maintenance-02-rebuild-asked');
  await dialog.getByRole('button', { name: 'Rebuild' }).click();
  await expect(page.getByText(/Building generation \d+/)).toBeVisible();
  await expect(page.getByRole('progressbar').first()).toBeVisible();
  await take(page, 'maintenance-03-rebuild-running');
  const serving = page
    .getByRole('table', { name: 'Generations' })
    .getByRole('row')
    .filter({ has: page.getByText('Live', { exact: true }) });
  await expect(serving.getByRole('cell').first()).toContainText(/^2 /, { timeout: 120_000 });
  await page.getByRole('button', { name: 'Verify' }).click();
  await page.getByRole('dialog', { name: 'Verify' }).getByRole('button', { name: 'Verify' }).click();
  await expect(page.getByText('Verification finished: Matches the event log').first()).toBeVisible({
    timeout: 120_000,
  });
  await take(page, 'maintenance-04-rebuilt-and-verified');
});

test('projection that stops at an event and resumes', async ({ api, openAs }) => {
  const { maintainer, moderator } = loadScenario();
  const { _id: space } = await api.space(moderator.token);
  await forbidNews();
  try {
    // Its response waits for the projection, which has stopped.
    const published = api.graphql(
      `mutation($space: ID!) { publishNewspost(space: $space, title: "Library closed on Friday", body: "<p>Open again on Monday.</p>") { _id } }`,
      { space },
      moderator.token,
    );
    const page = await openAs(maintainer, '/maintenance/projections/news');
    await expect(page.getByText('Stopped at an event').first()).toBeVisible();
    await take(page, 'maintenance-05-stopped');
    await page.getByRole('button', { name: 'Skip event' }).click();
    await page.getByRole('dialog').getByRole('textbox').fill('The news is published once more below.');
    await take(page, 'maintenance-06-skip-asked');
    await page.keyboard.press('Escape');
    await allowNews();
    await page.getByRole('button', { name: 'Retry event' }).click();
    await expect(page.getByText('Stopped at an event')).toHaveCount(0);
    await expect(page.getByText('Up to date')).toBeVisible();
    await published;
    await take(page, 'maintenance-07-tried-again');
  } finally {
    await allowNews();
  }
});

test('scoring rules: draft, trial, publication', async ({ openAs }) => {
  const { maintainer } = loadScenario();
  const page = await openAs(maintainer, '/maintenance/scoring');
  await expect(page.getByRole('heading', { name: /^In force: version \d+$/ })).toBeVisible();
  await take(page, 'maintenance-08-scoring-rules');
  await page.getByRole('button', { name: 'Create draft', exact: true }).click();
  await page.getByRole('textbox', { name: 'Question upvoted: Merit' }).fill('75');
  await expect(page.getByText(/^Saved by sam_admin/)).toBeVisible();
  await take(page, 'maintenance-09-draft');
  await page.getByRole('button', { name: 'Preview' }).click();
  const result = page.getByRole('region', { name: 'Preview' });
  await expect(result.getByRole('row').nth(1)).toBeVisible({ timeout: 60_000 });
  await scrollBelowHeader(result);
  await take(page, 'maintenance-10-preview');
  await scrollBelowHeader(result.getByRole('heading', { name: 'Affected students' }));
  await take(page, 'maintenance-11-affected-students');
  await page.getByRole('button', { name: 'Publish…' }).click();
  const dialog = page.getByRole('dialog', { name: /^Publish version/ });
  await dialog
    .getByRole('textbox', { name: 'Note to students' })
    .fill('A question that others find good is worth more: 75 merit for each upvote, not 50.');
  await dialog.getByRole('button', { name: 'Continue' }).click();
  await take(page, 'maintenance-12-publish');
  await dialog.getByRole('button', { name: 'Publish for everyone' }).click();
  await expect(page.getByRole('heading', { name: 'In force: version 2' })).toBeVisible({ timeout: 60_000 });
  await scrollBelowHeader(page.getByRole('heading', { name: 'Versions' }));
  await take(page, 'maintenance-13-versions');
  await page.getByRole('link', { name: 'Leaderboard under version 1' }).click();
  await expect(
    page.getByRole('region', { name: 'Leaderboard under version 1' }).getByRole('row').nth(1),
  ).toBeVisible({ timeout: 60_000 });
  await scrollBelowHeader(page.getByRole('region', { name: 'Leaderboard under version 1' }));
  await take(page, 'maintenance-14-leaderboard-under-version-1');
});

test('spaces, subjects, topics, students and roles', async ({ openAs }) => {
  const { maintainer, advertiser } = loadScenario();
  const page = await openAs(maintainer, '/maintenance/content/spaces');
  await expect(page.getByRole('link', { name: 'French' })).toBeVisible();
  await take(page, 'maintenance-15-spaces');
  await page.getByRole('link', { name: 'French' }).click();
  await expect(page.getByRole('button', { name: 'New topic' })).toBeVisible();
  await take(page, 'maintenance-16-space');
  await page.goto('/maintenance/content/avatars');
  await expect(page.getByRole('button', { name: /^Retire / }).first()).toBeVisible();
  await take(page, 'maintenance-17-avatars');
  await page.goto('/maintenance/content/roles');
  await expect(page.getByRole('row', { name: /ms_rao/ }).first()).toBeVisible();
  await take(page, 'maintenance-18-roles');
  await page.goto('/maintenance/content/students');
  await page.getByRole('searchbox', { name: 'Find a student' }).fill(advertiser.userName);
  await page.getByRole('button', { name: `Block ${advertiser.userName}`, exact: true }).click();
  await page.getByRole('dialog').getByRole('textbox', { name: 'Reason' }).fill('Sells homework');
  await take(page, 'maintenance-19-block');
  await page.goto('/maintenance/content/news');
  await expect(page.getByText('Library closed on Friday').first()).toBeVisible();
  await take(page, 'maintenance-20-news');
});
