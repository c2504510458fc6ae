import { readFile } from 'node:fs/promises';
import { expectAccessible } from './support/accessibility.js';
import { unique } from './support/api.js';
import { expect, test } from './support/journey.js';

test('a moderator follows the votes on a post to their events, and takes them away as a file', async ({
  api,
  openAs,
}) => {
  const [author, voter, moderator] = await Promise.all([api.newStudent(), api.newStudent(), api.moderator()]);
  const title = unique('Who voted for this?');
  const questionId = await api.ask(author, title);
  await api.upvote(voter, questionId);
  await api.upvote(voter, questionId);

  const page = await openAs(moderator, '/audit');
  await page.setViewportSize({ width: 1440, height: 900 });
  await expect(page.getByRole('heading', { name: 'Audit', level: 1 })).toBeVisible();
  await page.getByText('Post', { exact: true }).first().click();
  await page.getByRole('textbox', { name: 'Post' }).fill(`${api.url}/question/${questionId}`);
  await page.keyboard.press('Enter');
  const rows = page.getByRole('table', { name: 'Lines of the audit' }).getByRole('row');
  await expect(rows).toHaveCount(3);
  await expect(rows.nth(1)).toContainText('Upvote taken back');
  await expect(rows.nth(1).getByRole('img', { name: 'Merit −50' })).toBeVisible();
  await expect(rows.nth(2).getByRole('img', { name: 'Impact +1' })).toBeVisible();
  await expectAccessible(page, 'the audit of a post');

  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'CSV', exact: true }).click();
  const file = await readFile(await (await download).path(), 'utf8');
  expect(file.trimEnd().split('\r\n')).toHaveLength(3);
  expect(file).toContain(voter.userName);

  await rows
    .nth(2)
    .getByRole('link', { name: /^Event no\./ })
    .click();
  await expect(page.getByRole('heading', { name: /^Event no\./, level: 1 })).toBeVisible();
  await expect(page.getByText(`vote-${questionId}-${voter._id}`)).toBeVisible();
  await expectAccessible(page, 'an event');
  await page.getByRole('link', { name: 'History of the post' }).click();
  await expect(rows).toHaveCount(3);
});

test('a student finds no audit', async ({ api, openAs }) => {
  const page = await openAs(await api.newStudent(), '/audit');
  await expect(page.getByRole('heading', { name: 'There is nothing here' })).toBeVisible();
});
