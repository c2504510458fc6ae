import { expectAccessible } from '../support/accessibility.js';
import { newUserName, unique, type Named } from '../support/api.js';
import { expect, test } from '../support/journey.js';

test('a maintainer creates a space with a subject and a topic, and a student joins and asks there', async ({
  api,
  openAs,
}) => {
  const [space, question] = [unique('Astronomy club'), unique('Why do stars twinkle?')];
  const page = await openAs(await api.maintainer(), '/maintenance/content/spaces');
  await page.getByRole('button', { name: 'New space' }).click();
  const spaceDialog = page.getByRole('dialog', { name: 'New space' });
  await spaceDialog.getByRole('textbox', { name: 'Name' }).fill(space);
  await spaceDialog.getByRole('textbox', { name: 'Description' }).fill('For clear nights.');
  await expectAccessible(page, 'the space form');
  await spaceDialog.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByRole('status')).toContainText('Saved');
  await expectAccessible(page, 'the list of spaces');

  await page.getByRole('link', { name: space }).click();
  await expect(page.getByRole('heading', { name: space })).toBeVisible();
  await page.getByRole('button', { name: 'New subject' }).click();
  const subjectDialog = page.getByRole('dialog', { name: 'New subject' });
  await subjectDialog.getByRole('textbox', { name: 'Name' }).fill('Optics');
  await subjectDialog.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('button', { name: 'New topic' }).click();
  const topicDialog = page.getByRole('dialog', { name: 'New topic' });
  await topicDialog.getByRole('textbox', { name: 'Name' }).fill('Telescopes');
  await topicDialog.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByRole('row', { name: /Telescopes/ })).toBeVisible();
  await expectAccessible(page, 'a space with its subjects and topics');
  await page.getByRole('link', { name: 'View in audit log' }).click();
  await expect(page).toHaveURL(/\/audit\/\d+$/);
  await expect(page.getByRole('main')).toContainText('Telescopes');

  const student = await api.newStudent({ joins: false });
  const hers = await openAs(student, '/space');
  await hers.getByRole('button', { name: new RegExp(`${space}.*Join Space`) }).click();
  await hers.getByRole('dialog').getByRole('button', { name: 'Join Space' }).click();
  await expect(hers).toHaveURL(/\/dashboard$/);
  const { getSpaces } = await api.graphql<{ getSpaces: Named[] }>(
    '{ getSpaces { _id name } }',
    {},
    student.token,
  );
  const spaceId = getSpaces.find(({ name }) => name === space)?._id;
  const { getSubjectsForSpace } = await api.graphql<{ getSubjectsForSpace: Named[] }>(
    'query($id: ID!) { getSubjectsForSpace(id: $id) { _id name: subjectName } }',
    { id: spaceId },
    student.token,
  );
  expect(getSubjectsForSpace.map(({ name }) => name)).toEqual(['Optics']);
  const { getSubjectTopics } = await api.graphql<{ getSubjectTopics: Named[] }>(
    'query($ids: [ID!]!) { getSubjectTopics(subjects: $ids) { _id name: topicName } }',
    { ids: getSubjectsForSpace.map(({ _id }) => _id) },
    student.token,
  );
  await api.graphql(
    `mutation($space: ID!, $subject: ID!, $topic: ID!, $title: String!) {
      createQuestion(space: $space, subject: $subject, topic: $topic, title: $title, body: "<p>They do.</p>") { _id }
    }`,
    {
      space: spaceId,
      subject: getSubjectsForSpace[0]?._id,
      topic: getSubjectTopics.find(({ name }) => name === 'Telescopes')?._id,
      title: question,
    },
    student.token,
  );
  await hers.reload();
  await expect(hers.getByRole('link', { name: question }).first()).toBeVisible();
});

test('assigning a role opens its area, and removing it closes the area', async ({ api, openAs }) => {
  const student = await api.newStudent({ userName: newUserName('guide') });
  const hers = await openAs(student, '/moderation');
  await expect(hers.getByRole('heading', { name: 'Moderation' })).toHaveCount(0);
  await hers.goto('/setting');
  await expect(hers.getByRole('tab', { name: 'Student settings' })).toBeVisible();
  await expect(hers.getByRole('tab', { name: 'Teacher setting' })).toHaveCount(0);

  const page = await openAs(await api.maintainer(), '/maintenance/content/roles');
  await page.getByRole('button', { name: 'Grant role' }).click();
  const dialog = page.getByRole('dialog', { name: 'Grant role' });
  await dialog.getByRole('searchbox', { name: 'Find a student' }).fill(student.userName);
  await dialog.getByRole('radio', { name: new RegExp(student.userName) }).check();
  await dialog.getByRole('combobox', { name: 'Space' }).selectOption({ label: 'Greenfield High' });
  await expectAccessible(page, 'the role form');
  await dialog.getByRole('button', { name: 'Grant', exact: true }).click();
  const row = page.getByRole('row', { name: new RegExp(student.userName) });
  await expect(row).toContainText('Greenfield High');
  await expectAccessible(page, 'the roles');

  await hers.goto('/setting');
  await hers.getByRole('tab', { name: 'Teacher setting' }).click();
  await hers.getByRole('link', { name: 'Go to moderation' }).click();
  await expect(hers).toHaveURL(/\/moderation/);
  await expect(hers.getByRole('navigation', { name: 'Areas' })).toBeVisible();
  await hers.goto('/maintenance/content/roles');
  await expect(hers.getByRole('heading', { name: 'Roles' })).toHaveCount(0);

  await row.getByRole('button', { name: `Revoke ${student.userName}’s role` }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
  await expect(row).toHaveCount(0);
  await hers.goto('/moderation');
  await expect(hers.getByRole('navigation', { name: 'Areas' })).toHaveCount(0);
});

test('a retired avatar is not offered until it is restored', async ({ api, openAs }) => {
  const student = await api.newStudent();
  const offered = async () => {
    const { getAvatars } = await api.graphql<{ getAvatars: { urls: string[] }[] }>(
      '{ getAvatars { urls } }',
      {},
      student.token,
    );
    return getAvatars.flatMap(({ urls }) => urls).length;
  };
  const before = await offered();
  const page = await openAs(await api.maintainer(), '/maintenance/content/avatars');
  const retire = page.getByRole('button', { name: /^Retire / }).first();
  const name = (await retire.getAttribute('aria-label'))?.replace('Retire ', '') ?? '';
  await retire.click();
  const restore = page.getByRole('button', { name: `Restore ${name}` });
  await expect(restore).toBeVisible();
  expect(await offered()).toBe(before - 1);
  await expectAccessible(page, 'the avatars');
  await restore.click();
  await expect(page.getByRole('button', { name: `Retire ${name}`, exact: true })).toBeVisible();
  expect(await offered()).toBe(before);
});

test.describe('a blocked student', () => {
  test.use({ expectedErrors: [/401|UNAUTHENTICATED/] });

  test('is signed out, and can log in again once unblocked', async ({ api, openAs }) => {
    const student = await api.newStudent({ userName: newUserName('blocked') });
    const hers = await openAs(student, '/dashboard');
    const page = await openAs(await api.maintainer(), '/maintenance/content/students');
    await page.getByRole('searchbox', { name: 'Find a student' }).fill(student.userName);
    await page.getByRole('button', { name: `Block ${student.userName}`, exact: true }).click();
    const dialog = page.getByRole('dialog', { name: `Block ${student.userName}?` });
    await dialog.getByRole('textbox', { name: 'Reason' }).fill('Sells homework');
    await dialog.getByRole('button', { name: 'Block' }).click();
    await expect(page.getByRole('row', { name: new RegExp(student.userName) })).toContainText('Blocked');
    await expectAccessible(page, 'the students');
    await hers.goto('/setting');
    await expect(hers).toHaveURL(/\/login/);

    await page.getByRole('button', { name: `Unblock ${student.userName}` }).click();
    const unblocking = page.getByRole('dialog', { name: `Unblock ${student.userName}?` });
    await unblocking.getByRole('textbox', { name: 'Reason (optional)' }).fill('Not the one who sold it');
    await expectAccessible(page, 'unblock a student');
    await unblocking.getByRole('button', { name: 'Unblock' }).click();
    await expect(page.getByRole('row', { name: new RegExp(student.userName) })).toContainText('Active');
    await hers.getByRole('textbox', { name: 'Username' }).fill(student.userName);
    await hers.getByLabel(/^Password/).fill(student.password);
    await hers.getByRole('button', { name: 'Log In' }).click();
    await expect(hers).not.toHaveURL(/\/login/);
  });
});
