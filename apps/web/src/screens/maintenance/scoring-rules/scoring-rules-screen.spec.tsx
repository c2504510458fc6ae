import { describe, expect, it } from '@jest/globals';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import '../../../app/area-routes';
import '../../../features/areas/require-area';
import '../../../features/charts/charts';
import { apiError, fakeApi, type Answers } from '../../../testing/fake-api';
import { newAuthor, newAuthUser, newSpace, newStudent } from '../../../testing/fixtures';
import { renderApp } from '../../../testing/render-app';
import './scoring-rules-screen';
import './scoring-version-screen';

const me = newAuthUser();
const space = newSpace();
const kinds = ['QUESTION_POSTED', 'UPVOTE_CAST', 'QUESTION_UPVOTED', 'POST_REPORTED'];
const weights = [
  { kind: 'QUESTION_POSTED', merit: 0, impact: 10 },
  { kind: 'UPVOTE_CAST', merit: 0, impact: 1 },
  { kind: 'QUESTION_UPVOTED', merit: 50, impact: 0 },
  { kind: 'POST_REPORTED', merit: -200, impact: 0 },
];
const safeguards = {
  acceptancePaysOncePerQuestion: false,
  deletionForfeitsWithinHours: 0,
  downvotesNeedMerit: false,
  upheldReportsCount: false,
};
const first = {
  version: 1,
  effectiveFrom: null,
  reportThreshold: 3,
  weights,
  safeguards,
  note: 'Initial rules',
  publishedAt: null,
  publishedBy: null,
  state: 'REPLACED',
  withdrawnAt: null,
  withdrawnBy: null,
  withdrawalReason: null,
};
const second = {
  ...first,
  version: 2,
  note: 'Asking counts more',
  publishedAt: '2026-10-01T10:00:00.000Z',
  publishedBy: newAuthor({ userName: 'sam_admin' }),
  state: 'IN_FORCE',
};
const third = {
  ...second,
  version: 3,
  note: 'Asking counts less',
  state: 'SCHEDULED',
  effectiveFrom: '2030-06-01T10:00:00.000Z',
};
const draft = {
  revision: 'd0a7a7c2-0000-4000-8000-000000000001',
  basedOn: 2,
  effectiveFrom: null as string | null,
  reportThreshold: 3,
  weights,
  safeguards,
  savedAt: '2026-10-02T10:00:00.000Z',
  savedBy: newAuthor({ userName: 'sam_admin' }),
};
const trial = {
  _id: 'd0a7a7c2-0000-4000-8000-00000000000a',
  effectiveFrom: null,
  calculatedAt: '2026-10-02T10:01:00.000Z',
  durationMs: 1250,
  students: 40,
  movers: 12,
  gainers: 11,
  losers: 1,
  reranked: 20,
  refusedDownvotes: 7,
  pointsBefore: 1000,
  pointsAfter: 1500,
  lines: [{ line: 'MEDALS', entered: 1, left: 2 }],
  distribution: [
    { from: 1, to: 1, before: 5, after: 4 },
    { from: 10001, to: null, before: 0, after: 1 },
  ],
};
const standing = (rank: number, score: number) => ({ rank, score, reputations: score, commitments: 0 });
const mover = {
  _id: 'm1',
  spaceId: space._id,
  spaceName: space.name,
  student: newAuthor({ userName: 'meera_nair' }),
  before: standing(7, 51),
  after: standing(2, 201),
  change: 150,
};
const page = (docs: readonly object[]) => ({ docs, page: 1, totalPages: 1 });

function open(answers: Answers = {}, address = '/maintenance/scoring') {
  const api = fakeApi({
    getStudent: () => newStudent({ _id: me._id, roles: [{ role: 'MAINTAINER', space: null }] }),
    getSpaces: () => [space],
    getScoringVersions: () => [second, first],
    getScoringDraft: () => null,
    getScoringMoves: () => page([mover]),
    ...answers,
  });
  return { api, user: userEvent.setup(), ...renderApp(address, { user: me }) };
}

describe('the scoring rules', () => {
  it('show the current rules and every version with its note, author and date', async () => {
    open();
    const table = await screen.findByRole('table', { name: 'In force: version 2' });
    for (const name of ['Question asked', 'Upvote given', 'Question upvoted', 'Post reported'])
      expect(within(table).getByRole('rowheader', { name })).toBeVisible();
    expect(within(table).getByText('−200')).toBeVisible();
    expect(screen.getByText('Asking counts more')).toBeVisible();
    expect(screen.getByText(/by sam_admin/)).toBeVisible();
    expect(screen.getByRole('link', { name: 'Leaderboard under version 1' })).toHaveAttribute(
      'href',
      '/maintenance/scoring/versions/1',
    );
  });

  it('start a draft from any version', async () => {
    const { api, user } = open({
      saveScoringDraft: () => {
        api.change({ getScoringDraft: () => ({ ...draft, basedOn: 1 }) });
        return { ...draft, basedOn: 1 };
      },
    });
    await user.click(await screen.findByRole('button', { name: 'Create draft from version 1' }));
    expect(await screen.findByRole('heading', { name: 'Draft based on version 1' })).toBeVisible();
    expect(api.calls('SaveScoringDraft')[0]?.variables).toMatchObject({
      draft: { basedOn: 1, reportThreshold: 3 },
    });
  });

  it('save valid input against the state that was shown', async () => {
    let revision = 1;
    const { api, user } = open({
      getScoringDraft: () => draft,
      saveScoringDraft: () => ({
        ...draft,
        revision: `d0a7a7c2-0000-4000-8000-00000000001${(revision += 1)}`,
      }),
    });
    const field = await screen.findByRole('textbox', { name: 'Question upvoted: Merit' });
    await user.clear(field);
    expect(await screen.findByText('Enter a whole number')).toBeVisible();
    expect(screen.getByRole('button', { name: 'Preview' })).toBeDisabled();
    await user.click(field);
    await user.paste('200');
    await waitFor(() => expect(api.calls('SaveScoringDraft')).toHaveLength(1));
    const [sent] = api.calls('SaveScoringDraft');
    expect(sent?.variables['revision']).toBe(draft.revision);
    expect((sent?.variables['draft'] as { weights: object[] }).weights).toHaveLength(kinds.length);
    expect(await screen.findByText('was +50')).toBeVisible();
    await waitFor(() => expect(screen.getByRole('button', { name: 'Preview' })).toBeEnabled());
    // A given vote earns impact only, so there is no merit field.
    expect(screen.queryByRole('textbox', { name: 'Upvote given: Merit' })).toBeNull();
  });

  it('switch the rules against farming on and off, with the hours of a deletion', async () => {
    const { api, user } = open({ getScoringDraft: () => draft, saveScoringDraft: () => draft });
    await user.click(await screen.findByRole('switch', { name: /Acceptance pays once/ }));
    await user.click(screen.getByRole('switch', { name: /Deleting one’s own post/ }));
    const hours = await screen.findByRole('textbox', { name: 'Hours after posting' });
    expect(hours).toHaveValue('24');
    await user.clear(hours);
    expect(await screen.findByText('From 1 to 720')).toBeVisible();
    await user.click(hours);
    await user.paste('48');
    await waitFor(() =>
      expect(api.calls('SaveScoringDraft').at(-1)?.variables).toMatchObject({
        draft: {
          safeguards: {
            ...safeguards,
            acceptancePaysOncePerQuestion: true,
            deletionForfeitsWithinHours: 48,
          },
        },
      }),
    );
    await user.click(screen.getByRole('switch', { name: /Deleting one’s own post/ }));
    await waitFor(() =>
      expect(api.calls('SaveScoringDraft').at(-1)?.variables).toMatchObject({
        draft: { safeguards: { ...safeguards, acceptancePaysOncePerQuestion: true } },
      }),
    );
  });

  it('list the rules against farming that are on', async () => {
    const on = { ...safeguards, deletionForfeitsWithinHours: 24, upheldReportsCount: true };
    open({ getScoringVersions: () => [{ ...second, safeguards: on }, first] });
    expect(await screen.findByText('Upheld reports always cost points')).toBeVisible();
    expect(screen.getByText('Deleting one’s own post within 24 hours forfeits its points')).toBeVisible();
    expect(screen.queryByText('Downvotes need merit')).not.toBeInTheDocument();
  });

  it('report that someone else changed the draft', async () => {
    const { user } = open({
      getScoringDraft: () => draft,
      saveScoringDraft: () => {
        throw apiError('Someone else changed this draft. Reload it and review the changes.', 'CONFLICT');
      },
    });
    await user.type(await screen.findByRole('textbox', { name: 'Question asked: Impact' }), '5');
    expect(await screen.findByRole('alert')).toHaveTextContent('Someone else changed this draft');
    expect(screen.getByRole('button', { name: 'Reload' })).toBeVisible();
  });

  it('are previewed, and then published in two steps with a note', async () => {
    const { api, user } = open({
      getScoringDraft: () => draft,
      tryScoringDraft: () => trial,
      publishScoringDraft: () => ({ _id: draft.revision }),
    });
    await user.click(await screen.findByRole('button', { name: 'Preview' }));
    expect(await screen.findByText('12 of 40')).toBeVisible();
    expect(screen.getByText('+500')).toBeVisible();
    expect(await screen.findByRole('link', { name: 'meera_nair' })).toBeVisible();
    expect(screen.getByText('7 → 2')).toBeVisible();
    expect(screen.getByText('+150')).toBeVisible();
    expect(screen.getByRole('table', { name: 'Score distribution' })).toBeInTheDocument();

    await user.click(screen.getByRole('button', { name: 'Publish…' }));
    const dialog = await screen.findByRole('dialog', { name: 'Publish version 3' });
    expect(within(dialog).getByRole('button', { name: 'Continue' })).toBeDisabled();
    await user.type(within(dialog).getByRole('textbox', { name: 'Note to students' }), 'More for asking');
    await user.click(within(dialog).getByRole('button', { name: 'Continue' }));
    expect(within(dialog).getByText('12 of 40 scores will change.')).toBeVisible();
    expect(within(dialog).getByText('More for asking')).toBeVisible();
    expect(api.calls('PublishScoringDraft')).toHaveLength(0);
    await user.click(within(dialog).getByRole('button', { name: 'Publish for everyone' }));
    expect(await screen.findByText('Version 3 published')).toBeVisible();
    expect(api.calls('PublishScoringDraft')[0]?.variables).toEqual({
      revision: draft.revision,
      expectedVersion: 2,
      note: 'More for asking',
    });
  });

  it('show a scheduled version with its date, next to the one in force', async () => {
    open({ getScoringVersions: () => [third, second, first] });
    expect(await screen.findByRole('table', { name: 'In force: version 2' })).toBeVisible();
    const versions = within(screen.getByRole('region', { name: 'Versions' }));
    const [scheduled, inForce] = versions.getAllByRole('listitem');
    if (!scheduled || !inForce) throw new Error('versions are missing');
    expect(within(scheduled).getByText('scheduled')).toBeVisible();
    expect(within(scheduled).getByText(/from June 1, 2030/)).toBeVisible();
    expect(within(inForce).getByText('in force')).toBeVisible();
    expect(within(inForce).queryByRole('button', { name: /Withdraw/ })).toBeNull();
  });

  it('withdraw a scheduled version with a reason, which the list shows', async () => {
    const { api, user } = open({
      getScoringVersions: () => [third, second, first],
      withdrawScoringVersion: () => {
        const withdrawal = {
          state: 'WITHDRAWN',
          withdrawnAt: '2026-10-03T10:00:00.000Z',
          withdrawnBy: newAuthor({ userName: 'lena_admin' }),
          withdrawalReason: 'Too little',
        };
        api.change({ getScoringVersions: () => [{ ...third, ...withdrawal }, second, first] });
        return { _id: '3' };
      },
    });
    await user.click(await screen.findByRole('button', { name: 'Withdraw version 3' }));
    const dialog = await screen.findByRole('dialog', { name: 'Withdraw version 3?' });
    expect(within(dialog).getByRole('button', { name: 'Withdraw' })).toBeDisabled();
    await user.type(within(dialog).getByRole('textbox', { name: 'Reason' }), 'Too little');
    await user.click(within(dialog).getByRole('button', { name: 'Withdraw' }));
    expect(await screen.findByText('Version 3 withdrawn')).toBeVisible();
    expect(api.calls('WithdrawScoringVersion')[0]?.variables).toEqual({ version: 3, reason: 'Too little' });
    expect(await screen.findByText(/withdrawn by lena_admin/)).toBeVisible();
    expect(screen.getByText('Too little')).toBeVisible();
    expect(screen.queryByRole('link', { name: 'Leaderboard under version 3' })).toBeNull();
  });

  it('number the next version after a withdrawn one, and start from the one before it', async () => {
    const { api, user } = open({
      getScoringVersions: () => [{ ...third, state: 'WITHDRAWN' }, second, first],
      getScoringDraft: () => draft,
      publishScoringDraft: () => ({ _id: draft.revision }),
    });
    await user.click(await screen.findByRole('button', { name: 'Publish…' }));
    const dialog = await screen.findByRole('dialog', { name: 'Publish version 4' });
    await user.type(within(dialog).getByRole('textbox', { name: 'Note to students' }), 'Again');
    await user.click(within(dialog).getByRole('button', { name: 'Continue' }));
    await user.click(within(dialog).getByRole('button', { name: 'Publish for everyone' }));
    expect(await screen.findByText('Version 4 published')).toBeVisible();
    expect(api.calls('PublishScoringDraft')[0]?.variables).toMatchObject({ expectedVersion: 2 });
  });

  it('keep the date of the version that a draft starts from, and save a different one', async () => {
    const saved = { ...draft, basedOn: 3, effectiveFrom: third.effectiveFrom };
    const { api, user } = open({
      getScoringVersions: () => [third, second, first],
      saveScoringDraft: ({ draft: input }) => {
        const next = { ...saved, ...(input as object) };
        api.change({ getScoringDraft: () => next });
        return next;
      },
    });
    await user.click(await screen.findByRole('button', { name: 'Create draft from version 3' }));
    expect(await screen.findByRole('radio', { name: 'From a date' })).toBeChecked();
    expect(api.calls('SaveScoringDraft')[0]?.variables['draft']).toMatchObject({
      effectiveFrom: third.effectiveFrom,
    });
    expect(screen.getByText(/Activity before June 1, 2030/)).toBeVisible();
    await user.click(screen.getByRole('radio', { name: 'Entire history' }));
    await waitFor(() =>
      expect(api.calls('SaveScoringDraft').at(-1)?.variables['draft']).toMatchObject({ effectiveFrom: null }),
    );
  });

  it('reject points with the wrong sign in their field', async () => {
    const { user } = open({ getScoringDraft: () => draft });
    const field = await screen.findByRole('textbox', { name: 'Post reported: Merit' });
    await user.clear(field);
    await user.paste('50');
    expect(await screen.findByText('This action can only cost points')).toBeVisible();
    expect(screen.getByRole('button', { name: 'Publish…' })).toBeDisabled();
  });

  it('name erased students without a link', async () => {
    const erased = { ...mover, _id: 'erased', student: { ...mover.student, _id: 'erased', userName: '' } };
    open(
      {
        getLeaderboardUnderRules: () => ({
          ...page([erased]),
          version: 1,
          calculatedAt: '2026-10-02T10:01:00.000Z',
        }),
      },
      '/maintenance/scoring/versions/1',
    );
    expect(await screen.findByText('Deleted student')).toBeVisible();
    expect(screen.queryByRole('link', { name: '' })).toBeNull();
  });

  it('show the leaderboard under an earlier version', async () => {
    const { api } = open(
      {
        getLeaderboardUnderRules: () => ({
          ...page([mover]),
          version: 1,
          calculatedAt: '2026-10-02T10:01:00.000Z',
        }),
      },
      '/maintenance/scoring/versions/1',
    );
    expect(await screen.findByRole('heading', { name: 'Version 1' })).toBeVisible();
    expect(await screen.findByText('7 → 2')).toBeVisible();
    expect(api.calls('LeaderboardUnderRules')[0]?.variables).toEqual({
      version: 1,
      space: space._id,
      page: 1,
    });
  });
});
