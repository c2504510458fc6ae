import { newPhone } from '../support/api.js';
import { openAnswer, openAsk } from '../support/composer.js';
import { expect, test } from '../support/journey.js';
import { sceneOf } from './scene.js';
import { shooter } from './shoot.js';

for (const colorScheme of ['light', 'dark'] as const) {
  const shoot = shooter(colorScheme);

  test.describe(colorScheme, () => {
    test.use({ colorScheme, contextOptions: { colorScheme, reducedMotion: 'reduce' } });

    test('login and sign-up', async ({ page, api }) => {
      const phone = newPhone();
      await page.goto('/login');
      await expect(page.getByRole('button', { name: 'Log In' })).toBeVisible();
      await shoot(page, 'login');
      await page.getByRole('button', { name: 'Forgot your password' }).click();
      await expect(page.getByRole('dialog')).toBeVisible();
      await shoot(page, 'forgot-password');
      await page.keyboard.press('Escape');
      await page.getByRole('button', { name: 'Sign Up' }).click();
      await page.getByLabel('Mobile number').fill(phone);
      await shoot(page, 'sign-up');
      await page.getByRole('button', { name: 'Get OTP' }).click();
      await page.getByLabel('Digit 1').click();
      await page.keyboard.type(await api.latestCode(phone));
      await shoot(page, 'sign-up-code');
      await page.getByRole('button', { name: 'Verify' }).click();
      await expect(page.getByRole('button', { name: 'Done' })).toBeVisible();
      await shoot(page, 'phone-verified');
      await page.getByRole('button', { name: 'Done' }).click();
      const profile = page.getByRole('dialog', { name: 'Create Profile' });
      await profile.getByLabel('First Name').fill('Isha');
      await profile.getByLabel('Last Name').fill('Patel');
      await profile.getByLabel('User Name').fill('isha_patel');
      await profile.getByLabel('Password').first().fill('Monsoon-2026');
      await shoot(page, 'create-profile');
      await profile.getByRole('button', { name: 'Select Avatar' }).click();
      await page.getByRole('radio', { name: 'animals avatar 3' }).check();
      await page.waitForLoadState('networkidle');
      await shoot(page, 'select-avatar');
    });

    test('space and its members', async ({ api, openAs }) => {
      const { asker } = await sceneOf(api);
      const page = await openAs(asker, '/space');
      await expect(page.getByRole('heading', { name: 'All Spaces' })).toBeVisible();
      await shoot(page, 'spaces');
      await page
        .getByRole('button', { name: /Join Space/ })
        .first()
        .click();
      await expect(page.getByRole('dialog')).toBeVisible();
      await shoot(page, 'join-space');
      await page.goto('/leaderboard');
      await page.getByRole('main').getByRole('button', { name: 'Rank 2' }).click();
      await expect(page.getByRole('definition').first()).toBeVisible();
      await shoot(page, 'leaderboard');
      await page.getByRole('button', { name: 'How scores are calculated' }).click();
      await expect(page.getByRole('dialog')).toBeVisible();
      await shoot(page, 'scoring');
      await page.keyboard.press('Escape');
      await page.getByRole('link', { name: 'How is my score calculated?' }).click();
      await expect(page.getByText('Everyone starts with 1 reputation.')).toBeVisible();
      await shoot(page, 'score-1-why');
      await page.getByText(/^Questions upvoted/).click();
      await expect(page.getByRole('main').getByRole('listitem')).toHaveCount(1);
      await shoot(page, 'score-2-by-reason');
      await page.goto('/nimoSense');
      await expect(page.getByRole('meter')).toBeVisible();
      await expect(page.locator('.recharts-bar-rectangle').first()).toBeVisible();
      await shoot(page, 'nimo-sense-1-workload');
      await page.getByRole('tab', { name: 'Subject clarity' }).click();
      await expect(page.getByRole('row').nth(1)).toBeVisible();
      await shoot(page, 'nimo-sense-2-clarity');
      await page.getByRole('tab', { name: 'Career Development' }).click();
      await expect(page.locator('.recharts-area').first()).toBeVisible();
      await shoot(page, 'nimo-sense-3-career');
      await page.goto('/profile');
      await expect(page.getByRole('heading', { name: asker.userName })).toBeVisible();
      await shoot(page, 'profile');
      await page.getByRole('button', { name: 'Edit Profile' }).click();
      await expect(page.getByRole('dialog')).toBeVisible();
      await shoot(page, 'edit-profile');
      await page.keyboard.press('Escape');
      await page.getByRole('button', { name: 'Exit Space' }).click();
      await expect(page.getByRole('dialog')).toBeVisible();
      await shoot(page, 'exit-space');
      await page.setViewportSize({ width: 800, height: 900 });
      await page.goto('/leaderboard');
      await expect(page.getByText('Nimo is available on desktop')).toBeVisible();
      await shoot(page, 'narrow');
    });

    test('questions and answers', async ({ api, openAs, page: visitor }) => {
      const { asker, helper, questionId } = await sceneOf(api);
      const page = await openAs(asker, `/dashboard?question=${questionId}`);
      await expect(page.getByRole('article', { name: /^Question:/ })).toBeVisible();
      await expect(page.getByRole('article', { name: /^Answer by/ }).first()).toBeVisible();
      await shoot(page, 'dashboard');
      await page.goto(`/singleQuestion/${questionId}/home`);
      await expect(page.getByText('Accepted', { exact: true })).toBeVisible();
      await shoot(page, 'single-question');
      await page.getByRole('button', { name: 'Open image 1 of' }).click();
      await expect(page.getByRole('dialog').getByRole('img')).toBeVisible();
      await page.waitForLoadState('networkidle');
      await shoot(page, 'lightbox');
      await page.keyboard.press('Escape');
      await expect(page.getByRole('dialog')).toHaveCount(0);
      await page.getByRole('button', { name: 'More actions for this question' }).click();
      await page.getByRole('menuitem', { name: 'Delete' }).click();
      await expect(page.getByRole('dialog')).toBeVisible();
      await shoot(page, 'delete');
      await page.keyboard.press('Escape');
      await expect(page.getByRole('dialog')).toHaveCount(0);
      await page.getByRole('button', { name: `More actions for the answer by ${helper.userName}` }).click();
      await page.getByRole('menuitem', { name: 'Report' }).click();
      await page.getByRole('radio', { name: 'Something else' }).check();
      await shoot(page, 'report');
      await page.keyboard.press('Escape');
      await openAnswer(page);
      await page.getByRole('textbox', { name: 'Your answer' }).click();
      await page.keyboard.type('Read the lab notes first, then draw the free-body diagram.');
      await shoot(page, 'answer');

      await visitor.goto(`/question/${questionId}`);
      await expect(visitor.getByRole('article', { name: /^Answer by/ }).first()).toBeVisible();
      await shoot(visitor, 'public-question');
    });

    test('asking', async ({ api, openAs }) => {
      const { asker } = await sceneOf(api);
      const { subject, topic } = await api.filing(asker.token, 'Calculus');
      const page = await openAs(asker, '/dashboard');
      const dialog = await openAsk(page);
      await dialog.getByRole('textbox', { name: 'Title' }).fill('When do I use the chain rule?');
      await dialog.getByRole('combobox', { name: 'Subject' }).click();
      await page.getByRole('option', { name: subject.name }).click();
      await dialog.getByRole('combobox', { name: 'Topic' }).click();
      await page.getByRole('option', { name: topic.name, exact: true }).click();
      await dialog.getByRole('textbox', { name: 'Description (optional)' }).click();
      await page.keyboard.type('I know the rule for products. ');
      await dialog.getByRole('button', { name: 'Italic' }).click();
      await page.keyboard.type('Is this one of them?');
      await expect(dialog.getByRole('region', { name: 'Preview' }).locator('em')).toBeVisible();
      await shoot(page, 'ask');
    });
  });
}
