import type { Locator, Page } from '@playwright/test';
import { unique } from '../support/api.js';
import { openAnswer } from '../support/composer.js';
import { expect, test } from '../support/journey.js';
import { asFile, newPicture } from '../support/pictures.js';

const COLOURS = ['#c0392b', '#27ae60', '#2980b9', '#8e44ad', '#f39c12', '#16a085'];
const TOO_MANY = 'Allow maximum 10 images.';

const filesOf = (count: number) =>
  Promise.all(
    Array.from({ length: count }, async (_, at) =>
      asFile(`${at}.png`, await newPicture(COLOURS[at % COLOURS.length] ?? '#2980b9', 900, 600)),
    ),
  );

/** Drops images on the form as a file manager does. */
async function drop(dialog: Locator, count: number): Promise<void> {
  const picture = (await newPicture('#2c3e50', 64, 64)).toString('base64');
  const dataTransfer = await dialog.page().evaluateHandle(
    `(() => {
      const transfer = new DataTransfer();
      const bytes = Uint8Array.from(atob('${picture}'), (letter) => letter.charCodeAt(0));
      for (let at = 0; at < ${count}; at += 1)
        transfer.items.add(new File([bytes], 'dropped-' + at + '.png', { type: 'image/png' }));
      return transfer;
    })()`,
  );
  await dialog.getByText('Drop or paste images here').dispatchEvent('drop', { dataTransfer });
}

async function choose(page: Page, dialog: Locator, count: number): Promise<void> {
  const chooser = page.waitForEvent('filechooser');
  await dialog.getByRole('button', { name: 'choose files' }).click();
  await (await chooser).setFiles(await filesOf(count));
}

interface Transform {
  readonly x: number;
  readonly y: number;
  readonly scale: number;
  readonly turn: number;
}

/** Position, scale and rotation of the lightbox image, from its transform. */
function transformOf(picture: Locator): Promise<Transform> {
  return picture.evaluate((image) => {
    const [x, y, scale, turn] = (image.getAttribute('style') ?? '').match(/-?[\d.]+(?=px|\)|deg)/g) ?? [];
    return { x: Number(x), y: Number(y), scale: Number(scale), turn: Number(turn) };
  });
}

test('images are chosen with the file input, and any beyond ten are rejected with a message', async ({
  api,
  openAs,
}) => {
  const [asker, student] = await Promise.all([api.newStudent(), api.newStudent()]);
  const questionId = await api.ask(asker, unique('Which spring is stiffer?'));
  const page = await openAs(student, `/singleQuestion/${questionId}/home`);
  const dialog = await openAnswer(page);
  await dialog.getByRole('textbox', { name: 'Your answer' }).click();
  await page.keyboard.type('The shorter one, as the pictures show.');
  await choose(page, dialog, 2);
  await expect(dialog.getByText('2 of 10')).toBeVisible();

  await drop(dialog, 8);
  await expect(dialog.getByText('10 of 10')).toBeVisible();
  await expect(page.getByText(TOO_MANY)).toHaveCount(0);
  await drop(dialog, 1);
  await expect(page.getByText(TOO_MANY)).toBeVisible();
  await expect(dialog.getByText('10 of 10')).toBeVisible();
  await dialog.getByRole('button', { name: 'Submit' }).click();
  await expect(page.getByText('Answer added successfully!')).toBeVisible();

  const answer = page.getByRole('article', { name: `Answer by ${student.userName}` });
  await expect(answer.getByRole('list', { name: 'Images' }).getByRole('listitem')).toHaveCount(3);
  await expect(answer.getByText('+7')).toBeVisible();
  await answer.getByRole('button', { name: 'Open image 3 of 10' }).click();
  await expect(page.getByRole('dialog', { name: 'Image 3 of 10' })).toBeVisible();
});

test('the lightbox zooms, rotates, moves and wraps around', async ({ api, openAs }) => {
  const student = await api.newStudent();
  const files = await filesOf(6);
  const imageUrls = await Promise.all(files.map(({ buffer }) => api.upload(student, buffer)));
  const questionId = await api.ask(student, unique('What moves here?'), { imageUrls });
  const page = await openAs(student, `/singleQuestion/${questionId}/home`);
  await expect(page.getByRole('list', { name: 'Images' }).getByRole('listitem')).toHaveCount(4);
  await expect(page.getByText('+2')).toBeVisible();
  await page.getByRole('button', { name: 'Open image 1 of 6' }).click();
  const lightbox = page.getByRole('dialog', { name: /^Image \d of 6$/ });
  const picture = lightbox.getByRole('img');
  await expect(picture).toBeVisible();
  const still = { x: 0, y: 0, scale: 1, turn: 0 };
  const expectTransform = (place: Partial<Transform>) =>
    expect.poll(() => transformOf(picture)).toEqual({ ...still, ...place });

  await lightbox.getByRole('button', { name: 'Zoom in' }).click();
  await expectTransform({ scale: 1.3 });
  await lightbox.getByRole('button', { name: 'Zoom in' }).click();
  await expectTransform({ scale: 1.6 });
  await lightbox.getByRole('button', { name: 'Zoom out' }).click();
  await expectTransform({ scale: 1.3 });
  await page.keyboard.press('Escape');
  await expectTransform({});

  await picture.dblclick();
  await expect.poll(async () => (await transformOf(picture)).scale).toBe(4);
  const before = await transformOf(picture);
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('ArrowUp');
  await expectTransform({ x: before.x + 20, y: before.y + 20, scale: 4 });
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowDown');
  await expectTransform({ ...before });
  await page.mouse.move(720, 450);
  await page.mouse.down();
  await page.mouse.move(660, 490, { steps: 4 });
  await page.mouse.up();
  await expectTransform({ x: before.x - 60, y: before.y + 40, scale: 4 });
  await lightbox.getByRole('button', { name: 'Rotate' }).click();
  await expectTransform({ x: before.x - 60, y: before.y + 40, scale: 4, turn: 90 });

  await lightbox.getByRole('button', { name: 'Previous image' }).click();
  await expect(page.getByRole('dialog', { name: 'Image 6 of 6' })).toBeVisible();
  await expectTransform({});
  await lightbox.getByRole('button', { name: 'Next image' }).click();
  await expect(page.getByRole('dialog', { name: 'Image 1 of 6' })).toBeVisible();

  await lightbox.getByRole('button', { name: 'Rotate' }).click();
  await page.keyboard.press('Escape');
  await expectTransform({});
  await expect(lightbox).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);
});
