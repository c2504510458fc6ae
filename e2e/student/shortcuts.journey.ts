import { expectAccessible } from '../support/accessibility.js';
import { unique } from '../support/api.js';
import { expect, test } from '../support/journey.js';

test('single keys move through questions, open, ask, search and navigate', async ({ api, openAs }) => {
  const student = await api.newStudent();
  const titles = [unique('First of all'), unique('Second to none'), unique('Third time')];
  for (const title of titles) await api.ask(student, title);
  const page = await openAs(student, '/dashboard?myQuestions=true');
  const cards = page.getByRole('list', { name: 'RECENTLY POSTED' }).getByRole('listitem');
  await expect(cards).toHaveCount(3);
  const open = page.getByRole('article', { name: /^Question:/ });
  await expect(open).toHaveAccessibleName(`Question: ${titles[2]}`);

  await page.keyboard.press('j');
  await expect(open).toHaveAccessibleName(`Question: ${titles[1]}`);
  await page.keyboard.press('j');
  await expect(open).toHaveAccessibleName(`Question: ${titles[0]}`);
  await page.keyboard.press('k');
  await expect(open).toHaveAccessibleName(`Question: ${titles[1]}`);
  await page.keyboard.press('o');
  await expect(page).toHaveURL(/\/singleQuestion\/.*\/home$/);
  // The URL changes before the screen, and the dashboard shows the same question.
  await expect(page.getByRole('heading', { name: 'About this question' })).toBeVisible();
  await expect(open).toHaveAccessibleName(`Question: ${titles[1]}`);
  await page.keyboard.press('u');
  await expect(page).toHaveURL(/\/dashboard\?myQuestions=true&question=/);
  await expect(open).toHaveAccessibleName(`Question: ${titles[1]}`);

  await page.keyboard.press('g');
  await page.keyboard.press('l');
  await expect(page).toHaveURL(/\/leaderboard$/);
  // Wait here too: a dialog of the previous screen would close with it.
  await expect(page.getByRole('heading', { name: 'LeaderBoard', level: 1 })).toBeVisible();
  await page.keyboard.press('c');
  const dialog = page.getByRole('form', { name: 'Ask your Question' });
  await dialog.getByRole('textbox', { name: 'Title' }).fill('');
  await page.keyboard.type('jogc?/');
  await expect(dialog.getByRole('textbox', { name: 'Title' })).toHaveValue('jogc?/');
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await expect(dialog).toHaveCount(0);

  await page.keyboard.press('/');
  await expect(page).toHaveURL(/\/search$/);
  await expect(page.getByRole('searchbox', { name: 'Search' })).toBeFocused();
});

test('the help dialog lists the keys and turns them off', async ({ api, openAs }) => {
  const student = await api.newStudent();
  const page = await openAs(student, '/leaderboard');
  await expect(page.getByRole('heading', { name: 'LeaderBoard' })).toBeVisible();
  await page.keyboard.press('?');
  const sheet = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
  await expect(sheet).toBeVisible();
  await expectAccessible(page, 'keyboard shortcuts');
  await sheet.getByRole('switch').uncheck();
  await expectAccessible(page, 'keyboard shortcuts turned off');
  await page.keyboard.press('Escape');
  await expect(sheet).toHaveCount(0);
  await page.keyboard.press('?');
  await page.keyboard.press('/');
  await page.reload();
  await expect(page).toHaveURL(/\/leaderboard$/);
  await expect(sheet).toHaveCount(0);
  await page.getByRole('button', { name: `Account of ${student.userName}` }).click();
  await page.getByRole('menuitem', { name: 'Keyboard shortcuts' }).click();
  await expect(sheet.getByRole('switch')).not.toBeChecked();
});
