import { unique } from '../support/api.js';
import { openAsk } from '../support/composer.js';
import { expect, test } from '../support/journey.js';
import { asFile, newPicture } from '../support/pictures.js';

test(
  'a student asks with the rich editor, a new topic and images, then edits and deletes the question',
  { tag: '@core' },
  async ({ api, openAs }) => {
    const student = await api.newStudent();
    const { subject } = await api.filing(student.token);
    const page = await openAs(student, '/dashboard');
    const dialog = await openAsk(page);
    await dialog.getByRole('button', { name: 'Submit' }).click();
    await expect(dialog.getByText('Please add question title.')).toBeVisible();
    await expect(dialog.getByText('Please select a subject')).toBeVisible();
    await expect(dialog.getByText('Please select or create a topic')).toBeVisible();

    const title = unique('Why does a prism split white light?');
    const topicName = unique('Prisms');
    await dialog.getByRole('textbox', { name: 'Title' }).fill(title);
    await dialog.getByRole('combobox', { name: 'Subject' }).click();
    await page.getByRole('option', { name: subject.name }).click();
    await dialog.getByRole('combobox', { name: 'Topic' }).fill(topicName);
    // Suggestions that load may move the option from under the pointer.
    await expect(async () => {
      await dialog.getByRole('combobox', { name: 'Topic' }).click();
      await page.getByRole('option', { name: `Add new topic: “${topicName}”` }).click({ timeout: 15_000 });
      await expect(dialog.getByText('New topic')).toBeVisible({ timeout: 15_000 });
    }).toPass();

    const body = dialog.getByRole('textbox', { name: 'Description (optional)' });
    await body.click();
    await page.keyboard.type('The colours come ');
    await dialog.getByRole('button', { name: 'Bold' }).click();
    await page.keyboard.type('in one order');
    await dialog.getByRole('button', { name: 'Bold' }).click();
    await page.keyboard.press('Enter');
    await dialog.getByRole('button', { name: 'Bullet list' }).click();
    await page.keyboard.type('red first');
    await expect(dialog.getByRole('region', { name: 'Preview' }).locator('strong')).toHaveText(
      'in one order',
    );

    const files = await Promise.all(
      ['#c0392b', '#27ae60', '#2980b9', '#8e44ad', '#f39c12'].map(async (colour, index) =>
        asFile(`spectrum-${index}.png`, await newPicture(colour)),
      ),
    );
    const chooser = page.waitForEvent('filechooser');
    await dialog.getByRole('button', { name: 'choose files' }).click();
    await (await chooser).setFiles(files);
    await expect(dialog.getByText('5 of 10')).toBeVisible();
    await dialog.getByRole('button', { name: 'Submit' }).click();
    await expect(page.getByText('Question added successfully!')).toBeVisible();
    await expect(page).toHaveURL(/myQuestions=true/);
    await expect(page.getByRole('button', { name: 'Filters, 1 active' })).toBeVisible();

    const question = page.getByRole('article', { name: `Question: ${title}` });
    await expect(question.locator('strong')).toHaveText('in one order');
    await expect(question.getByRole('listitem').filter({ hasText: 'red first' })).toBeVisible();
    await expect(question.getByText(topicName)).toBeVisible();

    await question.getByRole('button', { name: 'More actions for this question' }).click();
    await page.getByRole('menuitem', { name: 'Edit' }).click();
    const editing = page.getByRole('form', { name: 'Edit your Question' });
    await expect(editing.getByRole('combobox', { name: 'Subject' })).toHaveCount(0);
    await editing.getByRole('textbox', { name: 'Title' }).fill(`${title} Really?`);
    await editing.getByRole('button', { name: 'Submit' }).click();
    await expect(page.getByText('Question updated successfully!')).toBeVisible();
    const edited = page.getByRole('article', { name: `Question: ${title} Really?` });
    await expect(edited.getByText('edited')).toBeVisible();
    await expect(
      page.getByRole('list', { name: 'RECENTLY POSTED' }).getByRole('link', { name: title }),
    ).toBeVisible();

    await edited.getByRole('button', { name: 'More actions for this question' }).click();
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    const confirmation = page.getByRole('dialog', { name: 'Are you sure?' });
    await expect(confirmation).toContainText("You won't be able to revert this!");
    await confirmation.getByRole('button', { name: 'Yes, delete it!' }).click();
    await expect(page.getByText('Question deleted successfully!')).toBeVisible();
    await expect(page.getByText('No questions found!')).toBeVisible();
  },
);

test('images open in the lightbox, and keys zoom, move, reset and close', async ({ api, openAs }) => {
  const student = await api.newStudent();
  const imageUrls = await Promise.all(
    ['#c0392b', '#27ae60', '#2980b9', '#8e44ad', '#f39c12', '#16a085'].map(async (colour) =>
      api.upload(student, await newPicture(colour)),
    ),
  );
  const questionId = await api.ask(student, unique('Which colour is which?'), { imageUrls });
  const page = await openAs(student, `/singleQuestion/${questionId}/home`);

  await expect(page.getByRole('list', { name: 'Images' }).getByRole('listitem')).toHaveCount(4);
  await expect(page.getByText('+2')).toBeVisible();
  await page.getByRole('button', { name: 'Open image 1 of 6' }).click();
  const lightbox = page.getByRole('dialog', { name: 'Image 1 of 6' });
  const picture = lightbox.getByRole('img');
  await expect(picture).toBeVisible();
  const transform = () => picture.evaluate((image) => image.getAttribute('style'));

  await lightbox.getByRole('button', { name: 'Zoom in' }).click();
  await expect.poll(transform).toContain('scale(1.3)');
  await page.keyboard.press('ArrowRight');
  await expect.poll(transform).toContain('translate(-20px, 0px)');
  await lightbox.getByRole('button', { name: 'Rotate' }).click();
  await expect.poll(transform).toContain('rotate(90deg)');
  await page.keyboard.press('Escape');
  await expect.poll(transform).toContain('translate(0px, 0px) scale(1) rotate(0deg)');
  await lightbox.getByRole('button', { name: 'Previous image' }).click();
  await expect(page.getByRole('dialog', { name: 'Image 6 of 6' })).toBeVisible();
  await page.getByRole('button', { name: 'Next image' }).click();
  await expect(page.getByRole('dialog', { name: 'Image 1 of 6' })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);
});
