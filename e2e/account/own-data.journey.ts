import { createReadStream } from 'node:fs';
import { buffer } from 'node:stream/consumers';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { unzipped } from '../../test/unzipped.js';
import { expectAccessible } from '../support/accessibility.js';
import { newPhone } from '../support/api.js';
import { expect, test } from '../support/journey.js';

const CODE = /\b\d{6}\b/;

interface Sent {
  readonly recipient: string;
  readonly text: string;
}

/** The latest six-digit code sent to the recipient. */
async function codeTo(url: string, recipient: string): Promise<string> {
  let code: string | undefined;
  await expect
    .poll(async () => {
      const { messages } = (await (await fetch(`${url}/dev/outbox.json`)).json()) as { messages: Sent[] };
      const texts = messages.filter((sent) => sent.recipient === recipient).map(({ text }) => text);
      code = texts.map((text) => CODE.exec(text)?.[0]).find((found) => found !== undefined);
      return code;
    })
    .toBeDefined();
  return code ?? '';
}

test('a student changes the phone number with codes sent to both numbers', async ({ api, openAs }) => {
  const student = await api.newStudent();
  const page = await openAs(student, '/setting');
  await page.getByRole('button', { name: 'Change mobile number' }).click();
  const dialog = page.getByRole('dialog', { name: 'Mobile number' });
  await expectAccessible(page, 'settings, another phone');
  const phone = newPhone();
  await dialog.getByRole('textbox', { name: 'Mobile number' }).fill(phone);
  await dialog.getByRole('textbox', { name: 'Password' }).fill(student.password);
  await dialog.getByRole('button', { name: 'Send codes' }).click();
  await dialog
    .getByLabel(`Code sent to …${student.phone.slice(-4)}`)
    .fill(await codeTo(api.url, `+91${student.phone}`));
  await dialog.getByLabel(`Code sent to …${phone.slice(-4)}`).fill(await codeTo(api.url, `+91${phone}`));
  await dialog.getByRole('button', { name: 'Change mobile number' }).click();
  await expect(page.getByText('Mobile number changed.')).toBeVisible();
  await expect(page.getByText(`+91${phone}`)).toBeVisible();
});

test('a student without an email address adds one with codes sent to the phone and the address', async ({
  api,
  openAs,
}) => {
  const student = await api.newStudent();
  const page = await openAs(student, '/setting');
  await page.getByRole('button', { name: 'Add email' }).click();
  const dialog = page.getByRole('dialog', { name: 'Email' });
  const email = `${student.userName}@school.example`;
  await dialog.getByRole('textbox', { name: 'New email' }).fill(email);
  await dialog.getByRole('textbox', { name: 'Password' }).fill(student.password);
  await dialog.getByRole('button', { name: 'Send codes' }).click();
  const [own, added] = [
    dialog.getByLabel(/^Code sent to/).first(),
    dialog.getByLabel(/^Code sent to/).last(),
  ];
  await own.fill(await codeTo(api.url, `+91${student.phone}`));
  await added.fill(await codeTo(api.url, email));
  await dialog.getByRole('button', { name: 'Change email' }).click();
  await expect(page.getByText(/^Email changed/)).toBeVisible();
  await expect(page.getByRole('paragraph').filter({ hasText: email })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Change email' })).toBeVisible();
});

test('a student downloads all own data and opens it offline', async ({ api, openAs, browser }) => {
  const student = await api.newStudent({ about: 'I like maps' });
  const question = await api.ask(student, 'What is in my copy?', { body: '<p>These very words.</p>' });
  await api.comment(student, question, 'And these');
  const page = await openAs(student, '/setting?tab=ownData');
  await page.getByRole('button', { name: 'Prepare a copy' }).click();
  const button = page.getByRole('button', { name: 'Download ZIP' });
  await expect(button).toBeVisible();
  await expectAccessible(page, 'settings, own data');
  const [download] = await Promise.all([page.waitForEvent('download'), button.click()]);
  expect(download.suggestedFilename()).toMatch(/^nimo-data-[\d-]+\.zip$/);
  const files = await unzipped(await buffer(createReadStream(await download.path())));
  const data = JSON.parse(String(files.get('data.json'))) as { questions: { title: string }[] };
  expect(data.questions.map(({ title }) => title)).toEqual(['What is in my copy?']);

  const folder = await mkdtemp(join(tmpdir(), 'nimo-copy-'));
  await writeFile(join(folder, 'index.html'), files.get('index.html') ?? '');
  const reader = await browser.newPage();
  await reader.goto(pathToFileURL(join(folder, 'index.html')).href);
  await expect(reader.getByRole('heading', { name: 'Your Nimo data' })).toBeVisible();
  await expect(reader.getByText('These very words.')).toBeVisible();
  await expect(reader.getByText('I like maps')).toBeVisible();
  await expect(reader.getByText(`91${student.phone}`)).toBeVisible();
  await reader.close();
  await rm(folder, { recursive: true });
});
