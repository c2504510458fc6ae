import { randomUUID } from 'node:crypto';
import { expectAccessible } from '../support/accessibility.js';
import { unique } from '../support/api.js';
import { closedSpace } from '../support/closed-space.js';
import { expect, test } from '../support/journey.js';

test('a report reaches moderators by the bell, and its author reads the reason and where to object', async ({
  api,
  openAs,
}) => {
  const [author, reporter, moderator, second] = await Promise.all([
    api.newStudent(),
    api.newStudent(),
    api.moderator(),
    api.maintainer(),
  ]);
  const title = unique('Buy my notes?');
  const questionId = await api.ask(author, title);
  const [one, other] = [await openAs(moderator, '/audit'), await openAs(second, '/moderation')];
  for (const page of [one, other])
    await expect(page.getByRole('button', { name: /^Notifications/ })).toBeVisible();
  await api.report(reporter, 'QUESTION', questionId, 'Its spam');

  // The badge arrives live, in any staff area.
  const menu = one.getByRole('navigation', { name: 'Areas' });
  await expect(menu.getByRole('link', { name: /^Reported posts, \d+ open$/ })).toBeVisible();
  await one.getByRole('button', { name: /^Notifications, \d+ new$/ }).click();
  const panel = one.getByRole('dialog', { name: 'Notifications' });
  const row = panel.getByRole('link', {
    name: new RegExp(`Reported post in .*${title.replace('?', '\\?')}`),
  });
  await expect(row).toBeVisible();
  await expect(panel).not.toContainText(reporter.userName);
  await expectAccessible(one, 'a report in the bell of a staff area', { without: ['region'] });
  await row.click();
  await expect(one).toHaveURL(new RegExp(`/moderation/${questionId}$`));
  await expect(panel).toBeHidden();

  const otherBell = other.getByRole('button', { name: /^Notifications/ });
  const otherPanel = other.getByRole('dialog', { name: 'Notifications' });
  await otherBell.click();
  await expect(otherPanel.getByRole('link', { name: title })).toBeVisible();
  await other.keyboard.press('Escape');
  await expect(otherBell).toBeFocused();

  const reason = `Selling is not for here ${randomUUID().slice(0, 8)}`;
  await one.getByRole('button', { name: 'Uphold and remove' }).click();
  const dialog = one.getByRole('dialog', { name: 'Remove this post?' });
  await dialog.getByRole('textbox', { name: 'Reason' }).fill(reason);
  await dialog.getByRole('radio', { name: 'No penalty (0)' }).check();
  await dialog.getByRole('button', { name: 'Uphold and remove' }).click();
  await expect(one.getByText('Post removed', { exact: true })).toBeVisible();
  await otherBell.click();
  await expect(otherPanel.getByRole('heading', { name: 'Notifications' })).toBeVisible();
  await expect(otherPanel.getByRole('link', { name: title })).toHaveCount(0);

  await api.waitForNotification(author);
  const authors = await openAs(author, '/leaderboard');
  await authors.getByRole('button', { name: /^Notifications/ }).click();
  const notice = authors
    .getByRole('dialog', { name: 'Notifications' })
    .getByRole('link', { name: 'A moderator removed your post' });
  await expect(notice).toContainText(reason);
  await expect(notice).toContainText('Open it to read how to object.');
  await notice.click();
  const removal = authors.getByRole('note', { name: 'A moderator removed your question' });
  await expect(removal).toContainText(reason);
  await expect(removal).toContainText('Do you disagree? Ask another moderator of this space');
  await expect(removal).not.toContainText(moderator.userName);
});

test('a moderator answers a request to join from the bell of a staff area on a phone', async ({
  api,
  openAs,
}) => {
  const { name, moderator } = await closedSpace(api, 'REQUEST');
  const asker = await api.newStudent();
  const page = await openAs(asker, '/space');
  await page.getByRole('button', { name: new RegExp(`${name}.*Ask to join`) }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Send request' }).click();
  await expect(page.getByRole('button', { name: new RegExp(`${name}.*Request sent`) })).toBeVisible();

  const staff = await openAs(moderator, '/moderation', { viewport: { width: 390, height: 844 } });
  await staff.getByRole('button', { name: 'Continue in the browser' }).click();
  await staff.getByRole('button', { name: 'Notifications, 1 new' }).click();
  const panel = staff.getByRole('dialog', { name: 'Notifications' });
  await expect(panel).toBeInViewport({ ratio: 1 });
  await expect(panel.getByText(`${asker.userName} asks to join ${name}`)).toBeVisible();
  await panel.getByRole('button', { name: `Accept ${asker.userName}` }).click();
  await expect(staff.getByText(`${asker.userName} is now a member`)).toBeVisible();
  await expect(panel.getByRole('heading', { name: 'No notifications yet' })).toBeVisible();
});
