import { expectAccessible } from '../support/accessibility.js';
import { newUserName } from '../support/api.js';
import { expect, test } from '../support/journey.js';

test('a student changes name and username, signs out elsewhere, and changes the password', async ({
  page: elsewhere,
  api,
  openAs,
}) => {
  const student = await api.newStudent();
  await elsewhere.goto('/login');
  await elsewhere.getByLabel('Username').fill(student.userName);
  await elsewhere.getByRole('textbox', { name: 'Password' }).fill(student.password);
  await elsewhere.getByRole('button', { name: 'Log In' }).click();
  await expect(elsewhere).toHaveURL(/\/space$/);

  const page = await openAs(student, '/dashboard');
  await page.getByRole('button', { name: `Account of ${student.userName}` }).click();
  await page.getByRole('menuitem', { name: 'Settings' }).click();
  await expect(page).toHaveURL(/\/setting$/);
  await expect(page.getByLabel('School name')).toHaveValue('Greenfield High');
  await expectAccessible(page, 'settings, profile');
  await page.getByLabel('Name', { exact: true }).fill('Ada Byron');
  await page.getByRole('button', { name: 'Save Changes' }).click();
  const saved = page.getByText('Profile updated successfully!');
  await expect(saved).toBeVisible();
  await expect(saved).toBeHidden();
  const userName = newUserName();
  await page.getByLabel('User Name', { exact: true }).fill(userName);
  await page.getByRole('button', { name: 'Change username' }).click();
  await expect(page.getByRole('button', { name: `Account of ${userName}` })).toBeVisible();

  await page.getByRole('tab', { name: 'Student settings' }).click();
  await expect(page.getByText('This device')).toBeVisible();
  await expectAccessible(page, 'settings, sessions');
  await page
    .getByRole('button', { name: /^Log out/ })
    .first()
    .click();
  await expect(page.getByText('You’re logged in on this device only.')).toBeVisible();
  await elsewhere.goto('/space');
  await expect(elsewhere).toHaveURL(/\/login$/);

  await page.getByRole('tab', { name: 'Password' }).click();
  await page.getByRole('button', { name: 'Change Password' }).click();
  await expect(page.getByRole('alert')).toHaveText('Please enter valid password.');
  await expectAccessible(page, 'settings, password');
  await page.getByLabel('Old password').first().fill('not it at all');
  await page.getByLabel('New password').first().fill('Another-horse-2');
  await page.getByLabel('Confirm password').first().fill('Another-horse-2');
  await page.getByRole('button', { name: 'Change Password' }).click();
  await expect(page.getByRole('alert')).toHaveText('Old password is not correct.');
  await page.getByLabel('Old password').first().fill(student.password);
  await page.getByRole('button', { name: 'Change Password' }).click();
  await expect(page.getByRole('dialog', { name: 'Password Changed Successfully!' })).toBeVisible();
  await page.getByRole('button', { name: 'OK' }).click();
  await expect(page).toHaveURL(/\/login$/);
});
