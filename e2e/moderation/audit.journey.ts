import { readFile } from 'node:fs/promises';
import { expectAccessible } from '../support/accessibility.js';
import { unique } from '../support/api.js';
import { expect, test } from '../support/journey.js';

test('a moderator traces the votes on a post to their events and exports them', async ({ api, openAs }) => {
  const [author, voter, moderator] = await Promise.all([api.newStudent(), api.newStudent(), api.moderator()]);
  const title = unique('Who voted for this?');
  const questionId = await api.ask(author, title);
  await api.upvote(voter, questionId);
  await api.upvote(voter, questionId);

  const page = await openAs(moderator, '/audit');
  await page.setViewportSize({ width: 1440, height: 900 });
  await expect(page.getByRole('heading', { name: 'Audit log', level: 1 })).toBeVisible();
  await page.getByText('Post', { exact: true }).first().click();
  // Before that, the field of that name is the filter of the space's history.
  await expect(page.getByRole('button', { name: 'Show', exact: true })).toBeVisible();
  await page.getByRole('textbox', { name: 'Post' }).fill(`${api.url}/question/${questionId}`);
  await page.keyboard.press('Enter');
  const rows = page.getByRole('table', { name: 'Audit entries' }).getByRole('row');
  await expect(rows).toHaveCount(3);
  await expect(rows.nth(1)).toContainText('Upvote withdrawn');
  await expect(rows.nth(1).getByRole('img', { name: 'Merit −50' })).toBeVisible();
  await expect(rows.nth(2).getByRole('img', { name: 'Impact +1' })).toBeVisible();
  await expectAccessible(page, 'the audit of a post');

  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Export CSV', exact: true }).click();
  const file = await readFile(await (await download).path(), 'utf8');
  // The heading, two entries and their sums.
  expect(file.trimEnd().split('\r\n')).toHaveLength(4);
  expect(file).toContain(voter.userName);

  await rows
    .nth(2)
    .getByRole('link', { name: /^Event \d/ })
    .click();
  await expect(page.getByRole('heading', { name: /^Event \d/, level: 1 })).toBeVisible();
  await expect(page.getByText(`vote-${questionId}-${voter._id}`)).toBeVisible();
  await expectAccessible(page, 'an event');
  await page.getByRole('link', { name: 'Post history' }).click();
  await expect(rows).toHaveCount(3);
});

test('a moderator filters the audit by voter and minute, and reviews the votes of an entry', async ({
  api,
  openAs,
}) => {
  const [author, voter, other, moderator] = [
    await api.newStudent(),
    await api.newStudent(),
    await api.newStudent(),
    await api.moderator(),
  ];
  const title = unique('Whose votes are these?');
  const questionId = await api.ask(author, title);
  await api.upvote(voter, questionId);
  await api.upvote(other, questionId);

  const page = await openAs(moderator, `/audit?view=post&of=${questionId}`);
  const rows = page.getByRole('table', { name: 'Audit entries' }).getByRole('row');
  await expect(rows).toHaveCount(3);
  await page.getByRole('textbox', { name: 'Voter' }).fill(voter.userName);
  await page.keyboard.press('Enter');
  await expect(rows).toHaveCount(2);
  await expect(page).toHaveURL(new RegExp(`voter=${voter._id}`));
  await page.getByLabel('To', { exact: true }).fill('2020-01-31T12:30');
  await expect(page.getByRole('heading', { name: 'No matching entries' })).toBeVisible();
  await page.getByLabel('To', { exact: true }).fill('');
  await expect(rows).toHaveCount(2);
  await expectAccessible(page, 'the audit of one voter');
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Export CSV', exact: true }).click();
  const file = await readFile(await (await download).path(), 'utf8');
  // The heading, one entry and its sums.
  expect(file.trimEnd().split('\r\n')).toHaveLength(3);

  await page.getByRole('link', { name: /^Review the votes of event / }).click();
  await expect(page.getByRole('heading', { name: 'Select votes manually' })).toBeVisible();
  await expect(page.getByRole('textbox', { name: 'Voter' })).toHaveValue(voter.userName);
  await expect(page.getByRole('textbox', { name: 'Author' })).toHaveValue(author.userName);
  const votes = page.getByRole('table', { name: 'Votes' }).getByRole('row');
  await expect(votes).toHaveCount(2);
  await expectAccessible(page, 'the votes of one entry');
  await page.getByRole('button', { name: 'Clear filter: Voter' }).click();
  await expect(votes).toHaveCount(3);
  await page.getByRole('button', { name: 'Clear filter: Author' }).click();
  await page.getByRole('textbox', { name: 'Voter' }).fill(other.userName);
  await page.keyboard.press('Enter');
  await expect(votes).toHaveCount(2);
  await page.getByRole('checkbox', { name: 'Select all votes on this page' }).check();
  await page.getByRole('textbox', { name: 'Reason' }).fill('Looked at from the audit');
  await page.getByRole('button', { name: 'Preview effect' }).click();
  await expect(page.getByRole('table', { name: 'Effect on students' })).toContainText(author.userName);
});

test('a student cannot open the audit', async ({ api, openAs }) => {
  const page = await openAs(await api.newStudent(), '/audit');
  await expect(page.getByRole('heading', { name: 'This page doesn’t exist' })).toBeVisible();
});
