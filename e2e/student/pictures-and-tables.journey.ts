import type { Locator, Page } from '@playwright/test';
import { unique, type NimoApi, type Student } from '../support/api.js';
import { openAnswer } from '../support/composer.js';
import { expect, test } from '../support/journey.js';
import { asFile, newPicture } from '../support/pictures.js';

async function composer(page: Page): Promise<{ dialog: Locator; text: Locator }> {
  const dialog = await openAnswer(page);
  const text = dialog.getByRole('textbox', { name: 'Your answer' });
  await text.click();
  return { dialog, text };
}

const transferring = async (name: string, colour: string): Promise<string> => `
  const transfer = new DataTransfer();
  const bytes = Uint8Array.from(atob('${(await newPicture(colour, 300, 200)).toString('base64')}'), (letter) => letter.charCodeAt(0));
  transfer.items.add(new File([bytes], '${name}', { type: 'image/png' }));`;

/** Drag data as from a file manager. */
const transferOf = async (page: Page, name: string, colour: string) =>
  page.evaluateHandle(`(() => { ${await transferring(name, colour)} return transfer; })()`);

/** Pastes an image at the focus. */
async function paste(text: Locator, colour: string): Promise<void> {
  await text.focus();
  await text.page().evaluate(`(() => { ${await transferring('pasted.png', colour)}
    document.activeElement.dispatchEvent(new ClipboardEvent('paste', { clipboardData: transfer, bubbles: true, cancelable: true }));
  })()`);
}

async function choose(page: Page, dialog: Locator, colour: string): Promise<void> {
  await dialog.getByRole('button', { name: 'Image', exact: true }).click();
  const chooser = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: 'Choose images' }).click();
  await (await chooser).setFiles([asFile('chosen.png', await newPicture(colour, 300, 200))]);
}

const newQuestion = async (api: NimoApi): Promise<{ student: Student; questionId: string }> => {
  const [asker, student] = await Promise.all([api.newStudent(), api.newStudent()]);
  return { student, questionId: await api.ask(asker, unique('What does it look like?')) };
};

test('images are inserted at the caret by paste, drop and file, and can be described and rotated', async ({
  api,
  openAs,
}) => {
  const { student, questionId } = await newQuestion(api);
  const page = await openAs(student, `/singleQuestion/${questionId}/home`);
  const { dialog, text } = await composer(page);
  await page.keyboard.type('First ');
  await paste(text, '#c0392b');
  await expect(text.locator('[data-picture][data-state="stored"]')).toHaveCount(1);
  await page.keyboard.type(' then ');
  const box = await text.getByText('First').boundingBox();
  if (!box) throw new Error('the text is not visible');
  const dataTransfer = await transferOf(page, 'dropped.png', '#2980b9');
  const place = { clientX: box.x + box.width - 4, clientY: box.y + box.height - 6 };
  await text.dispatchEvent('drop', { dataTransfer, ...place });
  await expect(text.locator('[data-picture][data-state="stored"]')).toHaveCount(2);
  await page.keyboard.press('Control+End');
  await choose(page, dialog, '#27ae60');
  await expect(text.locator('[data-picture][data-state="stored"]')).toHaveCount(3);
  await page.keyboard.type(' end.');
  await expect(dialog.getByText('3 of 10')).toBeVisible();

  await text.locator('[data-picture] img').first().click();
  await page.getByRole('textbox', { name: 'Description' }).fill('A red square');
  await page.keyboard.press('Enter');
  await expect(text).toBeFocused();
  await text.locator('[data-picture] img').first().click();
  await page.getByRole('button', { name: 'Rotate and crop' }).click();
  const cropping = page.getByRole('dialog', { name: 'Rotate and crop' });
  await cropping.getByRole('button', { name: 'Rotate right' }).click();
  await cropping.getByRole('button', { name: 'Bottom right corner' }).focus();
  for (let step = 0; step < 5; step += 1) await page.keyboard.press('ArrowUp');
  await cropping.getByRole('button', { name: 'Apply' }).click();
  const first = text.locator('[data-picture]').first();
  await expect(first).toHaveAttribute('data-state', 'stored');
  await expect(first.locator('img')).toHaveAttribute('width', '200');
  await expect(first.locator('img')).toHaveAttribute('height', '270');

  await dialog.getByRole('button', { name: 'Submit' }).click();
  await expect(page.getByText('Answer added successfully!')).toBeVisible();
  const answer = page.getByRole('article', { name: `Answer by ${student.userName}` });
  await expect(answer.locator('p img')).toHaveCount(3);
  await expect(answer.getByRole('img', { name: 'A red square' })).toHaveJSProperty('naturalHeight', 270);
  await expect(answer.getByRole('list', { name: 'Images' })).toHaveCount(0);
});

test.describe('on an unreliable connection', () => {
  test.use({ expectedErrors: [/Failed to load resource: net::ERR_FAILED/] });

  test('an upload shows its progress and can be cancelled and retried, and sending waits for it', async ({
    api,
    openAs,
  }) => {
    const { student, questionId } = await newQuestion(api);
    const page = await openAs(student, `/singleQuestion/${questionId}/home`);
    const { dialog, text } = await composer(page);
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    await page.route('**/upload/**', async (route) => {
      await held;
      await route.abort();
    });
    await page.keyboard.type('Look ');
    await paste(text, '#8e44ad');
    const progress = text.getByRole('progressbar', { name: 'Uploading image' });
    await expect(progress).toContainText('%');
    await text.getByRole('button', { name: 'Cancel' }).click();
    await expect(text.locator('[data-picture]')).toHaveCount(0);
    await expect(dialog.getByText('0 of 10')).toBeVisible();

    await paste(text, '#8e44ad');
    await expect(progress).toBeVisible();
    release();
    await expect(text.getByRole('alert')).toContainText('Failed to upload file pasted.png');
    await dialog.getByRole('button', { name: 'Submit' }).click();
    await expect(page.getByRole('heading', { name: '1 Answer' })).toHaveCount(0);
    await expect(dialog).toBeVisible();
    await page.unroute('**/upload/**');
    await text.getByRole('button', { name: 'Try again' }).click();
    await dialog.getByRole('button', { name: 'Submit' }).click();
    await expect(page.getByText('Answer added successfully!')).toBeVisible();
    await expect(
      page.getByRole('article', { name: `Answer by ${student.userName}` }).locator('p img'),
    ).toHaveCount(1);
  });
});

test('a table is inserted, resized with toolbar and keys, and rendered the same on every page', async ({
  api,
  openAs,
}) => {
  const { student, questionId } = await newQuestion(api);
  const page = await openAs(student, `/singleQuestion/${questionId}/home`);
  const { dialog, text } = await composer(page);
  await dialog.getByRole('button', { name: 'Table' }).click();
  await page.getByRole('menuitem', { name: 'Insert table' }).click();
  await expect(text.getByRole('columnheader')).toHaveCount(3);
  await page.keyboard.type('Planet');
  await page.keyboard.press('Tab');
  await page.keyboard.type('Moons');
  await page.keyboard.press('Control+Alt+Shift+ArrowDown');
  await expect(text.getByRole('row')).toHaveCount(4);
  await dialog.getByRole('button', { name: 'Table' }).click();
  await page.getByRole('menuitem', { name: 'Delete column' }).click();
  await expect(text.getByRole('columnheader')).toHaveCount(2);
  await dialog.getByRole('button', { name: 'Submit' }).click();
  await expect(page.getByText('Answer added successfully!')).toBeVisible();
  const answer = page.getByRole('article', { name: `Answer by ${student.userName}` });
  await expect(answer.getByRole('columnheader', { name: 'Planet' })).toBeVisible();
  await expect(answer.getByRole('row')).toHaveCount(4);
  const publicPage = await (
    await fetch(new URL(`/question/${questionId}`, page.url()), { headers: { accept: 'text/html' } })
  ).text();
  expect(publicPage).toContain('<table dir="auto"><tbody><tr><th><p>Planet</p></th>');
});

test('typing continues after every inserted element', async ({ api, openAs }) => {
  const { student, questionId } = await newQuestion(api);
  const page = await openAs(student, `/singleQuestion/${questionId}/home`);
  const { dialog, text } = await composer(page);
  await page.keyboard.type('a');
  await dialog.getByRole('button', { name: 'Formula' }).click();
  await page.getByRole('textbox', { name: 'Formula in LaTeX' }).fill('x^2');
  await page.keyboard.press('Enter');
  await expect(text).toBeFocused();
  await page.keyboard.type('b');
  await dialog.getByRole('button', { name: 'Emoji' }).click();
  await page.getByRole('dialog', { name: 'Emoji' }).getByRole('button').first().click();
  await expect(text).toBeFocused();
  await page.keyboard.type('c');
  await dialog.getByRole('button', { name: 'Link', exact: true }).click();
  await page.getByRole('textbox', { name: 'URL' }).fill('https://example.org/');
  await page.keyboard.press('Enter');
  await expect(text).toBeFocused();
  await page.keyboard.type(' d');
  await choose(page, dialog, '#f39c12');
  await expect(text.locator('[data-picture][data-state="stored"]')).toHaveCount(1);
  await expect(text).toBeFocused();
  await page.keyboard.type('e');
  await page.keyboard.press('Enter');
  await page.keyboard.type('$$y^3$$');
  await expect(text.locator('[data-formula] .katex-display, div[data-formula] .katex')).not.toHaveCount(0);
  await page.keyboard.type('f');
  await page.keyboard.press('Enter');
  await dialog.getByRole('button', { name: 'Table' }).click();
  await page.getByRole('menuitem', { name: 'Insert table' }).click();
  await expect(text).toBeFocused();
  await page.keyboard.type('g');
  await dialog.getByRole('button', { name: 'Submit' }).click();
  await expect(page.getByText('Answer added successfully!')).toBeVisible();
  const { body } = await page.evaluate<{ body: string }>(
    `fetch('/graphql', { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ query: '{ getPaginatedAnswers(questions: ["${questionId}"]) { docs { body } } }' }) }).then((answer) => answer.json()).then(({ data }) => data.getPaginatedAnswers.docs[0])`,
  );
  const order = body
    .replace(/<(?:code|pre) class="nimo-math">[^<]*<\/(?:code|pre)>/g, '∑')
    .replace(/<a [^>]*>[^<]*<\/a>/g, '@')
    .replace(/<img [^>]*>/g, '#')
    .replace(/<[^>]*>/g, '')
    .replace(/\p{Extended_Pictographic}\uFE0F?/u, '*');
  expect(order).toBe('a∑b*c@ d#e∑fg');
});
