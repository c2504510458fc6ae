import type { Locator } from '@playwright/test';
import { expectAccessible } from '../support/accessibility.js';
import { unique } from '../support/api.js';
import { openAsk } from '../support/composer.js';
import { expect, test } from '../support/journey.js';

const NO_RESULTS = 'Opps! No result were found for your query. Try a different one!';

test(
  'the search box on every page opens the search, and a typo still finds the question',
  { tag: '@core' },
  async ({ api, openAs }) => {
    const [asker, helper] = await Promise.all([api.newStudent(), api.newStudent()]);
    const mark = unique('').trim();
    const title = `How does photosynthesis store energy? ${mark}`;
    const questionId = await api.ask(asker, title);
    await api.answer(helper, questionId, '<p>In the bonds of glucose.</p>');
    await api.comment(helper, questionId, 'Which plant?');

    const page = await openAs(asker, '/leaderboard');
    const box = page.getByRole('searchbox', { name: 'Search' });
    await box.click();
    await expect(page).toHaveURL(/\/search$/);
    await expect(box).toBeFocused();
    await expect(page.getByText('What are you looking for?')).toBeVisible();
    await expect(page.getByRole('group', { name: 'Filters' })).toHaveCount(0);
    await expectAccessible(page, 'search without text');

    await page.keyboard.type(`photosynthsis ${mark}`);
    const hit = page.getByRole('list', { name: 'Search results' }).getByRole('link', { name: title });
    await expect(hit).toBeVisible();
    await expect(hit.locator('mark').first()).toBeVisible();
    await expect(page).toHaveURL(/\/search\?text=photosynthsis/);
    await hit.click();
    const panel = page.getByRole('region', { name: 'Selected question' });
    await expect(panel).toContainText('In the bonds of glucose.');
    await expect(panel).toContainText('Which plant?');
    await expectAccessible(page, 'search with a selected result');
    await page.reload();
    await expect(panel).toContainText('In the bonds of glucose.');
    await expect(box).toHaveValue(`photosynthsis ${mark}`);
    await panel.getByRole('button', { name: 'Close question' }).click();
    await expect(panel).toHaveCount(0);

    await page.getByRole('tab', { name: 'People' }).click();
    await box.fill(helper.userName);
    await expect(page.getByRole('link', { name: helper.userName })).toHaveAttribute(
      'href',
      /nimorisingstarsingle\?id=/,
    );
    await expectAccessible(page, 'people found');
  },
);

test('a slow device loses no characters and no tab selection', async ({ api, openAs }) => {
  const asker = await api.newStudent();
  const page = await openAs(asker, '/search');
  const box = page.getByRole('searchbox', { name: 'Search' });
  await expect(box).toBeFocused();
  const device = await page.context().newCDPSession(page);
  await device.send('Emulation.setCPUThrottlingRate', { rate: 30 });
  const text = `photosynthesis ${unique('').trim()}`;
  // Slower than the debounce of the URL.
  await page.keyboard.type(text, { delay: 400 });
  await expect(box).toHaveValue(text);
  const people = page.getByRole('tab', { name: 'People' });
  await people.click();
  await box.fill(asker.userName);
  await expect(page).toHaveURL(new RegExp(`text=${asker.userName}`));
  await expect(people).toHaveAttribute('aria-selected', 'true');
  await expect(page.getByRole('link', { name: asker.userName })).toBeVisible();
});

test('filters narrow a search and are cleared without clearing its text', async ({ api, openAs }) => {
  const [asker, helper] = await Promise.all([api.newStudent(), api.newStudent()]);
  const mark = unique('').trim();
  const [open, solved] = [`Open lens ${mark}`, `Solved lens ${mark}`];
  await api.ask(helper, open);
  const solvedId = await api.ask(asker, solved);
  await api.accept(asker, solvedId, await api.answer(helper, solvedId, '<p>So.</p>'));

  const page = await openAs(asker, `/search?text=${mark}`);
  const results = page.getByRole('list', { name: 'Search results' });
  await expect(results.getByRole('listitem')).toHaveCount(2);
  const bar = page.getByRole('group', { name: 'Filters' });
  await expect(bar.getByText('Saved')).toHaveCount(0);
  await bar.getByText('Solved', { exact: true }).click();
  await expect(results.getByRole('listitem')).toHaveCount(1);
  await expect(results.getByRole('link', { name: solved })).toBeVisible();
  await bar.getByRole('combobox', { name: 'Sort' }).click();
  await page.getByRole('option', { name: 'Most Answered' }).click();
  await expect(page).toHaveURL(/sort=2.*solvedQuestions=true/);
  await page.reload();
  await expect(bar.getByRole('checkbox', { name: 'Solved', exact: true })).toBeChecked();
  await bar.getByRole('button', { name: 'Clear Filter' }).click();
  await expect(results.getByRole('listitem')).toHaveCount(2);
  await expect(page).toHaveURL(new RegExp(`/search\\?text=${mark}$`));
  await bar.getByText('My Questions', { exact: true }).click();
  await expect(results.getByRole('link', { name: open })).toHaveCount(0);

  await page.getByRole('searchbox', { name: 'Search' }).fill(unique('qqxz'));
  await expect(page.getByRole('heading', { name: NO_RESULTS })).toBeVisible();
  await expect(page.getByRole('group', { name: 'Matches in other tabs:' })).toHaveCount(0);
});

test('a search without results names the tab that has some, and Back leads from a result to the list', async ({
  api,
  openAs,
}) => {
  const [asker, helper] = await Promise.all([api.newStudent(), api.newStudent()]);
  const word = `zirconium${unique('').trim()}`;
  const title = unique('What shines in a ring?');
  await api.answer(helper, await api.ask(asker, title), `<p>It is ${word}.</p>`);
  const page = await openAs(asker, `/search?text=${word}&unsolvedQuestions=true`);
  await expect(page.getByRole('heading', { name: NO_RESULTS })).toBeVisible();
  await page.getByRole('button', { name: 'Answers (1)' }).click();
  await expect(page).toHaveURL(new RegExp(`/search\\?text=${word}&tab=answers$`));
  const hit = page.getByRole('list', { name: 'Search results' }).getByRole('link', { name: title });
  await hit.click();
  await expect(page).toHaveURL(/question=/);
  await page.goBack();
  await expect(page).toHaveURL(/tab=answers$/);
  await expect(hit).toBeVisible();
});

test('on a phone a result opens the question’s page, and Back leads to the results', async ({
  api,
  openAs,
}) => {
  const student = await api.newStudent();
  const title = unique('Where does a hit lead on a phone');
  const questionId = await api.ask(student, title);
  const address = `/search?text=${encodeURIComponent(title)}`;
  const page = await openAs(student, address, { viewport: { width: 390, height: 844 } });
  await page.getByRole('button', { name: 'Continue in the browser' }).click();
  const hit = page.getByRole('list', { name: 'Search results' }).getByRole('link', { name: title });
  await hit.click();
  await expect(page).toHaveURL(new RegExp(`/singleQuestion/${questionId}/home$`));
  await page.goBack();
  await expect(page).toHaveURL(/search\?text=/);
  await expect(hit).toBeVisible();
  // The URL of a wide window, which shows the question next to the results.
  await page.goto(`${address}&question=${questionId}`);
  await expect(page).toHaveURL(new RegExp(`/singleQuestion/${questionId}/home$`));
  await page.goto(`${address}&tab=people`);
  // A fraction of a pixel may be beyond the edge.
  await expect(page.getByRole('tab', { name: 'Questions' })).toHaveText(/\d/);
  for (const tab of await page.getByRole('tab').all()) await expect(tab).toBeInViewport({ ratio: 0.99 });
  const { subject, topic } = await api.filing(student.token);
  await page.goto(`/search?text=${encodeURIComponent(topic.name)}&tab=topics`);
  const found = page.getByRole('list', { name: 'Search results' }).getByRole('link', { name: topic.name });
  await expect(found).toBeVisible();
  const middleOf = async (part: Locator) => {
    const box = await part.boundingBox();
    return box ? box.y + box.height / 2 : NaN;
  };
  const middle = await middleOf(found);
  expect(Math.abs((await middleOf(found.getByText(subject.name))) - middle)).toBeLessThan(1);
});

test('results load ten at a time on scrolling, under sticky filters', async ({ api, openAs }) => {
  const student = await api.newStudent();
  const mark = unique('').trim();
  for (let count = 0; count < 13; count += 1) await api.ask(student, `Ohm ${count} ${mark}`);
  const page = await openAs(student, `/search?text=${mark}`);
  const hits = page.getByRole('list', { name: 'Search results' }).getByRole('listitem');
  await expect(hits.first()).toBeVisible();
  await page.mouse.move(720, 600);
  await page.mouse.wheel(0, 20_000);
  await expect(hits).toHaveCount(13);
  await page.mouse.wheel(0, 20_000);
  await expect(page.getByRole('group', { name: 'Filters' })).toBeInViewport();
});

test('similar questions appear below the title while typing', async ({ api, openAs }) => {
  const [asker, writer] = await Promise.all([api.newStudent(), api.newStudent()]);
  const mark = unique('').trim();
  const title = `When do I use the product rule ${mark}?`;
  const questionId = await api.ask(asker, title);
  const page = await openAs(writer, '/dashboard');
  const dialog = await openAsk(page);
  await dialog.getByRole('textbox', { name: 'Title' }).pressSequentially(`Use of product rule ${mark}`);
  const similar = dialog.getByRole('region', { name: 'Similar questions' });
  const link = similar.getByRole('link', { name: new RegExp(mark) });
  await expect(link).toBeVisible();
  await expectAccessible(page, 'ask dialog with similar questions');
  const [tab] = await Promise.all([page.waitForEvent('popup'), link.click()]);
  await expect(tab).toHaveURL(new RegExp(questionId));
  await expect(tab.getByRole('article', { name: `Question: ${title}` })).toBeVisible();
  await expect(dialog.getByRole('textbox', { name: 'Title' })).toHaveValue(/product rule/);
});
