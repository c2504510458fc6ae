import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Download, Page } from '@playwright/test';
import { expectAccessible } from '../support/accessibility.js';
import { unique } from '../support/api.js';
import { nimo } from '../support/command-line.js';
import { expect, test } from '../support/journey.js';

async function downloadBy(page: Page, button: string): Promise<Download> {
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: button, exact: true }).click();
  return download;
}

let folder: string;
test.beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'nimo-proof-'));
});
test.afterAll(() => rm(folder, { recursive: true, force: true }));

test('an exported audit verifies itself and names an altered entry', async ({ api, product, openAs }) => {
  const [author, voter, moderator] = await Promise.all([api.newStudent(), api.newStudent(), api.moderator()]);
  const questionId = await api.ask(author, unique('Is this proven?'));
  await api.upvote(voter, questionId);

  const page = await openAs(moderator, '/audit/proof');
  await expect(page.getByRole('heading', { name: 'Proof', level: 1 })).toBeVisible();
  await expect(page.getByRole('region', { name: 'Hash chain' })).toContainText(/[0-9a-f]{64}/);
  await expect(page.getByRole('region', { name: 'Public key' })).toContainText('BEGIN PUBLIC KEY');
  await expectAccessible(page, 'the proof');

  const file = join(folder, 'audit.ndjson');
  await (await downloadBy(page, 'Export NDJSON with proof')).saveAs(file);
  expect(await nimo(product.dataDir, 'log', 'prove', file)).toEqual({
    code: 0,
    output: expect.stringContaining('Proven:'),
  });

  const text = await readFile(file, 'utf8');
  const altered = join(folder, 'altered.ndjson');
  const other = text.replace('"direction":"UP"', '"direction":"DOWN"');
  expect(other).not.toBe(text);
  await writeFile(altered, other);
  expect(await nimo(product.dataDir, 'log', 'prove', altered)).toEqual({
    code: 3,
    output: expect.stringContaining('NOT PROVEN'),
  });
});

test('a filtered audit is exported with its proof', async ({ api, product, openAs }) => {
  const [author, voter, moderator] = await Promise.all([api.newStudent(), api.newStudent(), api.moderator()]);
  const questionId = await api.ask(author, unique('Is this line proven?'));
  await api.upvote(voter, questionId);

  const page = await openAs(moderator, `/audit?view=post&of=${questionId}`);
  await expect(page.getByRole('table', { name: 'Audit entries' }).getByRole('row')).toHaveCount(2);
  await page.getByRole('checkbox', { name: 'With proof' }).check();
  const download = await downloadBy(page, 'Export CSV');
  expect(download.suggestedFilename()).toMatch(/-proven\.csv$/);
  const file = join(folder, 'post.csv');
  await download.saveAs(file);
  expect(await nimo(product.dataDir, 'log', 'prove', file, '--json')).toEqual({
    code: 0,
    output: expect.stringMatching(/"proven": ?1\b/),
  });
});
