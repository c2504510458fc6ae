import type { BrowserContext, Page } from '@playwright/test';
import { ATTACKS } from '@nimo/rich-text/testing';
import { unique, type NimoApi, type Student } from '../support/api.js';
import { openAsk } from '../support/composer.js';
import { expect, test } from '../support/journey.js';

const CONCURRENCY = 6;
const QUESTIONS_WITH_TITLES = 20;
/** Elements and attributes that posts must not add to a page. */
const FOREIGN = `[...document.querySelectorAll('*')].filter((element) =>
  /^(?:iframe|frame|frameset|object|embed|base|marquee|portal|dialog|audio|video)$/.test(element.localName) ||
  (element.localName === 'script' && element.type !== 'application/ld+json' && !element.src.startsWith(location.origin)) ||
  [...element.attributes].some(({ name, value }) => /^on/i.test(name) || /^\\s*(?:javascript|data|vbscript):/i.test(value) && name !== 'data-source')
).map((element) => element.outerHTML.slice(0, 200))`;

/** Collects dialogs: every attack script would open one. */
function watchForScripts(context: BrowserContext): string[] {
  const ran: string[] = [];
  context.on('dialog', (dialog) => {
    ran.push(dialog.message());
    void dialog.dismiss();
  });
  return ran;
}

async function inBatches<T>(all: readonly T[], send: (each: T) => Promise<unknown>): Promise<void> {
  for (let from = 0; from < all.length; from += CONCURRENCY)
    await Promise.all(all.slice(from, from + CONCURRENCY).map(send));
}

function inTens<T>(all: readonly T[]): T[][] {
  return Array.from({ length: Math.ceil(all.length / 10) }, (_, index) =>
    all.slice(index * 10, index * 10 + 10),
  );
}

/** Some attacks are rejected: an empty body, a title of four hundred characters. */
const ignoreRejection = (sending: Promise<unknown>): Promise<unknown> => sending.catch(() => undefined);

async function seedThread(api: NimoApi, student: Student): Promise<string> {
  const questionId = await api.ask(student, unique('What do these do?'));
  await inBatches(ATTACKS, ({ text }) =>
    ignoreRejection(api.answer(student, questionId, `<p>seen</p>${text}`)),
  );
  // Attacks work next to each other, so a comment contains many.
  await inBatches(inTens(ATTACKS), (ten) =>
    ignoreRejection(
      api.comment(
        student,
        questionId,
        ten
          .map(({ text }) => text)
          .join('\n')
          .slice(0, 5000),
      ),
    ),
  );
  return questionId;
}

async function showAll(page: Page, name: string): Promise<void> {
  const button = page.getByRole('button', { name });
  while (await button.first().isVisible()) {
    await button.first().click();
    await expect(page.locator('[data-loading]')).toHaveCount(0);
  }
}

async function expectUnharmed(page: Page, ran: readonly string[]): Promise<void> {
  expect(await page.evaluate(FOREIGN), 'elements from a post').toEqual([]);
  expect(ran, 'scripts that ran').toEqual([]);
  // Nothing covers the page, and it responds.
  await expect(page.getByRole('link', { name: /Nimo Ask|Log in|Back/ }).first()).toBeVisible();
}

test('two hundred attacks in answers, comments and titles run no scripts and break no page', async ({
  api,
  openAs,
  page: visitor,
}) => {
  const author = await api.newStudent({
    firstName: '<img src=x onerror=alert(1)>',
    lastName: '{{constructor}}',
    about: '<script>alert(1)</script>',
  });
  const questionId = await seedThread(api, author);
  await inBatches(ATTACKS.slice(0, QUESTIONS_WITH_TITLES), ({ text }) =>
    ignoreRejection(api.ask(author, text, { body: text })),
  );

  const reader = await api.newStudent();
  const page = await openAs(reader, `/singleQuestion/${questionId}/home`);
  const ran = watchForScripts(page.context());
  await expect(page.getByRole('article', { name: /^Answer by/ }).first()).toBeVisible();
  await showAll(page, 'Load more answers');
  await page.getByRole('button', { name: 'View all' }).first().click();
  await showAll(page, 'Load more comments');
  await expect(page.getByRole('article', { name: /^Answer by/ }).nth(150)).toBeAttached();
  await page.keyboard.press('End');
  await expectUnharmed(page, ran);

  await page.goto('/dashboard');
  await expect(page.getByRole('article', { name: /^Question:/ })).toBeVisible();
  await expectUnharmed(page, ran);

  // The server renders this page, and the app hydrates it.
  const ranForVisitors = watchForScripts(visitor.context());
  await visitor.goto(`/question/${questionId}`);
  await expect(visitor.getByText('What do these do?').first()).toBeVisible();
  expect(await visitor.evaluate(FOREIGN)).toEqual([]);
  expect(ranForVisitors).toEqual([]);
});

test('a draft full of attacks is harmless in the editor and its preview', async ({ api, openAs }) => {
  const student = await api.newStudent();
  const { space } = await api.filing(student.token);
  // Bypasses the policy, which reports even content parsed in a separate document, so that only the sanitiser protects.
  const page = await openAs(student, '/dashboard', { bypassCSP: true });
  const ran = watchForScripts(page.context());
  const body = ATTACKS.filter(({ kind }) => kind !== 'size' && kind !== 'code')
    .map(({ text }) => `<p>seen</p>${text}`)
    .join('');
  const key = `draft:${student._id}:space:${space._id}`;
  const draft = JSON.stringify({ title: '<b>x</b>', body });
  await page.evaluate(`localStorage.setItem(${JSON.stringify(key)}, ${JSON.stringify(draft)})`);
  await page.reload();
  const dialog = await openAsk(page);
  await expect(dialog.getByText('Draft restored.')).toBeVisible();
  await expect(dialog.getByRole('region', { name: 'Preview' })).toContainText('seen');
  await expect(dialog.getByRole('textbox', { name: 'Description (optional)' })).toContainText('seen');
  expect(await page.evaluate(FOREIGN)).toEqual([]);
  expect(ran).toEqual([]);
});
