import type { Page } from '@playwright/test';
import { expectAccessible } from '../support/accessibility.js';
import { newPhone, unique } from '../support/api.js';
import { openAsk } from '../support/composer.js';
import { openFilters, unfold } from '../support/dashboard.js';
import { expect, test } from '../support/journey.js';
import { newPicture } from '../support/pictures.js';

async function closeByKey(page: Page): Promise<void> {
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);
}

test('axe finds nothing on the login and in its dialogs', async ({ page, api }) => {
  const phone = newPhone();
  await page.goto('/login');
  await page.getByRole('button', { name: 'Log In' }).click();
  await expectAccessible(page, 'login with errors');
  await page.getByRole('button', { name: 'Forgot your password' }).click();
  await expect(page.getByRole('dialog', { name: 'Forgot password' })).toBeVisible();
  await expectAccessible(page, 'forgot password');
  await closeByKey(page);
  await page.getByRole('button', { name: 'Sign Up' }).click();
  await page.getByLabel('Mobile number').fill(phone);
  await expectAccessible(page, 'create account');
  await page.getByRole('button', { name: 'Get OTP' }).click();
  await page.getByLabel('Digit 1').click();
  await expectAccessible(page, 'one-time code');
  // The last digit submits the code.
  await page.keyboard.type(await api.latestCode(phone));
  await expect(page.getByRole('button', { name: 'Done' })).toBeVisible();
  await expectAccessible(page, 'phone verified');
  await page.getByRole('button', { name: 'Done' }).click();
  const profile = page.getByRole('dialog', { name: 'Create Profile' });
  await profile.getByRole('button', { name: "Let's Get Started" }).click();
  await expect(profile.getByText('Password must have minimum 8 characters.')).toBeVisible();
  await expectAccessible(page, 'create profile');
  await profile.getByRole('button', { name: 'Select Avatar' }).click();
  await expect(page.getByRole('radio').first()).toBeAttached();
  await expectAccessible(page, 'select avatar');
});

test('axe finds nothing on the screens of a space', async ({ api, openAs }) => {
  const [student, peer] = await Promise.all([api.newStudent({ joins: false }), api.newStudent()]);
  const page = await openAs(student, '/space');
  await page.getByRole('button', { name: /Greenfield High.*Join Space/ }).click();
  await expectAccessible(page, 'join space');
  await page.getByRole('dialog').getByRole('button', { name: 'Join Space' }).click();
  await expect(page).toHaveURL(/dashboard/);
  const questionId = await api.ask(student, unique('For the saved list'));
  await api.save(student, questionId);
  await api.ask(peer, unique('From a peer'));
  await page.goto('/space');
  await expect(page.getByRole('heading', { name: 'My Spaces' })).toBeVisible();
  await expectAccessible(page, 'spaces');
  await page.goto('/leaderboard');
  await page.getByRole('main').getByRole('button', { name: 'Rank 1' }).first().click();
  await expect(page.getByRole('definition').first()).toBeVisible();
  await expectAccessible(page, 'leaderboard');
  await page.getByRole('button', { name: 'How scores are calculated' }).click();
  await expect(page.getByRole('dialog')).toBeVisible();
  await expectAccessible(page, 'scores explained');
  await page.goto('/profile');
  await expect(page.getByRole('link', { name: /For the saved list/ })).toBeVisible();
  await expectAccessible(page, 'profile');
  await page.getByRole('button', { name: 'Edit Profile' }).click();
  await expect(page.getByRole('dialog')).toBeVisible();
  await expectAccessible(page, 'edit profile');
  await closeByKey(page);
  await page.getByRole('navigation').getByRole('button', { name: 'Logout' }).click();
  await expect(page.getByRole('dialog')).toBeVisible();
  await expectAccessible(page, 'log out');
  await page.goto('/no-such-page');
  await expect(page.getByRole('heading', { name: 'This page doesn’t exist' })).toBeVisible();
  await expectAccessible(page, 'not found');
});

test('axe finds nothing on a question and in its dialogs', async ({ api, openAs, page: visitor }) => {
  const [author, helper] = await Promise.all([api.newStudent(), api.newStudent()]);
  const body =
    '<h2>What I did</h2><p>I <strong>looked</strong> it up.</p><pre><code>let a = 1;</code></pre><blockquote><p>So it says.</p></blockquote>';
  const imageUrls = [await api.upload(author, await newPicture('#2980b9'))];
  const questionId = await api.ask(author, unique('With everything'), { body, imageUrls });
  await api.accept(author, questionId, await api.answer(helper, questionId, '<ul><li>One</li></ul>'));
  await api.answer(author, questionId, '<p>Two</p>');
  await api.comment(helper, questionId, `See @[${author._id}]`);
  await visitor.goto(`/question/${questionId}`);
  await expect(visitor.getByRole('article', { name: /^Answer by/ })).toHaveCount(2);
  await expectAccessible(visitor, 'public question');

  const page = await openAs(author, '/dashboard');
  await expect(page.getByRole('article', { name: /^Question:/ })).toBeVisible();
  await expectAccessible(page, 'dashboard');
  await page.emulateMedia({ forcedColors: 'active' });
  const selected = page.getByRole('article').filter({ has: page.locator('[aria-current]') });
  for (const chosen of [selected, page.getByRole('link', { name: 'Nimo Ask' })])
    await expect(chosen).toHaveCSS('outline-style', 'solid');
  await page.emulateMedia({ forcedColors: 'none' });
  await openFilters(page);
  await unfold(page, 'Unsolved Questions');
  await unfold(page, 'All Topics');
  await page.waitForLoadState('networkidle');
  await expectAccessible(page, 'dashboard with everything open');
  await page.getByRole('combobox', { name: 'Subject' }).click();
  await expect(page.getByRole('listbox', { name: 'Subject' })).toBeVisible();
  await expectAccessible(page, 'subjects to choose from', { without: ['region'] });
  await page.keyboard.press('Escape');
  await (await openAsk(page)).getByRole('button', { name: 'Submit' }).click();
  await expect(page.getByRole('toolbar')).toBeVisible();
  await expectAccessible(page, 'ask');
  await page.getByRole('combobox', { name: 'Subject' }).click();
  await page.getByRole('listbox').getByRole('option').first().click();
  await page.getByRole('combobox', { name: 'Topic' }).click();
  await expect(page.getByRole('listbox', { name: 'Topic' })).toBeVisible();
  await expectAccessible(page, 'topics to choose from', { without: ['region'] });
  await page.goto(`/singleQuestion/${questionId}/home`);
  await expect(page.getByText('Accepted', { exact: true })).toBeVisible();
  await expectAccessible(page, 'single question');
  await page.getByRole('button', { name: 'Open image 1 of 1' }).click();
  await expect(page.getByRole('dialog')).toBeVisible();
  await expectAccessible(page, 'lightbox');
  await closeByKey(page);
  await page.getByRole('button', { name: 'More actions for this question' }).click();
  await expect(page.getByRole('menuitem', { name: 'Delete' })).toBeVisible();
  // An open menu floats above the page, outside its landmarks.
  await expectAccessible(page, 'menu', { without: ['region'] });
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  await expect(page.getByRole('dialog')).toBeVisible();
  await expectAccessible(page, 'delete');
  await closeByKey(page);
  await page.getByRole('button', { name: `More actions for the answer by ${helper.userName}` }).click();
  await page.getByRole('menuitem', { name: 'Report' }).click();
  await expect(page.getByRole('dialog')).toBeVisible();
  await expectAccessible(page, 'report');
});
