import { expect, test } from '../support/journey.js';
import { loadScenario } from './scenario.js';
import { scrollBelowHeader, take } from './take.js';

const UPHELD = 'We do not sell homework here. Ask about your own essay and you will get help.';

test.use({ contextOptions: { reducedMotion: 'reduce' } });

test('reported posts: queue, case, decision, and notification of the author', async ({ openAs }) => {
  const { moderator, advertiser, advertisement, unpopular } = loadScenario();
  const page = await openAs(moderator, '/moderation');
  const queue = page.getByRole('complementary', { name: 'Queue' });
  await expect(queue.getByRole('link').first()).toBeVisible();
  await take(page, 'moderation-01-queue');
  await queue.locator(`a[href$="${advertisement}"]`).click();
  await expect(page).toHaveURL(new RegExp(`${advertisement}$`));
  await expect(page.getByRole('table', { name: 'Reports' })).toBeVisible();
  await take(page, 'moderation-02-case');
  await scrollBelowHeader(page.getByRole('heading', { name: 'Author’s record' }));
  await take(page, 'moderation-03-record-and-votes');
  await page.keyboard.press('u');
  await page
    .getByRole('dialog', { name: 'Remove this post?' })
    .getByRole('textbox', { name: 'Reason' })
    .fill(UPHELD);
  await take(page, 'moderation-04-uphold');
  await page.getByRole('dialog').getByRole('button', { name: 'Uphold and remove' }).click();
  await expect(page.getByText('Post removed', { exact: true })).toBeVisible();

  await page.goto(`/moderation/${unpopular}`);
  await expect(page.getByRole('table', { name: 'Reports' })).toBeVisible();
  await page.keyboard.press('d');
  await page
    .getByRole('dialog')
    .getByRole('textbox', { name: 'Reason' })
    .fill('A fair question about the site.');
  await page.getByRole('dialog').getByRole('button', { name: 'Dismiss' }).click();
  await expect(page.getByText('Reports dismissed', { exact: true })).toBeVisible();
  await page.goto(`/moderation/${advertisement}`);
  await page.getByText('Decided', { exact: true }).click();
  await expect(queue.getByRole('link').nth(1)).toBeVisible();
  await take(page, 'moderation-05-decided');

  const authors = await openAs(advertiser, `/singleQuestion/${advertisement}/home`);
  await expect(authors.getByText(UPHELD).first()).toBeVisible();
  await take(authors, 'moderation-06-author-notice');
});

test('patterns: ring, evidence, effect, case', async ({ openAs }) => {
  const { moderator } = loadScenario();
  const page = await openAs(moderator, '/moderation/patterns');
  const ring = page.getByRole('listitem').filter({ hasText: 'Ring' });
  await expect(ring).toHaveCount(1);
  await take(page, 'moderation-07-patterns');
  await ring.getByRole('link').click();
  await expect(page.getByRole('heading', { name: 'Ring', level: 1 })).toBeVisible();
  await expect(page.getByRole('table', { name: 'Votes' }).getByRole('row').nth(1)).toBeVisible();
  await take(page, 'moderation-08-ring');
  await scrollBelowHeader(page.getByRole('heading', { name: '24 votes' }));
  await take(page, 'moderation-09-evidence');
  await page
    .getByRole('textbox', { name: 'Reason' })
    .fill('The three told their class that they vote for each other.');
  await page.getByRole('button', { name: 'Preview effect' }).click();
  const declare = page.getByRole('button', { name: 'Invalidate 24 votes' });
  await expect(declare).toBeVisible();
  await scrollBelowHeader(page.getByRole('heading', { name: 'Effect on students' }));
  await take(page, 'moderation-10-effect');
  await declare.click();
  await expect(page).toHaveURL(/\/moderation\/cases\//);
  await expect(page.getByRole('table', { name: 'Effect on students' })).toBeVisible();
  await take(page, 'moderation-11-case-of-invalid-votes');
});

test('audit: by space, by post, by event, by filters', async ({ openAs }) => {
  const { moderator, advertisement } = loadScenario();
  const page = await openAs(moderator, '/audit');
  const lines = page.getByRole('table', { name: 'Audit entries' }).getByRole('row');
  await expect(lines.nth(5)).toBeVisible();
  await take(page, 'moderation-12-audit');
  await page.goto(`/audit?view=post&of=${advertisement}`);
  await expect(lines.nth(5)).toBeVisible();
  await take(page, 'moderation-13-history-of-a-post');
  await page.goto('/audit?view=acts&kinds=ReportsUpheld,ReportsDismissed,VotesInvalidated');
  await expect(lines.nth(2)).toBeVisible();
  await page.getByRole('checkbox', { name: 'With proof' }).check();
  await take(page, 'moderation-14-filters-and-export');
  await lines
    .nth(1)
    .getByRole('link', { name: /^Event \d/ })
    .click();
  await expect(page.getByRole('heading', { name: /^Event \d/, level: 1 })).toBeVisible();
  await take(page, 'moderation-15-event');
});

test('earlier times: leaderboard and question', async ({ openAs }) => {
  const { moderator, oldQuestion } = loadScenario();
  const page = await openAs(moderator, '/audit/as-of/leaderboard?at=2014-06-01T12:00:00Z');
  await expect(page.getByRole('status')).toContainText('As of');
  await expect(page.getByRole('row').nth(3)).toBeVisible();
  await take(page, 'moderation-16-past-leaderboard');
  await page.getByRole('button', { name: /^Next event/ }).hover();
  await expect(page.getByRole('tooltip')).toBeVisible();
  await page.goto(`/audit/as-of/question/${oldQuestion}`);
  await expect(page.getByRole('heading', { name: /answers?$/ })).toBeVisible();
  await page.getByText('Event', { exact: true }).click();
  for (let step = 0; step < 6; step += 1) await page.getByRole('button', { name: /^Previous event/ }).click();
  await expect(page.getByRole('status')).toContainText('As of event');
  await page.getByRole('button', { name: /^Next event/ }).hover();
  await expect(page.getByRole('tooltip')).toBeVisible();
  await take(page, 'moderation-17-past-question', { pointing: true });
});

test('proof', async ({ openAs }) => {
  const { moderator } = loadScenario();
  const page = await openAs(moderator, '/audit/proof');
  await expect(page.getByRole('region', { name: 'Hash chain' })).toContainText('last verified', {
    timeout: 90_000,
  });
  await expect(page.getByRole('region', { name: 'Signed heads' }).getByRole('row').nth(1)).toBeVisible();
  await take(page, 'moderation-18-proof');
});
