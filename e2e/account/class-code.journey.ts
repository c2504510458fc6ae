import { closedSpace, joinByCode, openMembership } from '../support/closed-space.js';
import { expect, test } from '../support/journey.js';

test('a teacher shows a class code, and sees who joins until it is used up', async ({ api, openAs }) => {
  const { name, moderator } = await closedSpace(api, 'INVITATION');
  const page = await openAs(moderator, '/moderation/entry');
  await openMembership(page, name);
  await page.getByRole('button', { name: 'New invitation' }).click();
  const dialog = page.getByRole('dialog', { name: 'New invitation' });
  await dialog.getByRole('combobox', { name: 'Type' }).click();
  await page.getByRole('option', { name: 'Class code' }).click();
  await dialog.getByLabel('Maximum number of students').fill('3');
  await dialog.getByRole('button', { name: 'Create' }).click();
  await page.getByRole('link', { name: 'Show to class' }).click();

  await expect(page.getByRole('heading', { level: 1, name })).toBeVisible();
  await expect(page.getByText(`Join at ${new URL(page.url()).host}/join`)).toBeVisible();
  await expect(page.getByRole('img', { name: `QR code to join ${name}` })).toBeVisible();
  await expect(page.getByRole('navigation')).toHaveCount(0);
  const shown = page.getByText(/^[A-Z3479]{3}-[A-Z3479]{3}$/);
  const code = await shown.innerText();
  const joined = page.getByRole('region', { name: /joined$/ });
  await expect(joined.getByText('Nobody has joined yet')).toBeVisible();

  const students = await Promise.all(
    ['Grace', 'Alan', 'Edsger'].map((firstName) =>
      api.newStudent({ firstName, lastName: 'Turing', joins: false }),
    ),
  );
  const [grace, ...others] = students;
  if (!grace) throw new Error('no student');
  await joinByCode(api, grace, code);
  await expect(joined.getByRole('heading', { name: '1 of 3 joined' })).toBeVisible();
  await expect(joined.getByRole('listitem')).toHaveText(['Grace Turing']);
  for (const student of others) await joinByCode(api, student, code);
  await expect(joined.getByRole('listitem')).toHaveText(['Edsger Turing', 'Alan Turing', 'Grace Turing']);
  await expect(joined.getByRole('heading', { name: '3 of 3 joined' })).toBeVisible();
  await expect(page.getByRole('main').getByText('This code has no uses left.')).toBeVisible();
  await expect(shown).toHaveCount(0);

  await page.goBack();
  await expect(page.getByRole('heading', { name: 'Membership' })).toBeVisible();
  await expect(page.getByRole('listitem').filter({ hasText: '3 of 3 joined' })).toContainText('Used up');
});
