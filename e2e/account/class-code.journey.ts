import { expectAccessible } from '../support/accessibility.js';
import { closedSpace, joinByCode, newClassCode, openMembership } from '../support/closed-space.js';
import { expect, test } from '../support/journey.js';
import { signUpHere } from '../support/sign-up.js';
import { handheld } from '../support/windows.js';

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

test('thirty students join a class by code, one of them by signing up on a phone', async ({
  api,
  openAs,
  browser,
  watch,
}) => {
  const space = await closedSpace(api, 'INVITATION');
  const code = await newClassCode(api, space, 30);
  const teacher = await openAs(space.moderator, code.page);
  const joined = teacher.getByRole('region', { name: /joined$/ });
  await expect(joined.getByRole('heading', { name: '0 of 30 joined' })).toBeVisible();

  const context = await browser.newContext({ ...handheld(390, 844), baseURL: api.url });
  watch(context);
  const phone = await context.newPage();
  await phone.goto(`/join/${code.secret.toLowerCase()}`);
  await expect(phone.getByRole('heading', { name: `Join ${space.name}` })).toBeVisible();
  await expectAccessible(phone, 'the page of a class code');
  await signUpHere(phone, api, { firstName: 'Zara' });
  await expect(phone).toHaveURL(/\/dashboard$/);
  await expect(phone.getByRole('heading', { level: 1 })).toBeVisible();
  await expect(joined.getByRole('listitem')).toHaveText(['Zara Patel']);

  for (let count = 1; count < 30; count += 1) {
    const student = await api.newStudent({ firstName: `Student ${count}`, joins: false });
    await joinByCode(api, student, code.secret);
  }
  await expect(joined.getByRole('heading', { name: '30 of 30 joined' })).toBeVisible();
  await expect(joined.getByRole('listitem')).toHaveCount(30);
  await expect(joined.getByRole('listitem').last()).toHaveText('Zara Patel');
  const late = await openAs(await api.newStudent(), `/join/${code.secret}`);
  await expect(late.getByText('This invitation has no uses left. Ask for a new one.')).toBeVisible();
  await context.close();
});
