import { expectAccessible } from '../support/accessibility.js';
import { unique } from '../support/api.js';
import { expect, test } from '../support/journey.js';

test('the profile lists a student’s activities and links to them and back', async ({ api, openAs }) => {
  const [student, peer] = await Promise.all([api.newStudent(), api.newStudent()]);
  const [own, others] = [unique('What did I ask?'), unique('What did they ask?')];
  await api.ask(student, own, { body: '<p>Something <strong>bold</strong>.</p>' });
  const questionId = await api.ask(peer, others);
  await api.answer(student, questionId, '<p>An answer.</p>');
  await api.comment(student, questionId, 'And a comment');
  const page = await openAs(student, '/profile');
  await page.getByRole('tab', { name: 'My Activities' }).click();
  const labels = page.getByRole('article');
  await expect(labels).toHaveCount(3);
  await expect(labels.nth(0)).toContainText('You commented on a Question');
  await expect(labels.nth(1)).toContainText('You added an Answer');
  await expect(labels.nth(2)).toContainText('You asked a Question');
  await expect(labels.nth(2).locator('strong')).toHaveText('bold');
  const counts = page.getByRole('region', { name: 'My contribution' });
  await expect(counts).toContainText('Questions asked1');
  await expect(counts).toContainText('Questions answered1');
  await expect(counts).toContainText('Answers accepted0');
  await expectAccessible(page, 'my activities');

  // The whole card links to the question.
  await labels.nth(1).click({ position: { x: 20, y: 60 } });
  await expect(page).toHaveURL(new RegExp(`/singleQuestion/${questionId}/profile$`));
  await page
    .getByRole('button', { name: /^Upvote/ })
    .first()
    .click();
  await expect(page.getByText('Question upvoted successfully!')).toBeVisible();
  await page.goBack();
  await expect(page.getByRole('tab', { name: 'My Activities' })).toHaveAttribute('aria-selected', 'true');
  await expect(labels.first()).toContainText('You upvoted a Question');
});

test('hides votes from other students’ activities', async ({ api }) => {
  const [student, peer] = await Promise.all([api.newStudent(), api.newStudent()]);
  const space = await api.space(peer.token);
  await api.upvote(student, await api.ask(peer, unique('Who votes?')));
  const { done } = await api.graphql<{ done: { docs: unknown[] } }>(
    `query($space: ID!, $student: ID!) { done: getPaginatedStudentActivities(space: $space, student: $student) { docs { _id } } }`,
    { space: space._id, student: student._id },
    peer.token,
  );
  expect(done.docs).toEqual([]);
});
