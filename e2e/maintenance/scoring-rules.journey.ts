import { expectAccessible } from '../support/accessibility.js';
import { unique, type NimoApi, type Student } from '../support/api.js';
import { expect, test } from '../support/journey.js';

interface Version {
  readonly version: number;
  readonly reportThreshold: number;
  readonly weights: readonly object[];
}

/** Other journeys rely on the initial rules. */
async function restoreInitialRules(api: NimoApi, { token }: Student): Promise<void> {
  const { versions, draft } = await api.graphql<{
    versions: readonly Version[];
    draft: { readonly revision: string } | null;
  }>(
    `{ versions: getScoringVersions { version reportThreshold weights { kind merit impact } }
       draft: getScoringDraft { revision } }`,
    {},
    token,
  );
  if (draft)
    await api.graphql(
      'mutation($revision: ID!) { discardScoringDraft(revision: $revision) { _id } }',
      draft,
      token,
    );
  const [latest, first] = [versions[0], versions.at(-1)];
  if (!latest || !first || latest === first) return;
  const { version: basedOn, reportThreshold, weights } = first;
  const { saved } = await api.graphql<{ saved: { readonly revision: string } }>(
    'mutation($draft: ScoringDraftInput!) { saved: saveScoringDraft(draft: $draft) { revision } }',
    { draft: { basedOn, reportThreshold, weights } },
    token,
  );
  await api.graphql(
    `mutation($revision: ID!, $expectedVersion: Int!, $note: String!) {
      publishScoringDraft(revision: $revision, expectedVersion: $expectedVersion, note: $note) { _id }
    }`,
    { ...saved, expectedVersion: latest.version, note: 'As it was' },
    token,
  );
}

test.afterEach(async ({ api }) => restoreInitialRules(api, await api.maintainer()));

test('new rules are drafted, tried, published for the entire history, and announced to students', async ({
  api,
  openAs,
}) => {
  const [maintainer, author, voter] = await Promise.all([
    api.maintainer(),
    api.newStudent(),
    api.newStudent(),
  ]);
  await restoreInitialRules(api, maintainer);
  await api.upvote(voter, await api.ask(author, unique('What is an upvote worth?')));
  const board = await openAs(author, '/leaderboard');
  await expect(board.getByText(/with score of 61 !$/)).toBeVisible();

  const page = await openAs(maintainer, '/maintenance/scoring');
  const inForce = page.getByRole('heading', { name: /^In force: version \d+$/ });
  await expect(inForce).toBeVisible();
  const before = Number(/\d+$/.exec(await inForce.innerText())?.[0]);
  await expectAccessible(page, 'the scoring rules');
  await page.getByRole('button', { name: 'Create draft', exact: true }).click();
  const field = page.getByRole('textbox', { name: 'Question upvoted: Merit' });
  await field.fill('75');
  await expect(page.getByText('was +50')).toBeVisible();
  await expect(page.getByText(/^Saved by sam_admin/)).toBeVisible();

  await page.getByRole('button', { name: 'Preview' }).click();
  const result = page.getByRole('region', { name: 'Preview' });
  await expect(result).toBeVisible();
  await result.getByRole('textbox', { name: 'Student' }).fill(author.userName);
  const row = result.getByRole('row').filter({ hasText: author.userName });
  await expect(row).toContainText('61 → 86');
  await expect(row).toContainText('+25');
  await expectAccessible(page, 'the effects of a draft');
  // A trial changes nothing.
  await board.reload();
  await expect(board.getByText(/with score of 61 !$/)).toBeVisible();

  const note = unique('Good questions count more');
  await page.getByRole('button', { name: 'Publish…' }).click();
  const dialog = page.getByRole('dialog', { name: `Publish version ${before + 1}` });
  await dialog.getByRole('textbox', { name: 'Note to students' }).fill(note);
  await dialog.getByRole('button', { name: 'Continue' }).click();
  await expect(dialog).toContainText(note);
  await expectAccessible(page, 'the confirmation before rules are published');
  await dialog.getByRole('button', { name: 'Publish for everyone' }).click();
  await expect(page.getByRole('heading', { name: `In force: version ${before + 1}` })).toBeVisible();

  await board.reload();
  await expect(board.getByText(/with score of 86 !$/)).toBeVisible();
  await board.getByRole('button', { name: 'How scores are calculated' }).click();
  const scores = board.getByRole('dialog', { name: 'Leaderboard Scores' });
  await expect(scores).toContainText('+75');
  await expect(scores).toContainText(note);
  await board.goto('/leaderboard/score');
  await expect(board.getByRole('note', { name: 'Rule changes' })).toContainText(note);

  await page.getByRole('link', { name: 'Leaderboard under version 1' }).click();
  await expect(page.getByRole('heading', { name: 'Version 1', level: 1 })).toBeVisible();
  const under = page.getByRole('region', { name: 'Leaderboard under version 1' });
  await expect(under.getByRole('row').nth(1)).toBeVisible();
  await expect(under).toContainText('→');
  await expectAccessible(page, 'an earlier version of the rules');
});
