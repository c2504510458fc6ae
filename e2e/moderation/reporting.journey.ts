import { unique } from '../support/api.js';
import { expect, test } from '../support/journey.js';

const REASONS = [
  'Its spam',
  'Nudity or sexual activity',
  'Hate picture or symbols',
  "I just don't like it",
  'Bullying or harassment',
  'Fasle information',
  'Violence or dangerous',
  'Scam or fraud',
  'Something else',
];

test(
  'a reported question disappears for the reporter, permanently and on every device',
  { tag: '@core' },
  async ({ api, openAs }) => {
    const [author, reporter] = await Promise.all([api.newStudent(), api.newStudent()]);
    const title = unique('Buy cheap essays');
    const questionId = await api.ask(author, title);
    const page = await openAs(reporter, `/dashboard?question=${questionId}`);
    const question = page.getByRole('article', { name: `Question: ${title}` });
    await question.getByRole('button', { name: 'More actions for this question' }).click();
    await page.getByRole('menuitem', { name: 'Report' }).click();
    const dialog = page.getByRole('dialog', { name: 'Why are you reporting this post' });
    await expect(dialog.getByText('anonymous')).toBeVisible();
    await expect(dialog.getByRole('radio')).toHaveCount(REASONS.length);
    for (const reason of REASONS) await expect(dialog.getByRole('radio', { name: reason })).toBeVisible();
    await expect(dialog.getByRole('button', { name: 'Submit' })).toBeDisabled();
    await dialog.getByRole('radio', { name: 'Its spam' }).check();
    await dialog.getByRole('button', { name: 'Submit' }).click();
    await expect(page.getByText('Report sent successfully!')).toBeVisible();
    await expect(page.getByRole('link', { name: title })).toHaveCount(0);
    await expect(question).toHaveCount(0);

    const elsewhere = await openAs(reporter, `/singleQuestion/${questionId}/home`);
    await expect(elsewhere.getByText('You reported this question')).toBeVisible();
  },
);
