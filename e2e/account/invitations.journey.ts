import type { Page } from '@playwright/test';
import { expectAccessible } from '../support/accessibility.js';
import { closedSpace, newClassCode, openMembership } from '../support/closed-space.js';
import { expect, test } from '../support/journey.js';
import { signUpHere } from '../support/sign-up.js';

test('an invitation link leads from sign-up into the space until it is revoked', async ({
  page,
  api,
  openAs,
}) => {
  const { name, moderator } = await closedSpace(api, 'INVITATION');
  const staff = await openAs(moderator, '/moderation/entry', {
    permissions: ['clipboard-read', 'clipboard-write'],
  });
  await openMembership(staff, name);
  await staff.getByRole('button', { name: 'New invitation' }).click();
  const dialog = staff.getByRole('dialog', { name: 'New invitation' });
  await dialog.getByLabel('Maximum number of students').fill('');
  await dialog.getByRole('button', { name: 'Create' }).click();
  await expect(dialog.getByRole('alert')).toContainText('1 to 1000 times');
  await dialog.getByLabel('Maximum number of students').fill('2');
  await dialog.getByRole('button', { name: 'Create' }).click();
  const ways = staff.getByRole('region', { name: 'Links, codes and lists' });
  await expect(ways.getByRole('listitem')).toContainText('0 of 2 joined');
  await ways.getByRole('button', { name: 'Copy link' }).click();
  await expect(staff.getByText('Copied', { exact: true })).toBeVisible();
  const link = await staff.evaluate<string>('navigator.clipboard.readText()');
  expect(link).toMatch(/\/join#[\w-]{43}$/);

  await page.goto(link);
  await expect(page.getByRole('heading', { name: `Join ${name}` })).toBeVisible();
  await signUpHere(page, api);
  await expect(page).toHaveURL(/\/dashboard$/);
  await expect(page.getByRole('navigation', { name: 'Main menu' })).toContainText(name);

  await staff.reload();
  await openMembership(staff, name);
  await expect(ways.getByRole('listitem')).toContainText('1 of 2 joined');
  await ways.getByRole('button', { name: 'Revoke invitation: Link' }).click();
  await expect(ways.getByRole('listitem')).toContainText('Revoked');
  const late = await openAs(await api.newStudent(), link);
  await expect(late.getByRole('heading', { name: 'This invitation can’t be used' })).toBeVisible();
  await expect(late.getByText('This invitation was revoked. Ask for a new one.')).toBeVisible();
});

test('a class code can be entered on the spaces page', async ({ api, openAs }) => {
  const { name, moderator } = await closedSpace(api, 'INVITATION');
  const staff = await openAs(moderator, '/moderation/entry');
  await openMembership(staff, name);
  await staff.getByRole('button', { name: 'New invitation' }).click();
  const dialog = staff.getByRole('dialog', { name: 'New invitation' });
  await dialog.getByRole('combobox', { name: 'Type' }).click();
  await staff.getByRole('option', { name: 'Class code' }).click();
  await dialog.getByRole('button', { name: 'Create' }).click();
  const shown = staff
    .getByRole('region', { name: 'Links, codes and lists' })
    .getByText(/^[A-Z3479]{3}-[A-Z3479]{3}$/);
  const code = await shown.innerText();

  const page = await openAs(await api.newStudent(), '/space');
  await page.getByRole('button', { name: 'I have a class code' }).click();
  await page.getByLabel('Class code').fill('AAA-AAA');
  await page.getByRole('button', { name: 'Continue' }).click();
  await expect(page.getByText('Invitation not found. Check the link or the code.')).toBeVisible();
  await page.getByLabel('Class code').fill(` ${code.toLowerCase()} `);
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByRole('button', { name: `Join ${name}` }).click();
  await expect(page).toHaveURL(/\/dashboard$/);
  await expect(page.getByRole('navigation', { name: 'Main menu' })).toContainText(name);
});

test('a visitor with an account logs in from the page of a class code', async ({ page, api }) => {
  const space = await closedSpace(api, 'INVITATION');
  const [{ secret }, student] = await Promise.all([newClassCode(api, space), api.newStudent()]);
  await page.goto('/join');
  await page.getByLabel('Class code').fill('AAA-AAA');
  await page.getByRole('button', { name: 'Continue' }).click();
  await expect(page.getByRole('heading', { name: 'This invitation can’t be used' })).toBeVisible();
  await page.getByLabel('Class code').fill(secret);
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByRole('link', { name: 'Log In' }).click();
  await expect(page.getByText('You’ve been invited to a space. Log in or sign up to join it.')).toBeVisible();
  await page.getByLabel('Username').fill(student.userName);
  await page.getByLabel('Password').first().fill(student.password);
  await page.getByRole('button', { name: 'Log In' }).click();
  await page.getByRole('button', { name: `Join ${space.name}` }).click();
  await expect(page).toHaveURL(/\/dashboard$/);
  await expect(page.getByRole('navigation', { name: 'Main menu' })).toContainText(space.name);
});

test('a join request is accepted with a notification, and the member is removed with a reason', async ({
  api,
  openAs,
}) => {
  const { name, id, moderator } = await closedSpace(api, 'REQUEST');
  const asker = await api.newStudent();
  const page = await openAs(asker, '/space');
  await page.getByRole('button', { name: new RegExp(`${name}.*Ask to join`) }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Send request' }).click();
  await expect(page.getByRole('button', { name: new RegExp(`${name}.*Request sent`) })).toBeVisible();

  const staff = await openAs(moderator, '/moderation/entry');
  await openMembership(staff, name);
  await staff.getByRole('button', { name: `Accept ${asker.userName}` }).click();
  await expect(staff.getByText(`${asker.userName} is now a member`)).toBeVisible();
  await page.reload();
  await page
    .getByRole('region', { name: 'My Spaces' })
    .getByRole('button', { name: new RegExp(name) })
    .click();
  await expect(page).toHaveURL(/\/dashboard$/);

  await staff.goto(`/nimorisingstarsingle?id=${asker._id}&space=${id}`);
  await staff.getByRole('button', { name: 'Remove from space' }).click();
  const dialog = staff.getByRole('dialog', { name: `Remove ${asker.userName} from this space?` });
  await dialog.getByRole('button', { name: 'Remove' }).click();
  await expect(dialog.getByText('Please give a reason.')).toBeVisible();
  await dialog.getByLabel('Reason').fill('Left the school');
  await dialog.getByRole('button', { name: 'Remove' }).click();
  await expect(staff.getByText(`${asker.userName} was removed.`)).toBeVisible();
  await expect(staff.getByRole('button', { name: 'Remove from space' })).toHaveCount(0);
  await page.goto('/space');
  await expect(page.getByRole('button', { name: new RegExp(`${name}.*Ask to join`) })).toBeVisible();
});

test('a moderator declines a join request from the bell, and accepts it from the notifications on a phone', async ({
  api,
  openAs,
}) => {
  const { name, id, moderator } = await closedSpace(api, 'REQUEST');
  await api.graphql(
    'mutation($space: ID!, $userName: String!) { inviteStudent(space: $space, userName: $userName) { flag } }',
    { space: id, userName: moderator.userName },
    (await api.maintainer()).token,
  );
  await api.graphql(
    'mutation($space: ID!) { joinSpace(spaceId: $space) { joined } }',
    { space: id },
    moderator.token,
  );
  const staff = await openAs(moderator, '/space');
  const mySpaces = (page: Page) => page.getByRole('region', { name: 'My Spaces' });
  await mySpaces(staff)
    .getByRole('button', { name: new RegExp(name) })
    .click();
  await expect(staff).toHaveURL(/\/dashboard$/);

  const asker = await api.newStudent();
  const page = await openAs(asker, '/space');
  await page.getByRole('button', { name: new RegExp(`${name}.*Ask to join`) }).click();
  await page.getByRole('dialog').getByLabel('About you (optional)').fill('I am in 7b');
  await page.getByRole('dialog').getByRole('button', { name: 'Send request' }).click();
  await expect(page.getByRole('button', { name: new RegExp(`${name}.*Request sent`) })).toBeVisible();

  // Arrives live.
  await staff.getByRole('button', { name: 'Notifications, 1 new' }).click();
  const panel = staff.getByRole('dialog', { name: 'Notifications' });
  const row = panel.getByRole('listitem');
  await expect(row).toContainText(`${asker.userName} asks to join ${name}`);
  await expect(row).toContainText('I am in 7b');
  await expect(row.getByRole('button', { name: `Accept ${asker.userName}` })).toBeVisible();
  await expectAccessible(staff, 'a request to join in the bell', { without: ['region'] });
  await row.getByRole('button', { name: `Decline ${asker.userName}` }).press('Enter');
  const dialog = staff.getByRole('dialog', { name: `Decline ${asker.userName}’s request?` });
  await dialog.getByLabel('Reason shown to the student').fill('For 7a only');
  await dialog.getByRole('button', { name: 'Decline' }).click();
  await expect(staff.getByText(`${asker.userName}’s request declined`)).toBeVisible();
  await expect(staff.getByRole('button', { name: 'Notifications', exact: true })).toBeFocused();

  await page.reload();
  await page.getByRole('button', { name: new RegExp(`${name}.*Declined`) }).click();
  await expect(page.getByText('Your last request was declined: For 7a only')).toBeVisible();
  await page.getByRole('dialog').getByRole('button', { name: 'Send request' }).click();
  await expect(page.getByRole('button', { name: new RegExp(`${name}.*Request sent`) })).toBeVisible();

  await staff.setViewportSize({ width: 390, height: 844 });
  await staff.getByRole('button', { name: 'Continue in the browser' }).click();
  await staff.getByRole('link', { name: 'Notifications, 1 new' }).click();
  const accept = staff.getByRole('button', { name: `Accept ${asker.userName}` });
  for (const target of [
    accept,
    staff.getByRole('button', { name: `Decline ${asker.userName}` }),
    staff.getByRole('link', { name: 'All requests' }),
  ]) {
    await expect(target).toBeInViewport({ ratio: 1 });
    expect((await target.boundingBox())?.height).toBeGreaterThanOrEqual(44);
  }
  await expectAccessible(staff, 'a request to join among the notifications', { without: ['region'] });
  await accept.click();
  await expect(staff.getByText(`${asker.userName} is now a member`)).toBeVisible();
  await expect(staff.getByRole('heading', { name: 'No notifications yet' })).toBeVisible();
  await page.reload();
  await mySpaces(page)
    .getByRole('button', { name: new RegExp(name) })
    .click();
  await expect(page).toHaveURL(/\/dashboard$/);
});
