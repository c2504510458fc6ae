import { expectAccessible } from '../support/accessibility.js';
import { unique, type NimoApi, type Student } from '../support/api.js';
import { expect, test } from '../support/journey.js';

/** Asks questions and reads each one back immediately, until `stop`. */
function askingAndReading(api: NimoApi, student: Student) {
  const stopping = new AbortController();
  let asked = 0;
  const done = (async () => {
    while (!stopping.signal.aborted) {
      const title = unique('Does anybody notice?');
      const questionId = await api.ask(student, title);
      const { question } = await api.graphql<{ question: { title: string } | null }>(
        'query($questionId: ID!) { question: getQuestionById(questionId: $questionId) { title } }',
        { questionId },
        student.token,
      );
      expect(question?.title).toBe(title);
      asked += 1;
    }
  })();
  // `stop` reports failures.
  done.catch(() => undefined);
  return {
    asked: () => asked,
    stop: async (): Promise<void> => {
      stopping.abort();
      await done;
    },
  };
}

test(
  'a maintainer rebuilds a projection without affecting readers',
  { tag: '@core' },
  async ({ api, openAs }) => {
    const [maintainer, student] = await Promise.all([api.maintainer(), api.newStudent()]);
    const page = await openAs(maintainer, '/maintenance');
    await expect(page.getByRole('heading', { name: 'Projections', level: 1 })).toBeVisible();
    await expect(
      page.getByRole('table', { name: 'Projections' }).getByText('Up to date').first(),
    ).toBeVisible();
    await expectAccessible(page, 'the projections');
    await page.getByRole('link', { name: 'questions', exact: true }).click();
    await expect(page.getByRole('heading', { name: 'questions', level: 1 })).toBeVisible();
    const generations = page.getByRole('table', { name: 'Generations' });
    const serving = generations.getByRole('row').filter({ has: page.getByText('Live', { exact: true }) });
    const servingNumber = async () =>
      Number.parseInt(await serving.getByRole('cell').first().innerText(), 10);
    await expect(generations.getByRole('row').nth(1)).toBeVisible();
    const before = await servingNumber();

    const students = askingAndReading(api, student);
    await page.getByRole('button', { name: 'Rebuild', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: 'Rebuild' });
    await expect(dialog).toContainText('replaces it once it has caught up');
    await dialog.getByRole('button', { name: 'Rebuild' }).click();
    await expect(dialog).toBeHidden();
    await expect.poll(servingNumber).toBe(before + 1);
    await expect(page.getByText(`Switched to generation ${before + 1}`, { exact: true })).toBeVisible();

    await page.getByRole('button', { name: 'Verify' }).click();
    await page.getByRole('dialog', { name: 'Verify' }).getByRole('button', { name: 'Verify' }).click();
    await expect(page.getByText('Matches the event log').first()).toBeVisible();
    await expect(page.getByText('Verification finished: Matches the event log').first()).toBeVisible();

    await generations.getByRole('button', { name: 'Switch back' }).click();
    await page
      .getByRole('dialog', { name: 'Switch back' })
      .getByRole('button', { name: 'Switch back' })
      .click();
    await expect.poll(servingNumber).toBe(before);
    await students.stop();
    expect(students.asked()).toBeGreaterThan(0);
    await expectAccessible(page, 'a projection');
  },
);

test('a held rebuild waits for the maintainer', async ({ api, openAs }) => {
  const page = await openAs(await api.maintainer(), '/maintenance/projections/news');
  await page.getByRole('button', { name: 'Rebuild and hold' }).click();
  const held = page.getByRole('dialog', { name: 'Rebuild and hold' });
  await held.getByRole('button', { name: 'Rebuild and hold' }).click();
  const ready = page.getByText(/^Generation \d+ is ready to switch$/);
  await expect(ready).toBeVisible();
  await expectAccessible(page, 'a projection ready to switch');
  await page.getByRole('button', { name: 'Switch', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Switch' });
  await dialog.getByRole('button', { name: 'Switch', exact: true }).click();
  await expect(ready).toBeHidden();
  await expect(page.getByText(/^Switched to generation \d+$/).first()).toBeVisible();
});

test('students and moderators cannot open the maintenance area', async ({ api, openAs }) => {
  for (const person of [await api.newStudent(), await api.moderator()]) {
    const page = await openAs(person, '/maintenance');
    await expect(page.getByRole('heading', { name: 'This page doesn’t exist' })).toBeVisible();
  }
});
