import type { Page } from '@playwright/test';
import { expectAccessible } from '../support/accessibility.js';
import { unique } from '../support/api.js';
import { openAnswer } from '../support/composer.js';
import { expect, test } from '../support/journey.js';

const THREAD_BODY = `<p>Why is <code class="nimo-math">e^{i\\pi}+1=0</code>? It costs $5 or $6.</p>
<pre class="nimo-math">\\int_0^1 x^2\\,dx = \\frac13</pre>
<p>And $\\sqrt 2$, written elsewhere; <code class="nimo-math">\\frac{1</code> is none.</p>
<pre><code class="language-python">def area(r):
    """A circle."""
    return 3.14159 * r ** 2  # about</code></pre>`;

/** Evaluates in the tab, to check that rendering does not block it. */
const evaluateInTab = (page: Page): Promise<number> => page.evaluate('1 + 1');

test('a formula is entered in the toolbar’s form or between dollar signs, edited, and published', async ({
  api,
  openAs,
}) => {
  const student = await api.newStudent();
  const title = unique('How do I integrate this?');
  const questionId = await api.ask(student, title);
  const page = await openAs(student, `/singleQuestion/${questionId}/home`);
  const dialog = await openAnswer(page);
  const editor = dialog.getByRole('textbox', { name: 'Your answer' });
  await editor.click();
  await page.keyboard.type('By $x^2$ for $5 and $6. ');
  await expect(editor.locator('.katex')).toHaveCount(1);
  await expect(editor).toContainText('for $5 and $6.');

  await dialog.getByRole('button', { name: 'Formula' }).click();
  const form = page.getByRole('dialog', { name: 'Formula' });
  const source = form.getByRole('textbox', { name: 'Formula in LaTeX' });
  await source.fill('\\frac{1');
  await expect(form.getByText(/This formula has an error:/)).toBeVisible();
  await expect(form.getByRole('button', { name: 'Insert' })).toBeDisabled();
  await source.fill('\\frac{1}{2}');
  await expect(form.getByRole('group', { name: 'Formula preview' }).locator('.katex')).toBeVisible();
  await form.getByRole('checkbox', { name: 'On its own line' }).check();
  await form.getByRole('button', { name: 'Insert' }).click();
  await expect(editor.locator('.katex-display')).toHaveCount(1);

  await editor.locator('.katex-display').click();
  await expect(source).toHaveValue('\\frac{1}{2}');
  await source.fill('\\frac{3}{4}');
  await source.press('Enter');
  await expect(form).toBeHidden();
  await expect(editor.locator('.katex-display annotation')).toHaveText('\\frac{3}{4}');
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('Enter');
  await expect(source).toHaveValue('\\frac{3}{4}');
  await page.keyboard.press('Escape');
  await expect(form).toBeHidden();
  await expect(editor).toBeFocused();
  await page.keyboard.press('Enter');
  await page.keyboard.press('Escape');
  await expect(form).toBeHidden();
  await expect(dialog).toBeVisible();

  await dialog.getByRole('button', { name: 'Submit' }).click();
  await expect(page.getByText('Answer added successfully!')).toBeVisible();
  const answer = page.getByRole('article', { name: `Answer by ${student.userName}` });
  await expect(answer.locator('.katex')).toHaveCount(2);
  await expect(answer.locator('math annotation').first()).toHaveText('x^2');
});

test('bodies and comments show formulas and highlighted code, in light and dark', async ({
  api,
  openAs,
  page,
}) => {
  const student = await api.newStudent();
  const questionId = await api.ask(student, unique('What is this?'), { body: THREAD_BODY });
  await api.comment(student, questionId, 'Is $a<b$ so, or is it $5 and $6? $$\\sum_i x_i$$');
  const own = await openAs(student, `/singleQuestion/${questionId}/home`);
  const article = own.getByRole('article', { name: /What is this/ });
  await expect(article.locator('.katex')).toHaveCount(3);
  await expect(article.getByText('This formula has an error.')).toBeVisible();
  await expect(article.locator('.token.keyword').first()).toHaveText('def');
  await expect(article).toContainText('It costs $5 or $6.');
  const comments = own.getByRole('list', { name: 'Comments' });
  await expect(comments.locator('.katex')).toHaveCount(2);
  await expect(comments).toContainText('or is it $5 and $6?');
  await expectAccessible(own, 'a question with formulas and code');
  await article.getByRole('button', { name: 'Copy code' }).click();
  await expect(article.getByText(/Copied!|Couldn’t copy/)).toBeVisible();

  await page.goto(`/question/${questionId}`);
  await expect(page.locator('.katex')).toHaveCount(5);
});

test('clicking a formula on a card opens its question', async ({ api, openAs }) => {
  const student = await api.newStudent();
  const title = unique('Where is the formula?');
  const questionId = await api.ask(student, title, {
    body: '<p><code class="nimo-math">e^{i\\pi}+1=0</code> is here.</p>',
  });
  const page = await openAs(student, '/dashboard');
  const card = page.getByRole('article').filter({ hasText: title });
  for (const address of [`/dashboard?question=${questionId}`, `/singleQuestion/${questionId}/profile`]) {
    const formula = card.locator('.katex-html').first();
    await formula.scrollIntoViewIfNeeded();
    const box = await formula.boundingBox();
    if (!box) throw new Error('The formula is not shown.');
    await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2);
    await expect(page).toHaveURL(address);
    await page.goto('/profile');
    await page.getByRole('tab', { name: 'My Activities' }).click();
  }
});

test('the language of a code block can be chosen in the editor', async ({ api, openAs }) => {
  const student = await api.newStudent();
  const questionId = await api.ask(student, unique('How do I print?'));
  const page = await openAs(student, `/singleQuestion/${questionId}/home`);
  const dialog = await openAnswer(page);
  const toolbar = dialog.getByRole('toolbar', { name: 'Formatting' });
  await dialog.getByRole('textbox', { name: 'Your answer' }).click();
  const box = await toolbar.boundingBox();
  await page.keyboard.type('```python ');
  await expect(dialog.getByRole('button', { name: 'Code language' })).toContainText('Python');
  await expect(toolbar.getByRole('button', { name: 'Font size' })).toBeHidden();
  expect(await toolbar.boundingBox()).toEqual(box);
  await page.keyboard.type('select 1 from t');
  await dialog.getByRole('button', { name: 'Code language' }).click();
  await page.getByRole('menuitem', { name: 'SQL' }).click();
  await dialog.getByRole('button', { name: 'Submit' }).click();
  await expect(page.locator('.token.keyword').first()).toHaveText('select');
});

test('the toolbar is one tab stop, and arrow keys move within it', async ({ api, openAs }) => {
  const student = await api.newStudent();
  const questionId = await api.ask(student, unique('How do I go along?'));
  const page = await openAs(student, `/singleQuestion/${questionId}/home`);
  await openAnswer(page);
  const toolbar = page.getByRole('toolbar', { name: 'Formatting' });
  await toolbar.getByRole('button', { name: 'Bold' }).focus();
  await page.keyboard.press('ArrowRight');
  await expect(toolbar.getByRole('button', { name: 'Italic' })).toBeFocused();
  await page.keyboard.press('End');
  await expect(toolbar.getByRole('button').last()).toBeFocused();
  await page.keyboard.press('ArrowRight');
  await expect(toolbar.getByRole('button', { name: 'Bold' })).toBeFocused();
  await page.keyboard.press('Tab');
  await expect(page.getByRole('textbox', { name: 'Your answer' })).toBeFocused();
  await page.keyboard.type('H');
  await toolbar.getByRole('button', { name: 'Subscript' }).click();
  await page.keyboard.type('2');
  await toolbar.getByRole('button', { name: 'Subscript' }).click();
  await page.keyboard.type('O');
  await expect(page.getByRole('textbox', { name: 'Your answer' }).locator('sub')).toHaveText('2');
  await expect(toolbar.getByRole('button', { name: 'Subscript' })).toHaveAttribute('aria-pressed', 'false');
  await page.keyboard.press('ArrowLeft');
  await expect(toolbar.getByRole('button', { name: 'Subscript' })).toHaveAttribute('aria-pressed', 'true');
});

test('thousands of dollar signs and formulas do not freeze the tab', async ({ api, openAs }) => {
  const student = await api.newStudent();
  const questionId = await api.ask(student, unique('Who froze?'), {
    body: `<p>${'$x^2$ '.repeat(9000)}</p>`,
  });
  await api.comment(student, questionId, '$'.repeat(4999));
  const page = await openAs(student, `/singleQuestion/${questionId}/home`);
  await expect(page.locator('.katex').first()).toBeVisible();
  expect(await evaluateInTab(page)).toBe(2);
  await expect(page.getByText('$'.repeat(4999))).toBeAttached();
});
