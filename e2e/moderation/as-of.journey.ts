import { expectAccessible } from '../support/accessibility.js';
import { type NimoApi, type Student, unique } from '../support/api.js';
import { expect, test } from '../support/journey.js';

const BOARD_PAGE_SIZE = 20;

interface Entry {
  readonly ordinal: number;
}

/** Event numbers of the votes on a post, oldest first. */
async function votesOn(api: NimoApi, { token }: Student, post: string): Promise<number[]> {
  const { getAuditEntries } = await api.graphql<{ getAuditEntries: { nodes: Entry[] } }>(
    'query($post: ID!) { getAuditEntries(filter: { post: $post }) { nodes { ordinal } } }',
    { post },
    token,
  );
  return getAuditEntries.nodes.map(({ ordinal }) => ordinal).reverse();
}

async function rankAt(api: NimoApi, { token }: Student, studentId: string, ordinal: number) {
  const space = await api.space(token);
  const { getScoreAsOf } = await api.graphql<{ getScoreAsOf: { rank: number; score: number } | null }>(
    `query($space: ID!, $studentId: ID!, $ordinal: Int!) {
      getScoreAsOf(space: $space, studentId: $studentId, asOf: { ordinal: $ordinal }) { rank score } }`,
    { space: space._id, studentId, ordinal },
    token,
  );
  return getScoreAsOf;
}

test('a moderator views a leaderboard at an earlier time, by key, event number and time', async ({
  api,
  openAs,
}) => {
  const [student, rival, voter, moderator] = await Promise.all([
    api.newStudent(),
    api.newStudent(),
    api.newStudent(),
    api.moderator(),
  ]);
  const own = await api.ask(student, unique('What was the score?'));
  await api.upvote(voter, own);
  await expect.poll(() => votesOn(api, moderator, own)).toHaveLength(1);
  const [vote = 0] = await votesOn(api, moderator, own);
  const rivals = [await api.ask(rival, unique('And mine?')), await api.ask(rival, unique('And this?'))];
  for (const question of rivals) await api.upvote(voter, question);
  await expect.poll(() => votesOn(api, moderator, rivals[1] ?? '')).toHaveLength(1);
  const then = await rankAt(api, moderator, student._id, vote);
  const space = await api.space(moderator.token);

  const page = await openAs(moderator, '/audit/as-of');
  await expect(page.getByRole('heading', { name: 'Time travel', level: 1 })).toBeVisible();
  await expect(page.getByRole('combobox', { name: 'Space' })).toHaveValue(space.name);
  await expectAccessible(page, 'the selection of an earlier time');
  await page.getByRole('button', { name: 'Show leaderboard' }).click();
  await expect(page.getByRole('status')).toContainText('As of');
  await expectAccessible(page, 'a leaderboard at an earlier time');

  const boardPage = Math.ceil((then?.rank ?? 1) / BOARD_PAGE_SIZE);
  await page.goto(`/audit/as-of/leaderboard?space=${space._id}&ordinal=${vote}&page=${boardPage}`);
  const row = page.getByRole('row').filter({ hasText: student.userName });
  await expect(row.getByRole('cell').first()).toHaveText(String(then?.rank));
  await expect(row.getByRole('img', { name: 'down 1 place since' })).toBeVisible();
  await expect(page.getByRole('status')).toContainText(
    /As of event [\d,]+\. This is a past state, not the current one/,
  );

  // One key press back: before the vote.
  const before = await rankAt(api, moderator, student._id, vote - 1);
  expect(before?.score).toBeLessThan(then?.score ?? 0);
  const slider = page.getByRole('slider', { name: 'Point in time' });
  await slider.focus();
  await page.keyboard.press('ArrowLeft');
  await expect(page).toHaveURL(new RegExp(`ordinal=${vote - 1}$`));
  await expect(slider).toHaveAttribute('aria-valuenow', String(vote - 1));
  const beforePage = Math.ceil((before?.rank ?? 1) / BOARD_PAGE_SIZE);
  if (beforePage > 1) await page.getByRole('button', { name: `Page ${beforePage}`, exact: true }).click();
  await expect(row.getByRole('cell').nth(4)).toHaveText(String(before?.score));

  await page.getByRole('textbox', { name: 'Event number' }).fill(String(vote));
  await expect(page).toHaveURL(new RegExp(`ordinal=${vote}$`));
  await expect(page.getByRole('status')).toContainText(`As of event ${vote.toLocaleString('en')}`);

  await page.getByText('Date', { exact: true }).click();
  await page.getByLabel('Date and time').fill('2001-01-01T08:30:05');
  await expect(page.getByRole('status')).toContainText('As of January 1, 2001');
  await expect(page.getByRole('heading', { name: 'No scores yet at this point' })).toBeVisible();
});

test('a moderator steps through the history of a question, starting from its page', async ({
  api,
  openAs,
}) => {
  const [asker, helper, moderator] = await Promise.all([api.newStudent(), api.newStudent(), api.moderator()]);
  const title = unique('What did this page look like?');
  const questionId = await api.ask(asker, title);
  const answerId = await api.answer(helper, questionId, '<p>Like this.</p>');
  await api.comment(asker, questionId, 'I wonder');
  await api.accept(asker, questionId, answerId);

  const page = await openAs(moderator, `/singleQuestion/${questionId}/home`);
  await page.getByRole('link', { name: 'Time travel' }).click();
  // The question's page has the same headings.
  await expect(page.getByText('Event', { exact: true })).toBeVisible();
  await expect(page.getByRole('heading', { name: title })).toBeVisible();
  await expect(page.getByRole('heading', { name: '1 answer' })).toBeVisible();
  await expect(page.getByText('Accepted', { exact: true })).toBeVisible();
  await expectAccessible(page, 'a question at an earlier time');

  await page.getByText('Event', { exact: true }).click();
  const back = page.getByRole('button', { name: /^Previous event/ });
  await back.click();
  await expect(page.getByText('Accepted', { exact: true })).toHaveCount(0);
  await expect(page.getByText('I wonder')).toBeVisible();
  await back.click();
  await expect(page.getByText('I wonder')).toHaveCount(0);
  await back.click();
  await expect(page.getByRole('heading', { name: '0 answers' })).toBeVisible();
  await expect(back).toBeDisabled();
  await page.getByText('Date', { exact: true }).click();
  await page.getByLabel('Date and time').fill('2001-01-01T08:30:05');
  await expect(page.getByRole('heading', { name: 'Not asked yet' })).toBeVisible();
  await page.reload();
  await expect(page.getByRole('heading', { name: 'Not asked yet' })).toBeVisible();
  await page.getByRole('link', { name: 'Show current version' }).click();
  await expect(page.getByRole('heading', { name: title })).toBeVisible();
});
