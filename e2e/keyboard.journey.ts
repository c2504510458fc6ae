import type { Locator, Page } from '@playwright/test';
import { unique } from './support/api.js';
import { expect, test } from './support/journey.js';

const MOST_STEPS = 60;

/** Goes on by the Tab key alone until the element has the focus. */
async function tabTo(page: Page, target: Locator): Promise<void> {
  await expect(target).toBeVisible();
  for (let step = 0; step < MOST_STEPS; step += 1) {
    await page.keyboard.press('Tab');
    if (await target.evaluate((element) => element === element.ownerDocument.activeElement)) return;
  }
  throw new Error(`The Tab key does not reach ${String(target)}`);
}

test('the keyboard alone logs in, opens a question, votes, comments and answers', async ({ page, api }) => {
  const [author, student] = await Promise.all([api.newStudent(), api.newStudent()]);
  const title = unique('Without a mouse?');
  await api.ask(author, title);
  await page.goto('/login');
  await tabTo(page, page.getByLabel('Username'));
  await page.keyboard.type(student.userName);
  await tabTo(page, page.getByRole('textbox', { name: 'Password' }));
  await page.keyboard.type(student.password);
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/space$/);
  await tabTo(page, page.getByRole('button', { name: /Greenfield High.*Joined/ }).first());
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/dashboard$/);

  const list = page.getByRole('list', { name: 'RECENTLY POSTED' });
  await expect(list).toBeVisible();
  await page.keyboard.press('Tab');
  await expect(page.getByRole('link', { name: 'Skip to content' })).toBeFocused();
  await page.keyboard.press('Enter');
  await tabTo(page, list.getByRole('link', { name: title }));
  await page.keyboard.press('Enter');
  const question = page.getByRole('article', { name: `Question: ${title}` });
  await expect(question).toBeVisible();
  const upvote = question.getByRole('button', { name: /^Upvote/ });
  await upvote.focus();
  await page.keyboard.press('Space');
  await expect(upvote).toHaveAttribute('aria-pressed', 'true');
  await expect(upvote).toBeFocused();

  await tabTo(page, page.getByRole('button', { name: 'Write a comment, @ mentions someone' }));
  await page.keyboard.press('Enter');
  await expect(page.getByRole('textbox', { name: 'Write a comment' })).toBeFocused();
  await page.keyboard.type('By keys');
  await page.keyboard.press('Control+Enter');
  await expect(page.getByRole('list', { name: 'Comments' })).toContainText('By keys');

  await tabTo(page, page.getByRole('button', { name: 'Add Your Answer' }));
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Add Your Answer' });
  await tabTo(page, dialog.getByRole('textbox', { name: 'Your answer' }));
  await page.keyboard.type('It works.');
  await tabTo(page, dialog.getByRole('button', { name: 'Submit' }));
  await page.keyboard.press('Enter');
  await expect(page.getByRole('article', { name: `Answer by ${student.userName}` })).toContainText(
    'It works.',
  );
});
