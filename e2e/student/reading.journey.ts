import { randomUUID } from 'node:crypto';
import type { Locator, Page } from '@playwright/test';
import { unique } from '../support/api.js';
import { unfold } from '../support/dashboard.js';
import { expect, test } from '../support/journey.js';

/** Pixels by which an element overflows its container on the right. */
async function overflowOf(inner: Locator, outer: Locator): Promise<number> {
  const [a, b] = [await inner.boundingBox(), await outer.boundingBox()];
  if (!a || !b) throw new Error('not rendered');
  return a.x + a.width - (b.x + b.width);
}

const scrollsSideways = (page: Page) =>
  page.evaluate<boolean>('document.documentElement.scrollWidth > document.documentElement.clientWidth');

test('a username of 50 characters fits into every screen', async ({ api, openAs }) => {
  const userName = `${'w'.repeat(41)}_${randomUUID().slice(0, 8)}`;
  const student = await api.newStudent({ userName });
  const questionId = await api.ask(student, unique('Whose name is this long?'));
  const page = await openAs(student, '/profile');
  const heading = page.getByRole('heading', { level: 1, name: userName });
  const person = page.getByRole('region', { name: 'My Profile' });
  const counter = person.locator('dl');
  await expect(heading).toBeVisible();
  const [name, counters] = [await heading.boundingBox(), await counter.boundingBox()];
  expect((name?.x ?? 0) + (name?.width ?? 0)).toBeLessThanOrEqual(counters?.x ?? 0);
  for (const address of [
    '/profile',
    '/dashboard?myQuestions=true',
    `/singleQuestion/${questionId}/home`,
    '/leaderboard',
    `/search?text=${userName}&tab=people`,
    '/setting',
  ]) {
    await page.goto(address);
    await expect(page.getByText(userName).first()).toBeVisible();
    expect(await scrollsSideways(page), address).toBe(false);
  }
});

test('cards render formulas in titles and bodies', async ({ api, openAs }) => {
  const student = await api.newStudent();
  const title = unique('When is $x^2>0$');
  await api.ask(student, title, { body: '<p>And <code class="nimo-math">\\frac{1}{2}</code> of it?</p>' });
  const page = await openAs(student, '/dashboard?myQuestions=true');
  const card = page.getByRole('list', { name: 'RECENTLY POSTED' }).getByRole('article').first();
  await expect(card.locator('.katex')).toHaveCount(2);
  await expect(card.locator('h3 .katex-html')).not.toContainText('$');
  await expect(card).not.toContainText('<code');
});

test('bullets of an answer are filled, and the carousel starts with one’s own question', async ({
  api,
  openAs,
}) => {
  const student = await api.newStudent();
  const [first, second] = [unique('Asked before'), unique('Asked just now')];
  const questionId = await api.ask(student, first);
  await api.answer(await api.newStudent(), questionId, '<ul><li>one</li></ul>');
  const page = await openAs(student, `/singleQuestion/${questionId}/home`);
  const bullets = page.getByRole('article', { name: /^Answer by/ }).locator('ul:has(> li:text-is("one"))');
  await expect(bullets).toHaveCSS('list-style-type', 'disc');

  await page.getByRole('link', { name: 'Nimo Ask' }).click();
  await unfold(page, 'Unsolved Questions');
  const strip = page.getByRole('region', { name: 'Unsolved Questions' }).getByRole('list');
  await expect(strip.getByRole('link', { name: first })).toBeVisible();
  await page.getByRole('link', { name: 'Leaderboard' }).click();
  await api.ask(student, second);
  await page.getByRole('link', { name: 'Nimo Ask' }).click();
  await expect(strip.getByRole('listitem').first()).toContainText(second);
  await expect.poll(() => strip.evaluate((element) => element.scrollLeft)).toBe(0);
});

test('a phone does not truncate the labels of a public question', async ({ api, page }) => {
  const author = await api.newStudent();
  const questionId = await api.ask(author, unique('Read on a phone'));
  await page.setViewportSize({ width: 360, height: 740 });
  await page.goto(`/question/${questionId}`);
  const article = page.getByRole('article', { name: /^Question:/ });
  const { subject, topic } = await api.filing(author.token);
  for (const { name } of [subject, topic]) {
    const label = article.getByText(name, { exact: true });
    await expect(label).toBeVisible();
    expect(await label.evaluate((element) => element.scrollWidth - element.clientWidth)).toBeLessThanOrEqual(
      0,
    );
    expect(await overflowOf(label, article)).toBeLessThanOrEqual(0);
  }
  expect(await scrollsSideways(page)).toBe(false);
});
