import { unique } from '../support/api.js';
import { expect, test } from '../support/journey.js';

test(
  'a visitor reads a question by its link, and actions lead to the login and back',
  { tag: '@core' },
  async ({ page, api }) => {
    const [author, reader] = await Promise.all([api.newStudent(), api.newStudent()]);
    const title = unique('Who wrote the Edda?');
    const questionId = await api.ask(author, title);
    await api.answer(author, questionId, '<p>Snorri Sturluson, it is said.</p>');
    await page.goto(`/question/${questionId}`);
    await expect(page.getByRole('heading', { name: title })).toBeVisible();
    await expect(page.getByText('Snorri Sturluson, it is said.')).toBeVisible();

    await page
      .getByRole('button', { name: /^Upvote/ })
      .first()
      .click();
    await expect(page).toHaveURL(/\/login$/);
    await page.getByLabel('Username').fill(reader.userName);
    await page.getByRole('textbox', { name: 'Password' }).fill(reader.password);
    await page.getByRole('button', { name: 'Log In' }).click();
    await expect(page).toHaveURL(new RegExp(`/singleQuestion/${questionId}/home$`));
    await page
      .getByRole('button', { name: /^Upvote/ })
      .first()
      .click();
    await expect(page.getByText('Question upvoted successfully!')).toBeVisible();
  },
);

test.describe('a missing question', () => {
  test.use({ expectedErrors: [/status of 404/] });

  test('shows a 404 page to people and crawlers', async ({ page }) => {
    const response = await page.goto('/question/7d1cfb44-8a0c-4c9a-9d52-0c8f60a3f9a1');
    expect(response?.status()).toBe(404);
    await expect(page.getByRole('heading', { name: 'Question not found' })).toBeVisible();
  });
});

test.describe('without JavaScript', () => {
  test.use({ javaScriptEnabled: false });

  test('a question is complete and has metadata', async ({ page, api }) => {
    const [author, helper] = await Promise.all([api.newStudent(), api.newStudent()]);
    const title = unique('What is </title><b>bold</b> "here"?');
    const questionId = await api.ask(author, title);
    await api.accept(author, questionId, await api.answer(helper, questionId, '<p>The <b>tag</b>.</p>'));
    await api.comment(author, questionId, `For @[${helper._id}]`);
    await page.goto(`/question/${questionId}`);
    await expect(page).toHaveTitle(`${title} | Nimo`);
    await expect(page.getByRole('heading', { level: 1, name: title })).toBeVisible();
    await expect(page.getByText('The tag.')).toBeVisible();
    await expect(page.getByText(`For @${helper.userName}`)).toBeVisible();
    const canonical = page.locator('link[rel="canonical"]');
    await expect(canonical).toHaveAttribute('href', `${api.url}/question/${questionId}`);
    const jsonLd = await page.locator('script[type="application/ld+json"]').textContent();
    expect(JSON.parse(jsonLd ?? '')).toMatchObject({
      '@type': 'QAPage',
      mainEntity: { '@type': 'Question', name: title, acceptedAnswer: { text: 'The tag.' } },
    });
    await page.getByRole('link', { name: 'Log In' }).click();
    await expect(page).toHaveURL(/\/login$/);
  });
});

test('the app hydrates the server-rendered page without a flash', async ({ page, api }) => {
  const author = await api.newStudent();
  const title = unique('Does it flash?');
  const questionId = await api.ask(author, title);
  // Every frame from the first paint must show the title.
  await page.addInitScript(`
    globalThis.framesWithout = 0;
    const look = () => {
      const isThere = [...document.querySelectorAll('h1')].some((heading) => heading.checkVisibility());
      if (document.body?.firstElementChild && document.readyState !== 'loading' && !isThere) globalThis.framesWithout += 1;
      requestAnimationFrame(look);
    };
    requestAnimationFrame(look);`);
  await page.goto(`/question/${questionId}`);
  await expect(page.getByRole('button', { name: /^Upvote/ }).first()).toBeVisible();
  await expect(page.locator('.served-page')).toHaveCount(0);
  await expect(page.getByRole('heading', { level: 1, name: title })).toBeVisible();
  expect(await page.evaluate('framesWithout')).toBe(0);
  await expect(page).toHaveTitle(`${title} | Nimo`);
});

test('Copy gives the public link', async ({ api, openAs }) => {
  const author = await api.newStudent();
  const questionId = await api.ask(author, unique('To share'));
  const page = await openAs(author, `/singleQuestion/${questionId}/profile`, {
    permissions: ['clipboard-read', 'clipboard-write'],
  });
  await page.getByRole('button', { name: 'Copy' }).click();
  await expect(page.getByText('Copied!')).toBeVisible();
  expect(await page.evaluate('navigator.clipboard.readText()')).toBe(`${api.url}/question/${questionId}`);
  await page.getByRole('link', { name: 'Back' }).click();
  await expect(page).toHaveURL(/\/profile$/);
});
