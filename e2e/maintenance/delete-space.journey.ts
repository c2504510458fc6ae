import { expectAccessible } from '../support/accessibility.js';
import { closedSpace } from '../support/closed-space.js';
import { expect, test } from '../support/journey.js';

test('a maintainer archives and deletes a space, and its name is free again', async ({ api, openAs }) => {
  const { name, id } = await closedSpace(api, 'INVITATION');
  const page = await openAs(await api.maintainer(), `/maintenance/content/spaces/${id}`);
  await expect(page.getByRole('heading', { name, level: 1 })).toBeVisible();
  await page.getByRole('button', { name: 'Archive' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Archive' }).click();
  await page.getByRole('button', { name: 'Delete' }).click();
  const dialog = page.getByRole('dialog', { name: `Delete ${name}?` });
  await expect(dialog.getByText('This cannot be undone:')).toBeVisible();
  await expectAccessible(page, 'the deletion of a space');
  const typed = dialog.getByRole('textbox', { name: 'To confirm' });
  await expect(typed).toBeFocused();
  await typed.fill('Something else');
  await page.keyboard.press('Enter');
  await expect(dialog.getByText('This is not the name of the space.')).toBeVisible();
  await typed.fill(name);
  await page.keyboard.press('Enter');
  await expect(page.getByText(`${name} deleted`)).toBeVisible();
  await expect(page).toHaveURL(/\/maintenance\/content\/spaces$/);
  await expect(page.getByRole('heading', { name: 'Spaces and subjects' })).toBeVisible();
  await expect(page.getByRole('link', { name })).toHaveCount(0);

  await page.goto(`/maintenance/content/spaces/${id}`);
  await expect(page.getByRole('heading', { name: 'Space not found' })).toBeVisible();

  await page.goto('/maintenance/content/spaces');
  await page.getByRole('button', { name: 'New space' }).click();
  const added = page.getByRole('dialog', { name: 'New space' });
  await added.getByRole('textbox', { name: 'Name' }).fill(name);
  await added.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByRole('link', { name })).toBeVisible();
});
