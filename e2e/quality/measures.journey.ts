import type { Locator, Page } from '@playwright/test';
import { unique } from '../support/api.js';
import { openFilters, unfold } from '../support/dashboard.js';
import { openAsk } from '../support/composer.js';
import { expect, test } from '../support/journey.js';

/** Number of cards that fit into the visible part of a row. */
async function cardsInView(list: Locator): Promise<number> {
  const cards = list.getByRole('listitem');
  const [row, first, second] = await Promise.all(
    [list, cards.nth(0), cards.nth(1)].map((part) => part.boundingBox()),
  );
  if (!row || !first || !second) return 0;
  const step = second.x - first.x;
  return Math.round((row.width + step - first.width) / step);
}

const rows = (page: Page) => ({
  questions: page.getByRole('list', { name: 'Unsolved Questions' }),
  topics: page.getByRole('list', { name: 'All Topics' }),
});

test('the carousels show as many cards as fit the width', async ({ api, openAs }) => {
  const student = await api.newStudent();
  for (const title of ['One', 'Two']) await api.ask(student, unique(title));
  const page = await openAs(student, '/dashboard');
  await unfold(page, 'Unsolved Questions');
  await unfold(page, 'All Topics');
  for (const [width, questions, topics] of [
    [3200, 5, 5],
    [1440, 3, 6],
    [1024, 3, 6],
  ] as const) {
    await page.setViewportSize({ width, height: 900 });
    await expect.poll(() => cardsInView(rows(page).questions), `questions at ${width}`).toBe(questions);
    await expect.poll(() => cardsInView(rows(page).topics), `topics at ${width}`).toBe(topics);
  }
});

test('the options of a filter stay within their maximum height', async ({ api, openAs }) => {
  const page = await openAs(await api.newStudent(), '/dashboard');
  await (await openFilters(page)).getByRole('combobox', { name: 'Subject' }).click();
  const choices = page.getByRole('listbox');
  await expect(choices).toBeVisible();
  expect((await choices.boundingBox())?.height).toBeLessThanOrEqual(130);
});

test('the toolbar has the specified controls in the specified order', async ({ api, openAs }) => {
  const page = await openAs(await api.newStudent(), '/dashboard');
  await openAsk(page);
  const toolbar = page.getByRole('toolbar', { name: 'Formatting' });
  await expect(toolbar).toBeVisible();
  const names = await toolbar
    .getByRole('button')
    .evaluateAll((buttons) =>
      buttons.map((button) => button.getAttribute('aria-label') ?? button.textContent),
    );
  const expected = [
    'Bold',
    'Paragraph style',
    'Font size',
    'Font family',
    'Bullet list',
    'Alignment',
    'Colour',
    'Link',
    'Emoji',
  ];
  expect(names.filter((name) => expected.includes(name))).toEqual(expected);
});
