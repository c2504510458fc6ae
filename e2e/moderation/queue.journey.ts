import { randomUUID } from 'node:crypto';
import { expectAccessible } from '../support/accessibility.js';
import { unique } from '../support/api.js';
import { expect, test } from '../support/journey.js';

test('with two moderators on a case, the second sees the decision and overwrites nothing', async ({
  api,
  openAs,
}) => {
  const [author, reporter, first, second] = await Promise.all([
    api.newStudent(),
    api.newStudent(),
    api.moderator(),
    api.maintainer(),
  ]);
  const title = unique('Is this an advertisement?');
  const questionId = await api.ask(author, title);
  await api.report(reporter, 'QUESTION', questionId, 'Its spam');

  const [one, other] = [
    await openAs(first, `/moderation/${questionId}`),
    await openAs(second, `/moderation/${questionId}`),
  ];
  await expect(other.getByRole('heading', { name: title, level: 2 })).toBeVisible();
  await other.getByRole('button', { name: 'Uphold and remove' }).click();
  const late = other.getByRole('dialog', { name: 'Remove this post?' });
  await late.getByRole('textbox', { name: 'Reason' }).fill('An advertisement');

  await expect(one.getByRole('heading', { name: title, level: 2 })).toBeVisible();
  await one.keyboard.press('d');
  const dialog = one.getByRole('dialog', { name: 'Dismiss these reports?' });
  const reason = `A real question ${randomUUID().slice(0, 8)}`;
  await dialog.getByRole('textbox', { name: 'Reason' }).fill(reason);
  await dialog.getByRole('button', { name: 'Dismiss' }).click();
  await expect(one.getByText('Reports dismissed')).toBeVisible();

  await late.getByRole('button', { name: 'Uphold and remove' }).click();
  await expect(
    other.getByText('This case has changed, so your decision was not saved. Review it and try again.'),
  ).toBeVisible();
  await expect(late).toBeHidden();
  const message = other.getByRole('status').filter({ hasText: `${first.userName} dismissed the reports.` });
  await expect(message).toContainText(reason);
  await expect(other.getByRole('button', { name: 'Uphold and remove' })).toHaveCount(0);
});

test(
  'a moderator removes a reported post by keyboard, its author sees the reason, and it is restored',
  { tag: '@core' },
  async ({ api, openAs }) => {
    const [author, reporter, moderator] = await Promise.all([
      api.newStudent(),
      api.newStudent(),
      api.moderator(),
    ]);
    const title = unique('Buy my notes?');
    const questionId = await api.ask(author, title);
    const page = await openAs(moderator, '/space');
    const listening = page.waitForEvent('websocket').then((socket) =>
      socket.waitForEvent('framesent', {
        predicate: ({ payload }) => String(payload).includes('ModerationChanged'),
      }),
    );
    await page.goto('/moderation');
    await expect(page.getByRole('heading', { name: 'Reported posts', level: 1 })).toBeVisible();
    await listening;
    // It appears automatically on an open screen.
    await api.report(reporter, 'QUESTION', questionId, 'Its spam');
    const queued = page.getByRole('complementary', { name: 'Queue' }).getByRole('link', { name: title });
    await expect(queued).toContainText('1 report: Its spam');
    await queued.focus();
    await page.keyboard.press('Enter');
    const heading = page.getByRole('heading', { name: title, level: 2 });
    await expect(heading).toBeVisible();
    const section = page
      .getByRole('navigation', { name: 'Areas' })
      .getByRole('link', { name: 'Reported posts' });
    await expect(section).toHaveAttribute('aria-current', 'page');
    await expect(page.getByRole('table', { name: 'Reports' })).toContainText(reporter.userName);
    await expectAccessible(page, 'a case');

    const reason = `Selling is not for here ${randomUUID().slice(0, 8)}`;
    await page.keyboard.press('u');
    const dialog = page.getByRole('dialog', { name: 'Remove this post?' });
    await expect(dialog.getByRole('textbox', { name: 'Reason' })).toBeFocused();
    await expectAccessible(page, 'the removal reason');
    await page.keyboard.type(reason);
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await expect(page.getByText('Post removed', { exact: true })).toBeVisible();
    await expect(heading).toBeHidden();

    await api.waitForNotification(author);
    const authors = await openAs(author, '/leaderboard');
    await authors.getByRole('button', { name: /^Notifications/ }).click();
    const panel = authors.getByRole('dialog', { name: 'Notifications' });
    await expect(panel).toContainText(reason);
    await expect(panel).not.toContainText(reporter.userName);
    await expectAccessible(authors, 'the notice of a removed post');

    await page.getByText('Decided', { exact: true }).click();
    await page.getByRole('complementary', { name: 'Queue' }).getByRole('link', { name: title }).click();
    await expect(heading).toBeVisible();
    await expect(page.getByRole('radio', { name: 'Decided' })).toBeChecked();
    await page.keyboard.press('r');
    await page
      .getByRole('dialog', { name: 'Restore this post?' })
      .getByRole('textbox')
      .fill('A gift after all');
    await page.getByRole('dialog').getByRole('button', { name: 'Reverse' }).click();
    await expect(page.getByText('Post restored').first()).toBeVisible();
    await page.getByRole('link', { name: 'Post history' }).click();
    await expect(page.getByRole('heading', { name: 'Audit log', level: 1 })).toBeVisible();
    await expect(page.getByRole('table', { name: 'Audit entries' })).toContainText(reporter.userName);

    await authors.goto(`/singleQuestion/${questionId}/home`);
    await expect(authors.getByRole('article', { name: /^Question:/ })).toContainText(title);
  },
);

test('a student cannot open reported posts', async ({ api, openAs }) => {
  const page = await openAs(await api.newStudent(), '/moderation');
  await expect(page.getByRole('heading', { name: 'This page doesn’t exist' })).toBeVisible();
});
