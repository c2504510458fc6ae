import { expectAccessible } from '../support/accessibility.js';
import { unique } from '../support/api.js';
import { expect, test } from '../support/journey.js';

test('a moderator removes all posts of a spammer from a reported post, and restores them', async ({
  api,
  openAs,
}) => {
  const [spammer, reporter, moderator] = await Promise.all([
    api.newStudent(),
    api.newStudent(),
    api.moderator(),
  ]);
  const [title, other] = [unique('Buy my notes'), unique('Buy my other notes')];
  const questionId = await api.ask(spammer, title);
  const otherId = await api.ask(spammer, other);
  await api.answer(reporter, otherId, '<p>No, thanks.</p>');
  await api.report(reporter, 'QUESTION', questionId, 'Its spam');

  const staff = await openAs(moderator, `/moderation/${questionId}`);
  await staff.getByRole('button', { name: 'Remove all posts' }).click();
  const dialog = staff.getByRole('dialog', { name: /^Remove all posts of / });
  await expect(dialog.getByRole('list', { name: 'Posts to remove' })).toHaveText('2 questions');
  await expect(dialog.getByText('1 answer of another student is hidden with its question.')).toBeVisible();
  await dialog.getByLabel('Reason').fill('Adverts everywhere');
  await expectAccessible(staff, 'remove all posts');
  await dialog.getByRole('button', { name: 'Remove all posts' }).click();

  await expect(staff.getByRole('heading', { name: 'Removal of all posts' })).toBeVisible();
  const rows = staff.getByRole('table', { name: 'Posts' }).getByRole('row');
  await expect(rows.filter({ hasText: 'Removed' })).toHaveCount(2);
  await expectAccessible(staff, 'a removal of all posts');

  const page = await openAs(spammer, '/dashboard');
  await page.getByRole('button', { name: /^Notifications/ }).click();
  const notice = page
    .getByRole('dialog', { name: 'Notifications' })
    .getByRole('listitem')
    .filter({ hasText: 'A moderator removed 2 of your posts' });
  await expect(notice).toContainText('Adverts everywhere');
  await expect(notice).not.toContainText(moderator.userName);
  await expectAccessible(page, 'notification of a removal');
  const reading = await openAs(reporter, `/nimorisingstarsingle?id=${spammer._id}`);
  await expect(reading.getByText('No posts yet')).toBeVisible();

  await rows.getByRole('link', { name: title }).click();
  await expect(staff.getByText('Removed together with all posts of the author.')).toBeVisible();
  await staff.getByRole('link', { name: 'Show the removal' }).click();
  await staff.getByRole('button', { name: 'Restore all posts' }).click();
  const restoring = staff.getByRole('dialog', { name: 'Restore all posts' });
  await restoring.getByLabel('Reason, shown to the author').fill('The account was stolen');
  await restoring.getByRole('button', { name: 'Restore all posts' }).click();
  await expect(rows.filter({ hasText: 'Visible' })).toHaveCount(2);
  await staff.getByRole('link', { name: 'Removed posts' }).first().click();
  await expect(staff.getByRole('row', { name: /Adverts everywhere.*Restored/ })).toBeVisible();
  await expectAccessible(staff, 'removals of all posts');
  await reading.reload();
  await expect(reading.getByRole('link', { name: other })).toBeVisible();
});
