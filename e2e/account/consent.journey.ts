import { unique } from '../support/api.js';
import { expect, test } from '../support/journey.js';
import { mailedLink } from '../support/mail.js';

test('a maintainer requires ages, and a parent gives consent on a phone and withdraws it', async ({
  api,
  openAs,
  page: phone,
}) => {
  const name = unique('Chess');
  const maintainer = await openAs(await api.maintainer(), '/maintenance/content/spaces');
  await maintainer.getByRole('button', { name: 'New space' }).click();
  const form = maintainer.getByRole('dialog');
  await form.getByRole('textbox', { name: 'Name' }).fill(name);
  await form.getByLabel('Guardian consent required under age').fill('9');
  await form.getByRole('button', { name: 'Save' }).click();
  await expect(form.getByText('The age of consent must be between 10 and 21 years.')).toBeVisible();
  await form.getByLabel('Guardian consent required under age').fill('16');
  await form.getByRole('button', { name: 'Save' }).click();
  await expect(form).toBeHidden();

  const student = await api.newStudent();
  const parent = `${unique('parent').replace(/\W+/g, '.').toLowerCase()}@example.org`;
  const page = await openAs(student, '/space');
  const card = page.getByRole('button', { name: new RegExp(name) });
  await card.click();
  await page
    .getByRole('dialog', { name: 'How old are you?' })
    .getByRole('button', { name: 'Under 16' })
    .click();
  const asking = page.getByRole('dialog', { name: 'Ask a parent or guardian' });
  await asking.getByLabel('Email of a parent or guardian').fill(parent);
  await asking.getByRole('button', { name: 'Send link' }).click();
  await expect(asking.getByText(/^We sent the link\./)).toBeVisible();
  await asking.getByRole('button', { name: 'Close' }).last().click();
  await expect(card).toContainText('Waiting for consent');

  const link = await mailedLink(
    api.url,
    parent,
    `${student.userName} needs your consent to join a space on Nimo`,
  );
  await phone.setViewportSize({ width: 360, height: 740 });
  await phone.goto(link);
  await expect(phone.getByText(new RegExp(`^${student.userName} wants to join “${name}”`))).toBeVisible();
  expect(await phone.evaluate<number>('document.documentElement.scrollWidth')).toBeLessThanOrEqual(360);
  await phone.getByRole('button', { name: 'I agree' }).click();
  await expect(phone.getByText(`You agreed. ${student.userName} can join “${name}”.`)).toBeVisible();

  await expect(phone).toHaveTitle('Consent given | Nimo');

  await page.reload();
  await card.click();
  await page.getByRole('dialog').getByRole('button', { name: 'Join Space' }).click();
  await expect(page).toHaveURL(/\/dashboard$/);

  await phone.goto(link);
  await phone.getByRole('button', { name: 'Withdraw my consent' }).click();
  await expect(phone.getByText(`You declined. ${student.userName} cannot join “${name}”.`)).toBeVisible();
  await page.goto('/space');
  await expect(
    page.getByRole('region', { name: 'All Spaces' }).getByRole('button', { name: new RegExp(name) }),
  ).not.toContainText('Joined');
});
