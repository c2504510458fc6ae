import { expectAccessible } from '../support/accessibility.js';
import { unique } from '../support/api.js';
import { openAnswer } from '../support/composer.js';
import { expect, test } from '../support/journey.js';

test('the bell shows other people’s activity and links to it', async ({ api, openAs }) => {
  const [asker, peer] = await Promise.all([api.newStudent(), api.newStudent()]);
  const title = unique('Who rings?');
  const questionId = await api.ask(asker, title);
  const page = await openAs(asker, '/leaderboard');
  const bell = page.getByRole('button', { name: /^Notifications/ });
  await expect(bell).toBeVisible();

  const other = await openAs(peer, `/singleQuestion/${questionId}/home`);
  const answer = await openAnswer(other);
  await other.keyboard.type('I do.');
  await answer.getByRole('button', { name: 'Submit' }).click();
  await expect(page.getByRole('button', { name: /^Notifications, \d+ new$/ })).toBeVisible();

  await bell.click();
  const panel = page.getByRole('dialog', { name: 'Notifications' });
  const entry = panel.getByRole('link', { name: `${peer.userName} answered your question` });
  await expect(entry).toContainText('I do.');
  await expect(entry.getByText('New', { exact: true })).toBeVisible();
  // Showing it marks it as seen, but it stays new while the panel is open.
  await expect(page.getByRole('button', { name: 'Notifications', exact: true })).toBeVisible();
  await expect(entry.getByText('New', { exact: true })).toBeVisible();
  await expectAccessible(page, 'notifications');

  await api.comment(peer, questionId, `Look, @[${asker._id}]`);
  const showNew = panel.getByRole('button', { name: 'Show new notifications' });
  await expect(showNew).toBeVisible();
  await expect(panel.getByRole('link', { name: 'commented on your question' })).toHaveCount(0);
  await showNew.click();
  await expect(
    panel.getByRole('link', { name: `${peer.userName} commented on your question` }),
  ).toContainText(`Look, @${asker.userName}`);

  await entry.click();
  await expect(page).toHaveURL(new RegExp(`/singleQuestion/${questionId}/home$`));
  await expect(panel).toBeHidden();
  await bell.click();
  await expect(entry).toBeVisible();
  await expect(entry.getByText('New', { exact: true })).toHaveCount(0);
});

test('the list keeps its maximum height, scrolls, and works with the keyboard', async ({ api, openAs }) => {
  const [asker, peer] = await Promise.all([api.newStudent(), api.newStudent()]);
  const questionId = await api.ask(asker, unique('A long list?'));
  for (let written = 0; written < 8; written += 1) await api.comment(peer, questionId, unique('Comment'));
  const page = await openAs(asker, '/profile');
  const bell = page.getByRole('button', { name: /^Notifications/ });
  await bell.focus();
  await page.keyboard.press('Enter');
  const panel = page.getByRole('dialog', { name: 'Notifications' });
  const rows = panel.getByRole('list');
  await expect(rows.getByRole('link').first()).toBeVisible();
  const scroller = rows.locator('..');
  expect((await scroller.boundingBox())?.height).toBeLessThanOrEqual(300);
  await rows.getByRole('link').last().focus();
  await expect(rows.getByRole('link').last()).toBeInViewport();
  await page.keyboard.press('Escape');
  await expect(panel).toBeHidden();
  await expect(bell).toBeFocused();
});

test('a session that ends elsewhere also ends here, without a click', async ({ api, openAs }) => {
  const student = await api.newStudent();
  const page = await openAs(student, '/profile');
  const subscribed = page
    .waitForEvent('websocket')
    .then((socket) =>
      socket.waitForEvent('framereceived', ({ payload }) => String(payload).includes('next')),
    );
  await page.reload();
  await subscribed;
  await api.graphql('mutation { logout { flag } }', {}, student.token);
  await expect(page).toHaveURL(/\/login/);
});
