import { expect, test } from '../support/journey.js';
import { sceneOf } from './scene.js';
import { shooter } from './shoot.js';

for (const colorScheme of ['light', 'dark'] as const) {
  const shoot = shooter(colorScheme);

  test.describe(colorScheme, () => {
    test.use({ colorScheme, contextOptions: { colorScheme, reducedMotion: 'reduce' } });

    test('notifications and activities', async ({ api, openAs }) => {
      const { asker, helper, questionId } = await sceneOf(api);
      // The other colour scheme has already seen them.
      await api.comment(helper, questionId, 'Did the thicker spring help?');
      const page = await openAs(asker, '/profile?tab=activities');
      await expect(page.getByRole('article').first()).toBeVisible();
      const bell = page.getByRole('button', { name: /^Notifications, \d+ new$/ });
      await expect(bell).toBeVisible();
      await shoot(page, 'notifications-1-badge');
      await bell.click();
      const panel = page.getByRole('dialog', { name: 'Notifications' });
      await expect(panel.getByRole('link').first()).toBeVisible();
      await shoot(page, 'notifications-2-list');
      await api.comment(helper, questionId, `Have a look, @[${asker._id}]`);
      await expect(panel.getByRole('button', { name: 'Show new notifications' })).toBeVisible();
      await shoot(page, 'notifications-3-arrived');
      await panel.getByRole('button', { name: 'Show new notifications' }).click();
      await expect(panel.getByText('Have a look').first()).toBeVisible();
      await shoot(page, 'notifications-4-shown');
      await page.keyboard.press('Escape');
      await expect(panel).toBeHidden();
      await shoot(page, 'activities');
    });
  });
}
