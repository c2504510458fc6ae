import { randomUUID } from 'node:crypto';
import { newUserName } from '../support/api.js';
import { expect, test } from '../support/journey.js';
import { mailedLink } from '../support/mail.js';
import { sceneOf } from './scene.js';
import { shooter } from './shoot.js';

const LANGUAGES = ['en', 'de', 'es', 'it', 'ru'];
const pathOf = (link: string): string => link.replace(/^https?:\/\/[^/]+/, '');

for (const colorScheme of ['light', 'dark'] as const) {
  const shoot = shooter(colorScheme);

  test.describe(colorScheme, () => {
    test.use({ colorScheme, contextOptions: { colorScheme, reducedMotion: 'reduce' } });

    test('email account and password reset', async ({ page, api }) => {
      const email = `${randomUUID().slice(0, 8)}@example.org`;
      await page.goto('/register');
      await page.getByLabel('Email').fill(email);
      await page.getByLabel('Username').fill(newUserName('isha'));
      await page.getByRole('textbox', { name: 'Password' }).fill('Monsoon-2026');
      await shoot(page, 'email-1-register');
      await page.getByRole('button', { name: 'Register' }).click();
      await expect(page.getByText('Register User Successfully')).toBeVisible();
      await shoot(page, 'email-2-sent');
      await page.goto(pathOf(await mailedLink(api.url, email, 'Confirm your email for Nimo')));
      await expect(page.getByRole('button', { name: 'Confirm email' })).toBeVisible();
      await page.getByRole('textbox', { name: 'Password' }).fill('Monsoon-2026');
      await shoot(page, 'email-3-confirm');
      await page.getByRole('button', { name: 'Confirm email' }).click();
      await expect(page.getByRole('heading', { name: 'Spaces', exact: true })).toBeVisible();

      await page.goto('/forgot-password');
      await page.getByLabel('Email').fill(email);
      await shoot(page, 'reset-1-address');
      await page.getByRole('button', { name: 'Reset password' }).click();
      await expect(page.getByText('Reset link are sended to your mailbox')).toBeVisible();
      await shoot(page, 'reset-2-sent');
      await page.goto(pathOf(await mailedLink(api.url, email, 'Set a new password for Nimo')));
      await page.getByLabel('New password').first().fill('Another-horse-2');
      await page.getByLabel('Confirm password').first().fill('Another-horse-2');
      await shoot(page, 'reset-3-new-password');
      await page.getByRole('button', { name: 'Set new password' }).click();
      await expect(page.getByText('Password Changed Successfully!')).toBeVisible();
      await shoot(page, 'reset-4-changed');
    });

    test('news: reading, writing, editing', async ({ api, openAs }) => {
      const { asker } = await sceneOf(api);
      const reader = await openAs(asker, '/news');
      await expect(reader.getByRole('article').first()).toBeVisible();
      await shoot(reader, 'news-1-list');
      const page = await openAs(await api.moderator(), '/news');
      await page.getByRole('button', { name: 'Write news' }).click();
      const dialog = page.getByRole('dialog', { name: 'Write news' });
      await dialog.getByLabel('Title').fill('The physics lab is open on Saturday');
      await dialog.getByRole('textbox', { name: 'Text' }).fill('From ten to one. Bring your own spring.');
      await shoot(page, 'news-2-write');
      await dialog.getByRole('button', { name: 'Publish' }).click();
      const post = page.getByRole('article', { name: 'The physics lab is open on Saturday' }).first();
      await expect(post).toBeVisible();
      await shoot(page, 'news-3-published');
      await post.getByRole('button', { name: /More actions for/ }).click();
      await page.getByRole('menuitem', { name: 'Edit' }).click();
      await expect(page.getByRole('dialog', { name: 'Edit news' })).toBeVisible();
      await shoot(page, 'news-4-edit');
    });

    test('student page for students and moderators', async ({ api, openAs }) => {
      const { asker, helper } = await sceneOf(api);
      const address = `/nimorisingstarsingle?id=${helper._id}`;
      const page = await openAs(asker, address);
      await expect(page.getByRole('region', { name: helper.userName })).toBeVisible();
      await shoot(page, 'user-1-seen-by-a-student');
      const desk = await openAs(await api.moderator(), address);
      await expect(desk.getByRole('button', { name: 'Block User' })).toBeVisible();
      await shoot(desk, 'user-2-seen-by-a-moderator');
      await desk.getByRole('button', { name: 'Block User' }).click();
      await desk.getByRole('dialog').getByLabel('Reason').fill('Advertises in every thread');
      await shoot(desk, 'user-3-block');
    });

    test('dashboard in five languages', async ({ api, openAs }) => {
      const { asker, questionId } = await sceneOf(api);
      const page = await openAs(asker, `/dashboard?question=${questionId}`);
      for (const [at, language] of LANGUAGES.entries()) {
        await page.evaluate(`localStorage.setItem('I18N_LANGUAGE', '${language}')`);
        await page.reload();
        await expect(page.locator(`html[lang="${language}"]`)).toBeAttached();
        await expect(page.getByRole('article').first()).toBeVisible();
        await expect(page.getByText('Hooke').first()).toBeVisible();
        await shoot(page, `languages-${at + 1}-${language}`);
      }
    });
  });
}
