import { expectAccessible } from '../support/accessibility.js';
import { unique } from '../support/api.js';
import { expect, test } from '../support/journey.js';

test('a moderator publishes news, students like and save it, and it is edited, removed and restored', async ({
  api,
  openAs,
}) => {
  const [student, moderator] = await Promise.all([api.newStudent(), api.moderator()]);
  const title = unique('Sports day');
  const desk = await openAs(moderator, '/dashboard');
  await desk.getByRole('button', { name: /Account of/ }).click();
  await desk.getByRole('menuitem', { name: 'News' }).click();
  await expect(desk).toHaveURL(/\/news$/);
  await desk.getByRole('button', { name: 'Write news' }).click();
  const dialog = desk.getByRole('dialog', { name: 'Write news' });
  await dialog.getByRole('button', { name: 'Publish' }).click();
  await expect(dialog.getByText('Please add a title.')).toBeVisible();
  await dialog.getByLabel('Title').fill(title);
  await dialog.getByRole('textbox', { name: 'Text' }).fill('Bring water and a hat.');
  await expectAccessible(desk, 'write news');
  await dialog.getByRole('button', { name: 'Publish' }).click();
  await expect(desk.getByText('News published.')).toBeVisible();

  const page = await openAs(student, '/news');
  const post = page.getByRole('article', { name: title });
  await expect(post.getByText('Bring water and a hat.')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Write news' })).toHaveCount(0);
  await post.getByRole('button', { name: 'Like, 0 likes' }).click();
  await expect(post.getByRole('button', { name: 'Like, 1 like' })).toHaveAttribute('aria-pressed', 'true');
  await post.getByRole('button', { name: 'Save' }).click();
  await expect(post.getByRole('button', { name: 'Saved' })).toBeVisible();
  await expectAccessible(page, 'news');
  await page.getByText('Saved', { exact: true }).first().click();
  await expect(page).toHaveURL(/saved=1/);
  await expect(page.getByRole('article')).toHaveCount(1);

  const own = desk.getByRole('article', { name: title });
  await own.getByRole('button', { name: /More actions for/ }).click();
  await desk.getByRole('menuitem', { name: 'Edit' }).click();
  await desk.getByRole('dialog', { name: 'Edit news' }).getByLabel('Title').fill(`${title} is on Monday`);
  await desk.getByRole('button', { name: 'Save', exact: true }).last().click();
  await expect(desk.getByRole('article', { name: `${title} is on Monday` })).toBeVisible();
  await desk
    .getByRole('article', { name: `${title} is on Monday` })
    .getByRole('button', { name: /More actions for/ })
    .click();
  await desk.getByRole('menuitem', { name: 'Remove' }).click();
  await desk
    .getByRole('dialog', { name: 'Remove this news?' })
    .getByRole('button', { name: 'Remove' })
    .click();
  await expect(desk.getByRole('article', { name: title })).toHaveCount(0);
  await desk.getByRole('button', { name: 'Undo' }).click();
  await expect(desk.getByRole('article', { name: title })).toBeVisible();
});

test('older news loads five at a time near the end of the list', async ({ api, openAs }) => {
  const page = await openAs(await api.newStudent(), '/news');
  await expect(page.getByRole('article').first()).toBeVisible();
  await page.mouse.wheel(0, 20_000);
  await expect(page.getByRole('heading', { name: 'Welcome to Greenfield High on Nimo' })).toBeVisible();
});
