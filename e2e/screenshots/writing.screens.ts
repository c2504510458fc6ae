import { openAnswer, openAsk } from '../support/composer.js';
import { expect, test } from '../support/journey.js';
import { asFile, newPicture } from '../support/pictures.js';
import { sceneOf } from './scene.js';
import { shooter } from './shoot.js';

const MEASURED = `<p>With <code class="nimo-math">F = kx</code> the work is</p>
<pre class="nimo-math">W = \\int_0^x kx'\\,dx' = \\tfrac12 kx^2</pre>
<pre><code class="language-python">def work(k, x):
    """In joules."""
    return k * x ** 2 / 2  # the area under the line</code></pre>`;

for (const colorScheme of ['light', 'dark'] as const) {
  const shoot = shooter(colorScheme);

  test.describe(colorScheme, () => {
    test.use({ colorScheme, contextOptions: { colorScheme, reducedMotion: 'reduce' } });

    test('formulas and code', async ({ api, openAs }) => {
      const { asker, helper } = await sceneOf(api);
      const questionId = await api.ask(asker, 'How much work does it take to stretch a spring?', {
        body: MEASURED,
        topicName: 'Mechanics',
      });
      const page = await openAs(helper, `/singleQuestion/${questionId}/home`);
      await expect(page.locator('.katex').first()).toBeVisible();
      await expect(page.locator('.token.keyword').first()).toBeVisible();
      await shoot(page, 'formulas-1-question');
      const dialog = await openAnswer(page);
      await page.keyboard.type('Half of it, as $x$ is half: ');
      await expect(dialog.locator('.katex').first()).toBeVisible();
      await dialog.getByRole('button', { name: 'Formula' }).click();
      const form = page.getByRole('dialog', { name: 'Formula' });
      await form.getByRole('textbox', { name: 'Formula in LaTeX' }).fill('W = \\frac{1}{2} k x^2');
      await expect(form.locator('.katex')).toBeVisible();
      await shoot(page, 'formulas-2-form');
      await form.getByRole('button', { name: 'Insert' }).click();
      await expect(form).toBeHidden();
      await shoot(page, 'formulas-3-drawn');
      await dialog.getByRole('textbox', { name: 'Your answer' }).press('ControlOrMeta+End');
      await page.keyboard.press('Enter');
      await page.keyboard.type('```python ');
      await page.keyboard.type('print(0.5 * k * x ** 2)');
      await dialog.getByRole('button', { name: 'Code language' }).click();
      await page.getByRole('menuitem', { name: 'Python' }).click();
      await shoot(page, 'formulas-4-code');
    });

    test('restored draft, and images of an answer', async ({ api, openAs }) => {
      const { helper, questionId } = await sceneOf(api);
      const page = await openAs(helper, `/singleQuestion/${questionId}/home`);
      await openAnswer(page);
      await page.keyboard.type('I would hang them up again, from light to heavy.');
      await shoot(page, 'draft-1-writing');
      await page.reload();
      const dialog = await openAnswer(page);
      await expect(page.getByText('Draft restored.')).toBeVisible();
      await shoot(page, 'draft-2-back');

      const files = await Promise.all(
        ['#c0392b', '#27ae60', '#2980b9', '#8e44ad', '#f39c12', '#16a085'].map(async (colour, at) =>
          asFile(`${at}.png`, await newPicture(colour)),
        ),
      );
      const input = dialog.locator('input[type="file"][multiple]');
      await input.setInputFiles(files.slice(0, 2));
      await expect(dialog.getByText('2 of 10')).toBeVisible();
      await shoot(page, 'images-1-chosen');
      await input.setInputFiles([...files, ...files]);
      await expect(page.getByText('Allow maximum 10 images.')).toBeVisible();
      await shoot(page, 'images-2-too-many');
      await dialog.getByRole('button', { name: 'Cancel' }).click();
    });

    test('images of a question in the lightbox', async ({ api, openAs }) => {
      const { helper, questionId } = await sceneOf(api);
      const page = await openAs(helper, `/singleQuestion/${questionId}/home`);
      await page.getByRole('list', { name: 'Images' }).first().scrollIntoViewIfNeeded();
      await shoot(page, 'images-3-gallery');
      await page.getByRole('button', { name: 'Open image 1 of' }).click();
      const lightbox = page.getByRole('dialog', { name: /^Image \d of/ });
      await page.waitForLoadState('networkidle');
      await shoot(page, 'images-4-lightbox');
      await lightbox.getByRole('button', { name: 'Zoom in' }).click();
      await lightbox.getByRole('button', { name: 'Zoom in' }).click();
      await shoot(page, 'images-5-zoomed');
      await lightbox.getByRole('button', { name: 'Rotate' }).click();
      await shoot(page, 'images-6-turned');
      await page.keyboard.press('Escape');
      await lightbox.getByRole('button', { name: 'Previous image' }).click();
      await page.waitForLoadState('networkidle');
      await shoot(page, 'images-7-previous');
    });

    test('similar questions while asking', async ({ api, openAs }) => {
      const { asker } = await sceneOf(api);
      const questionId = await api.ask(asker, 'Does a thick spring follow Hooke’s law at 400 g?', {
        topicName: 'Mechanics',
      });
      const page = await openAs(asker, '/dashboard');
      const dialog = await openAsk(page);
      await dialog.getByRole('textbox', { name: 'Title' }).fill('Why does the spring not follow Hooke?');
      const similar = page.getByRole('region', { name: 'Similar questions' });
      await expect(similar.getByRole('link').first()).toBeVisible();
      await shoot(page, 'similar-1-while-asking');
      await page.goto(`/singleQuestion/${questionId}/home`);
      await expect(page.getByRole('article', { name: /^Question:/ })).toBeVisible();
      await expect(page.getByRole('link', { name: /our spring stop following/ }).first()).toBeVisible();
      await shoot(page, 'similar-2-next-to-a-question');
    });

    test('report, from the menu to the hidden post', async ({ api, openAs }) => {
      const { helper, asker } = await sceneOf(api);
      const questionId = await api.ask(asker, 'Buy finished lab reports here');
      const page = await openAs(helper, `/singleQuestion/${questionId}/home`);
      await page.getByRole('button', { name: 'More actions for this question' }).click();
      await expect(page.getByRole('menuitem', { name: 'Report' })).toBeVisible();
      await shoot(page, 'report-1-menu');
      await page.getByRole('menuitem', { name: 'Report' }).click();
      await page.getByRole('radio', { name: 'Its spam' }).check();
      await shoot(page, 'report-2-reason');
      await page.getByRole('dialog').getByRole('button', { name: 'Submit' }).click();
      await expect(page.getByText('Report sent successfully!')).toBeVisible();
      await shoot(page, 'report-3-sent');
      await page.goto(`/singleQuestion/${questionId}/home`);
      await expect(page.getByText('You reported this question')).toBeVisible();
      await shoot(page, 'report-4-hidden');
    });
  });
}
