import { expect, test } from '../support/journey.js';
import { sceneOf } from './scene.js';
import { shooter } from './shoot.js';

for (const colorScheme of ['light', 'dark'] as const) {
  const shoot = shooter(colorScheme);

  test.describe(colorScheme, () => {
    test.use({ colorScheme, contextOptions: { colorScheme, reducedMotion: 'reduce' } });

    test('search from the first letter to the result', async ({ api, openAs }) => {
      const { asker } = await sceneOf(api);
      const page = await openAs(asker, '/dashboard');
      const box = page.getByRole('searchbox', { name: 'Search' });
      const series = (name: string) => shoot(page, `search-${name}`);
      await box.click();
      await expect(page.getByText('What are you looking for?')).toBeVisible();
      await series('1-box');
      await page.keyboard.type('spring');
      const results = page.getByRole('list', { name: 'Search results' });
      await expect(results.locator('mark').first()).toBeVisible();
      await series('2-typing');
      await page.getByRole('group', { name: 'Filters' }).getByText('Solved', { exact: true }).click();
      await expect(page.getByRole('button', { name: 'Clear Filter' })).toBeVisible();
      await series('3-filtered');
      await results.getByRole('link').first().click();
      await expect(
        page.getByRole('region', { name: 'Selected question' }).getByRole('article').first(),
      ).toBeVisible();
      await series('4-open');
      await page.getByRole('tab', { name: 'Answers' }).click();
      await expect(results).toBeVisible();
      await series('5-answers');
      await box.fill('qqxzzy');
      await page.getByRole('tab', { name: 'Questions' }).click();
      await expect(page.getByRole('heading', { name: /^Opps!/ })).toBeVisible();
      await series('6-nothing');
    });

    test('keyboard shortcuts and similar questions', async ({ api, openAs }) => {
      const { asker } = await sceneOf(api);
      const page = await openAs(asker, '/dashboard');
      await expect(page.getByRole('article', { name: /^Question:/ })).toBeVisible();
      await page.keyboard.press('j');
      await expect(page.getByRole('article', { name: /^Question:/ })).toBeVisible();
      await shoot(page, 'shortcuts-1-next');
      await page.keyboard.press('?');
      await expect(page.getByRole('dialog', { name: 'Keyboard shortcuts' })).toBeVisible();
      await shoot(page, 'shortcuts-2-help');
      await page.keyboard.press('Escape');
      await expect(page.getByRole('dialog')).toHaveCount(0);
      await page.keyboard.press('c');
      await page.getByRole('textbox', { name: 'Title' }).fill('Why does the spring stop following the law?');
      await expect(page.getByRole('region', { name: 'Similar questions' })).toBeVisible();
      await shoot(page, 'ask-similar');
    });
  });
}
