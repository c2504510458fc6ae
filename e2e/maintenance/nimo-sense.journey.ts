import { expectAccessible } from '../support/accessibility.js';
import { unique } from '../support/api.js';
import { expect, test } from '../support/journey.js';

test('Nimo Sense shows a student the activity of the space', async ({ api, openAs }) => {
  const student = await api.newStudent();
  const { subject } = await api.filing(student.token);
  await api.ask(student, unique('Counted?'));
  const page = await openAs(student, '/dashboard');
  await page.getByRole('button', { name: `Account of ${student.userName}` }).click();
  await page.getByRole('menuitem', { name: 'Nimo Sense' }).click();
  await expect(page).toHaveURL(/\/nimoSense$/);
  await expect(page.getByRole('heading', { level: 1, name: 'Nimo Sense' })).toBeVisible();
  const chart = page.getByRole('figure');
  await expect(chart.locator('.recharts-bar-rectangle').first()).toBeVisible();
  await expectAccessible(page, 'workload');
  await chart.getByRole('button', { name: 'Show as table' }).click();
  await expect(chart.getByRole('table')).toBeVisible();

  // The gauge updates without a reload.
  const gauge = page.getByRole('meter', { name: 'Solved questions' });
  const askedUntilNow = async () =>
    Number(/of ([\d,]+) q/.exec((await gauge.getAttribute('aria-valuetext')) ?? '')?.[1]?.replace(',', ''));
  await page.getByRole('button', { name: 'By Subject' }).click();
  await page.getByRole('combobox', { name: 'Subject' }).click();
  await page.getByRole('option', { name: subject.name }).click();
  await expect.poll(askedUntilNow).toBeGreaterThan(0);
  const before = await askedUntilNow();
  await api.ask(student, unique('Seen at once?'));
  await expect.poll(askedUntilNow).toBe(before + 1);

  await page.getByRole('tab', { name: 'Subject clarity' }).click();
  await expect(page.getByRole('row', { name: subject.name })).toBeVisible();
  await page.getByRole('button', { name: 'By Class' }).click();
  await expectAccessible(page, 'subject clarity');
  await page.getByRole('tab', { name: 'Career Development' }).click();
  await expect(page.getByRole('figure').locator('.recharts-area').first()).toBeVisible();
  await expectAccessible(page, 'career development');
  await page.getByRole('link', { name: 'How is my score calculated?' }).click();
  await expect(page.getByText('Reputations 1 + commitments 20 = 21')).toBeVisible();
});
