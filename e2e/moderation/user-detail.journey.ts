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

test('a moderator suspends the author of a reported post for a day, who reads why, and lifts it', async ({
  api,
  openAs,
}) => {
  const [spammer, reporter, moderator] = await Promise.all([
    api.newStudent(),
    api.newStudent(),
    api.moderator(),
  ]);
  const [title, readable] = [unique('Buy my notes'), unique('Still readable')];
  const questionId = await api.ask(spammer, title);
  await api.ask(reporter, readable);
  await api.report(reporter, 'QUESTION', questionId, 'Its spam');
  const staff = await openAs(moderator, `/moderation/${questionId}`);
  await staff.getByRole('button', { name: 'Suspend author' }).click();
  const dialog = staff.getByRole('dialog', { name: /^Suspend .* in this space\?$/ });
  await expect(dialog.getByRole('combobox', { name: 'How long' })).toHaveValue('1 day');
  await dialog.getByLabel('Reason').fill('Spam in every thread');
  await expectAccessible(staff, 'suspend for a day');
  await dialog.getByRole('button', { name: 'Suspend' }).click();
  await expect(staff.getByText(/^Suspended in this space until/)).toBeVisible();

  const page = await openAs(spammer, '/dashboard');
  const banner = page.getByRole('status').filter({ hasText: 'You are suspended in this space' });
  await expect(banner).toContainText('Reason: Spam in every thread');
  await expect(banner).toContainText('It ends on');
  await expect(page.getByText(readable).first()).toBeVisible();
  await expect(page.getByRole('link', { name: 'Ask your Question' })).toHaveCount(0);
  await expect(page.getByRole('button', { name: 'Save' }).first()).toBeVisible();
  await expect(page.getByRole('button', { name: 'Add Your Answer' })).toHaveCount(0);
  await expectAccessible(page, 'a suspension in a space');
  await page.getByRole('button', { name: /^Notifications/ }).click();
  const notice = page.getByRole('dialog', { name: 'Notifications' }).getByRole('link', {
    name: /A moderator suspended you in .*Spam in every thread.*Until/,
  });
  await expect(notice).toBeVisible();
  await expect(notice).not.toContainText(moderator.userName);
  await expect(api.ask(spammer, unique('Buy this?'))).rejects.toThrow('You are suspended in this space');

  await staff.goto(`/nimorisingstarsingle?id=${spammer._id}`);
  await expect(staff.getByText('Suspended here', { exact: true })).toBeVisible();
  await staff.getByRole('button', { name: 'Unblock User' }).click();
  await staff.getByRole('dialog').getByRole('button', { name: 'Unblock User' }).click();
  await expect(staff.getByText('Active', { exact: true })).toBeVisible();
  await page.reload();
  await expect(page.getByText(readable).first()).toBeVisible();
  await expect(banner).toHaveCount(0);
  await expect(page.getByRole('link', { name: 'Ask your Question' })).toBeVisible();
  await api.ask(spammer, unique('May I ask again?'));
});

test('a moderator warns the author of a reported post by keyboard, who reads it and opens the post', async ({
  api,
  openAs,
}) => {
  const [author, reporter, moderator] = await Promise.all([
    api.newStudent(),
    api.newStudent(),
    api.moderator(),
  ]);
  const title = unique('Buy my notes');
  const questionId = await api.ask(author, title);
  await api.report(reporter, 'QUESTION', questionId, 'Its spam');
  const staff = await openAs(moderator, `/moderation/${questionId}`);
  await expect(staff.getByRole('heading', { name: title, level: 2 })).toBeVisible();
  await staff.keyboard.press('w');
  const dialog = staff.getByRole('dialog', { name: `Warn ${author.userName} in this space?` });
  await expect(dialog).toContainText('reads your text in the notifications');
  await dialog.getByRole('textbox', { name: 'Warning' }).fill('Please do not sell notes here.');
  await expectAccessible(staff, 'warn the author');
  await dialog.getByRole('button', { name: 'Warn' }).click();
  await expect(staff.getByText(`${author.userName} was warned.`)).toBeVisible();
  const warnings = staff.getByRole('region', { name: 'Author’s record' }).getByText('Warnings').locator('..');
  await expect(warnings).toContainText('1');

  const page = await openAs(author, '/dashboard');
  await page.getByRole('button', { name: /^Notifications/ }).click();
  const notice = page
    .getByRole('dialog', { name: 'Notifications' })
    .getByRole('listitem')
    .filter({ hasText: 'Please do not sell notes here.' });
  await expect(notice).toContainText(/A moderator warned you in .*Do you disagree\?/);
  await expect(notice).not.toContainText(moderator.userName);
  await expectAccessible(page, 'a warning in the notifications');
  await notice.getByRole('link', { name: 'Open the post' }).click();
  await expect(page).toHaveURL(new RegExp(`/singleQuestion/${questionId}/home$`));

  await staff.goto(`/nimorisingstarsingle?id=${author._id}`);
  await staff.getByRole('button', { name: 'Show Warnings' }).click();
  const list = staff.getByRole('list', { name: 'Warnings' });
  await expect(list).toContainText(moderator.userName);
  await expect(list).toContainText('Please do not sell notes here.');
  await expectAccessible(staff, 'warnings of a student');
  await list.getByRole('link', { name: `About: ${title}` }).click();
  await expect(staff).toHaveURL(new RegExp(`/moderation/${questionId}$`));
});

test('the name of a student has room on the phone of a moderator', async ({ api, openAs }) => {
  const [student, moderator] = await Promise.all([api.newStudent(), api.moderator()]);
  const page = await openAs(moderator, `/nimorisingstarsingle?id=${student._id}`, {
    viewport: { width: 390, height: 844 },
  });
  await page.getByRole('button', { name: 'Continue in the browser' }).click();
  await expect(page.getByRole('button', { name: 'Remove all posts' })).toBeVisible();
  const name = await page.getByRole('heading', { name: student.userName }).boundingBox();
  expect(name?.width).toBeGreaterThan(150);
  await expectAccessible(page, 'a student’s page with the buttons of a moderator on a phone');
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
