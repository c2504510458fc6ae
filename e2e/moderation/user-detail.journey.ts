import { expectAccessible } from '../support/accessibility.js';
import { unique } from '../support/api.js';
import { expect, test } from '../support/journey.js';

test('a name leads to the user’s page, on to a post, and back to the leaderboard', async ({
  api,
  openAs,
}) => {
  const [author, reader] = await Promise.all([api.newStudent(), api.newStudent()]);
  const title = unique('Why do cats purr?');
  const questionId = await api.ask(author, title);
  await api.answer(reader, questionId, '<p>To heal, some say.</p>');
  const page = await openAs(reader, `/singleQuestion/${questionId}/home`);
  await page.getByRole('main').getByRole('link', { name: author.userName, exact: true }).first().click();
  await expect(page).toHaveURL(new RegExp(`/nimorisingstarsingle\\?id=${author._id}$`));
  const card = page.getByRole('region', { name: author.userName });
  await expect(card.getByRole('definition').nth(3)).toHaveText('1');
  await expect(page.getByRole('button', { name: 'Block User' })).toHaveCount(0);
  await expectAccessible(page, 'user detail');
  await page.getByRole('link', { name: title }).click();
  await expect(page).toHaveURL(new RegExp(`/singleQuestion/${questionId}/home$`));
  await page.goBack();
  await page.getByRole('link', { name: 'Back to the leaderboard' }).click();
  await expect(page).toHaveURL(/\/leaderboard$/);
});

test('a moderator of all spaces blocks a student, whose session ends, and unblocks the student', async ({
  api,
  openAs,
}) => {
  const [spammer, maintainer] = await Promise.all([api.newStudent(), api.maintainer()]);
  const page = await openAs(maintainer, `/nimorisingstarsingle?id=${spammer._id}`);
  await expect(page.getByText('Active', { exact: true })).toBeVisible();
  await page.getByRole('button', { name: 'Block User' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Reason').fill('Spam in every thread');
  await expectAccessible(page, 'block user');
  await dialog.getByRole('button', { name: 'Block User' }).click();
  await expect(page.getByText('Blocked', { exact: true })).toBeVisible();
  await expect(api.graphql('{ getStudent { _id } }', {}, spammer.token)).rejects.toThrow('Please log in.');
  await page.getByRole('button', { name: 'Unblock User' }).click();
  const unblocking = page.getByRole('dialog', { name: /^Unblock / });
  await unblocking.getByLabel('Reason (optional)').fill('Promised to stop');
  await unblocking.getByRole('button', { name: 'Unblock User' }).click();
  await expect(page.getByText('Active', { exact: true })).toBeVisible();
});

test('a moderator suspends a student in the space, who can still read, and lifts the suspension', async ({
  api,
  openAs,
}) => {
  const [spammer, moderator] = await Promise.all([api.newStudent(), api.moderator()]);
  const page = await openAs(moderator, `/nimorisingstarsingle?id=${spammer._id}`);
  await page.getByRole('button', { name: 'Block User' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Reason').fill('Spam in every thread');
  await expectAccessible(page, 'suspend in a space');
  await dialog.getByRole('button', { name: 'Block User' }).click();
  await expect(page.getByText('Suspended here', { exact: true })).toBeVisible();
  await expect(api.ask(spammer, unique('Buy this?'))).rejects.toThrow('You are suspended in this space');
  await page.getByRole('button', { name: 'Unblock User' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Unblock User' }).click();
  await expect(page.getByText('Active', { exact: true })).toBeVisible();
  await api.ask(spammer, unique('May I ask again?'));
});

test('an unknown id shows a message', async ({ api, openAs }) => {
  const page = await openAs(
    await api.newStudent(),
    '/nimorisingstarsingle?id=7d1cfb44-8a0c-4c9a-9d52-0c8f60a3f9a1',
  );
  await expect(page.getByRole('heading', { name: 'Student not found' })).toBeVisible();
});

test('a moderator adds a note on a student and removes it', async ({ api, openAs }) => {
  const [student, moderator] = await Promise.all([api.newStudent(), api.moderator()]);
  const page = await openAs(moderator, `/nimorisingstarsingle?id=${student._id}`);
  await page.getByRole('button', { name: 'Show Notes' }).click();
  await expect(page.getByText('No notes yet')).toBeVisible();
  await page.getByRole('textbox', { name: 'New note' }).fill('Asks homework questions in bulk');
  await page.getByRole('button', { name: 'Save Note' }).click();
  const notes = page.getByRole('list', { name: 'Notes' });
  await expect(notes).toContainText('Asks homework questions in bulk');
  await expectAccessible(page, 'notes on a student');
  await notes.getByRole('button', { name: 'Remove Note' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Remove Note' }).click();
  await expect(page.getByText('No notes yet')).toBeVisible();
});
