import type { Locator } from '@playwright/test';
import { expectAccessible } from '../support/accessibility.js';
import { unique, type NimoApi, type Student } from '../support/api.js';
import { expect, test } from '../support/journey.js';

const POSTS_OF_EACH = 4;

test('a vote ring is detected, its votes are invalidated after a preview of the effect, and restored later', async ({
  api,
  openAs,
}) => {
  const [ring, moderator] = [await newRing(api), await api.moderator()];
  const [member] = ring;

  const page = await openAs(moderator, '/moderation/patterns');
  await expect(page.getByRole('heading', { name: 'Vote patterns', level: 1 })).toBeVisible();
  const finding = page
    .getByRole('listitem')
    .filter({ hasText: 'Ring' })
    .getByRole('link', { name: new RegExp(member.userName) });
  await expect(finding).toBeVisible();
  await expectAccessible(page, 'the vote patterns');
  await finding.click();
  await expect(page.getByRole('heading', { name: 'Ring', level: 1 })).toBeVisible();
  await expect(page.getByRole('table', { name: 'Votes' }).getByRole('row')).toHaveCount(
    ring.length * (ring.length - 1) * POSTS_OF_EACH + 1,
  );
  await expectAccessible(page, 'the evidence of a ring');

  const triage = page.getByRole('region', { name: 'Triage' });
  await expect(triage).toContainText('Not triaged yet');
  await triage.getByRole('button', { name: 'Mark as harmless' }).click();
  await expect(triage).toContainText(`Harmless · ${moderator.userName}`);
  await expectAccessible(page, 'a triaged ring');
  await page.getByRole('main').getByRole('link', { name: 'Vote patterns' }).click();
  await expect(page.getByRole('radiogroup', { name: 'Filter by state' })).toBeVisible();
  await expect(finding).toHaveCount(0);
  await page.getByText(/^Harmless \(/).click();
  await expect(finding).toBeVisible();
  await expectAccessible(page, 'the harmless patterns');
  const [first, second] = ring;
  await api.upvote(first, await api.ask(second, `One more question of ${second.userName}`));
  // A pattern marked harmless reappears as soon as it grows.
  await expect(async () => {
    await page.goto('/moderation/patterns');
    await expect(finding).toBeVisible({ timeout: 15_000 });
  }).toPass();
  await expect(
    page.getByRole('listitem').filter({ hasText: 'Ring' }).filter({ hasText: member.userName }),
  ).toContainText('Grown');
  await finding.click();
  await triage.getByRole('button', { name: 'Watch', exact: true }).click();
  await expect(triage).toContainText(`Watched · ${moderator.userName}`);

  await expect(page.getByRole('button', { name: /^Declare/ })).toHaveCount(0);
  await page.getByRole('textbox', { name: 'Reason' }).fill('They agreed on it');
  await page.getByRole('button', { name: 'Preview effect' }).click();
  const effect = page.getByRole('table', { name: 'Effect on students' });
  const before = await scoreBefore(effect.getByRole('row').filter({ hasText: member.userName }));
  // Before that, it may have been behind the last votes of the ring.
  await expect.poll(() => scoreOf(api, member)).toBe(before);
  await expectAccessible(page, 'the effect of declaring votes invalid');
  await page.getByRole('button', { name: /^Invalidate 25 votes$/ }).click();
  await expect(page).toHaveURL(/\/moderation\/cases\//);
  await expect(page.getByText('They agreed on it')).toBeVisible();
  await expectAccessible(page, 'a case of invalid votes');
  const during = await scoreOf(api, member);
  expect(during).toBeLessThan(before);

  const members = await openAs(member, '/leaderboard/score');
  await expect(members.getByRole('main')).toContainText('coordinated voting');

  // A toast stays while the pointer is over it.
  await page.mouse.move(0, 0);
  await page.getByRole('textbox', { name: 'Why the votes should count again' }).fill('They study together');
  await page.getByRole('button', { name: 'Preview effect' }).click();
  await expect(effect.last().getByRole('row').filter({ hasText: member.userName })).toContainText(
    `${during} → ${before}`,
  );
  await page.getByRole('button', { name: 'Restore votes' }).click();
  await expect(page.getByRole('alert').filter({ hasText: 'Reversed' })).toContainText('They study together');
  expect(await scoreOf(api, member)).toBe(before);

  await page.getByRole('link', { name: 'Invalidated votes' }).first().click();
  await expect(page.getByRole('heading', { name: 'Invalidated votes', level: 1, exact: true })).toBeVisible();
  await expect(page.getByRole('table')).toContainText('They agreed on it');
  await expectAccessible(page, 'the cases');
});

test('a large case takes effect once a second moderator, who is notified, confirms it', async ({
  api,
  openAs,
}) => {
  const [ring, moderator, second] = [await newRing(api, 17), await api.moderator(), await api.maintainer()];
  const [member] = ring;
  const page = await openAs(moderator, '/moderation/patterns');
  await page
    .getByRole('listitem')
    .getByRole('link', { name: new RegExp(member.userName) })
    .click();
  const rows = page.getByRole('table', { name: 'Votes' }).getByRole('row');
  await expect(rows).toHaveCount(103);
  const reason = unique('They agreed on it');
  await page.getByRole('textbox', { name: 'Reason' }).fill(reason);
  await page.getByRole('button', { name: 'Preview effect' }).click();
  await page.getByRole('button', { name: 'Propose to invalidate 102 votes' }).click();
  await expect(page).toHaveURL(/\/moderation\/cases\//);
  const own = page.getByRole('region', { name: 'Your proposal' });
  await expect(own).toContainText('Another moderator has to confirm your proposal.');
  await expect(own.getByRole('button', { name: 'Preview effect' })).toHaveCount(0);
  await expectAccessible(page, 'an own proposal');
  const before = await scoreOf(api, member);

  const other = await openAs(second, '/audit');
  const menu = other.getByRole('navigation', { name: 'Areas' });
  await expect(menu.getByRole('link', { name: /^Invalidated votes, \d+ open$/ })).toBeVisible();
  await other.getByRole('button', { name: /^Notifications/ }).click();
  const row = other
    .getByRole('dialog', { name: 'Notifications' })
    .getByRole('link', { name: new RegExp(`Proposal to invalidate 102 votes in .*${reason}`) });
  await row.click();
  const decision = other.getByRole('region', { name: 'Confirm or decline' });
  await decision.getByRole('button', { name: 'Preview effect' }).click();
  await expect(decision.getByRole('table', { name: 'Effect on students' })).toContainText(member.userName);
  await expectAccessible(other, 'the proposal of another moderator');
  expect(await scoreOf(api, member)).toBe(before);
  await decision.getByRole('button', { name: 'Confirm: invalidate 102 votes' }).click();
  await expect(other.getByRole('region', { name: 'Decision' })).toContainText(/Confirmed by/);
  expect(await scoreOf(api, member)).toBeLessThan(before);
  await other.getByRole('button', { name: /^Notifications/ }).click();
  await expect(other.getByRole('dialog', { name: 'Notifications' })).toBeVisible();
  await expect(row).toHaveCount(0);
  await page.reload();
  await expect(page.getByRole('region', { name: 'Reverse invalidation' })).toBeVisible();
});

/** The first value in the row's score change, e.g. 448 → 41. */
async function scoreBefore(row: Locator): Promise<number> {
  const [score = ''] = (await row.getByText('→').first().innerText()).split('→');
  return Number(score.replace(/\D/g, ''));
}

async function newRing(
  api: NimoApi,
  postsOfEach = POSTS_OF_EACH,
): Promise<readonly [Student, Student, Student]> {
  const ring = [await api.newStudent(), await api.newStudent(), await api.newStudent()] as const;
  for (const author of ring) {
    for (let post = 1; post <= postsOfEach; post += 1) {
      const question = await api.ask(author, `Question ${post} of ${author.userName}`);
      for (const voter of ring) if (voter !== author) await api.upvote(voter, question);
    }
  }
  return ring;
}

async function scoreOf(api: NimoApi, { token }: Student): Promise<number> {
  const space = await api.space(token);
  const { own } = await api.graphql<{ own: { scores: { score: number } | null } }>(
    'query($space: ID!) { own: getLeaderboardScores(space: $space) { scores { score } } }',
    { space: space._id },
    token,
  );
  return own.scores?.score ?? 0;
}
