import { describe, expect, it } from '@jest/globals';
import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import '../../../app/area-routes';
import { fakeApi, type Answers } from '../../../testing/fake-api';
import { newAuthor, newAuthUser, newSpace, newStudent } from '../../../testing/fixtures';
import { renderApp } from '../../../testing/render-app';
import '../../../features/areas/require-area';
import './case-screen';
import './cases-screen';

const space = newSpace();
const me = newAuthUser();
const [ann, bea, colleague] = [
  newAuthor({ userName: 'ann' }),
  newAuthor({ userName: 'bea' }),
  newAuthor({ userName: 'colleague' }),
];
const vote = {
  ...{ postId: 'q-1', postType: 'QUESTION', direction: 'UP', castAt: '2026-11-20T08:00:00.000Z' },
  ...{ isHeld: true, caseIds: [], voter: ann, author: bea, question: { _id: 'q-1', title: 'Why?' } },
};
const proposed = {
  ...{ _id: 'c-1', category: 'ARRANGED', reason: 'They agreed', votes: 101, state: 'PROPOSED' },
  ...{ openedAt: '2026-11-21T08:00:00.000Z', invalidatedAt: null, spaces: [space], moderator: colleague },
  ...{ proposedBy: colleague, declinedBy: null, declineReason: null, declinedAt: null },
  ...{ reversedBy: null, reversalReason: null, reversedAt: null, canBeConfirmed: true, effect: null },
  reviewedVotes: [vote],
};
const own = { ...proposed, proposedBy: newAuthor({ _id: me._id, userName: 'me' }) };
const effect = { students: [], studentCount: 0, posts: [], postCount: 0 };

function open(address: string, answers: Answers) {
  const api = fakeApi({
    getStudent: () => newStudent({ _id: me._id, roles: [{ role: 'MODERATOR', space: null }] }),
    getSpaces: () => [space],
    previewInvalidation: () => ({ fingerprint: 'f-1', needsConfirmation: true, effect }),
    confirmInvalidation: () => ({ _id: 'c-1' }),
    declineInvalidation: () => ({ _id: 'c-1' }),
    ...answers,
  });
  renderApp(address, { user: me });
  return { api, user: userEvent.setup({ delay: null }) };
}

describe('a proposed case', () => {
  it('is confirmed by another moderator after a preview of its effect', async () => {
    const { api, user } = open('/moderation/cases/c-1', { getInvalidationCase: () => proposed });
    const decision = within(await screen.findByRole('region', { name: 'Confirm or decline' }));
    expect(screen.getByRole('region', { name: 'Decision' })).toHaveTextContent('Proposed by');
    expect(screen.queryByText('Effect when confirmed')).toBeNull();
    expect(decision.queryByRole('button', { name: /^Confirm/ })).toBeNull();
    await user.click(decision.getByRole('button', { name: 'Preview effect' }));
    await user.click(await decision.findByRole('button', { name: 'Confirm: invalidate 1 vote' }));
    expect(await screen.findByText('Votes invalidated')).toBeVisible();
    expect(api.calls('PreviewInvalidation')[0]?.variables).toEqual({
      votes: [{ postId: 'q-1', voterId: ann._id }],
    });
    expect(api.calls('ConfirmInvalidation')[0]?.variables).toEqual({ caseId: 'c-1', fingerprint: 'f-1' });
  });

  it('is declined with a reason', async () => {
    const { api, user } = open('/moderation/cases/c-1', { getInvalidationCase: () => proposed });
    const decline = await screen.findByRole('button', { name: 'Decline' });
    expect(decline).toBeDisabled();
    await user.type(screen.getByRole('textbox', { name: 'Reason for declining' }), 'A class');
    await user.click(decline);
    expect(await screen.findByText('Proposal declined')).toBeVisible();
    expect(api.calls('DeclineInvalidation')[0]?.variables).toEqual({ caseId: 'c-1', reason: 'A class' });
  });

  it('is withdrawn by its proposer, who cannot confirm it', async () => {
    const { user } = open('/moderation/cases/c-1', { getInvalidationCase: () => own });
    const decision = within(await screen.findByRole('region', { name: 'Your proposal' }));
    expect(decision.getByText(/Another moderator has to confirm your proposal/)).toBeVisible();
    expect(decision.queryByRole('button', { name: 'Preview effect' })).toBeNull();
    expect(decision.queryByText(/A maintainer can name one/)).toBeNull();
    await user.type(decision.getByRole('textbox', { name: 'Reason for withdrawing' }), 'A mistake');
    await user.click(decision.getByRole('button', { name: 'Withdraw' }));
    expect(await screen.findByText('Proposal withdrawn')).toBeVisible();
  });

  it.each([
    ['withdrawn', { ...vote, isHeld: false }],
    ['invalidated', { ...vote, caseIds: ['c-2'] }],
  ])('says why it cannot be confirmed once a vote was %s, and can still be declined', async (_, changed) => {
    const answer = { canBeConfirmed: false, reviewedVotes: [changed] };
    open('/moderation/cases/c-1', { getInvalidationCase: () => ({ ...proposed, ...answer }) });
    expect(await screen.findByText(/so the proposal cannot be confirmed/)).toBeVisible();
    expect(screen.queryByRole('button', { name: 'Preview effect' })).toBeNull();
    expect(screen.getByRole('button', { name: 'Decline' })).toBeVisible();
  });

  it('tells its proposer to withdraw it once a vote no longer stands', async () => {
    const changed = { canBeConfirmed: false, reviewedVotes: [{ ...vote, isHeld: false }] };
    open('/moderation/cases/c-1', { getInvalidationCase: () => ({ ...own, ...changed }) });
    expect(await screen.findByText(/nobody can confirm the proposal/)).toBeVisible();
    expect(screen.queryByText(/A maintainer can name one/)).toBeNull();
    expect(screen.getByRole('button', { name: 'Withdraw' })).toBeVisible();
  });

  it('says that a maintainer can name another moderator if there is none', async () => {
    open('/moderation/cases/c-1', { getInvalidationCase: () => ({ ...own, canBeConfirmed: false }) });
    expect(await screen.findByText(/A maintainer can name one/)).toBeVisible();
  });
});

describe('a decided case', () => {
  it('names who proposed and who confirmed, and can be reversed', async () => {
    const invalidatedAt = '2026-11-22T08:00:00.000Z';
    open('/moderation/cases/c-1', {
      getInvalidationCase: () => ({ ...proposed, state: 'INVALIDATED', invalidatedAt, moderator: bea }),
    });
    const decision = await screen.findByRole('region', { name: 'Decision' });
    expect(decision).toHaveTextContent(/Proposed by.*colleague.*Confirmed by.*bea/);
    expect(screen.getByRole('region', { name: 'Reverse invalidation' })).toBeVisible();
  });

  it('shows why it was declined', async () => {
    open('/moderation/cases/c-1', {
      getInvalidationCase: () => ({
        ...{ ...proposed, state: 'DECLINED', declinedBy: bea, declineReason: 'A class' },
        declinedAt: '2026-11-22T08:00:00.000Z',
      }),
    });
    expect(await screen.findByRole('alert')).toHaveTextContent(/Declined.*bea.*A class/);
    expect(screen.queryByRole('region', { name: 'Confirm or decline' })).toBeNull();
    expect(screen.queryByRole('region', { name: 'Reverse invalidation' })).toBeNull();
  });

  it('is listed with its state', async () => {
    const states = ['PROPOSED', 'INVALIDATED', 'DECLINED', 'REVERSED'];
    const docs = states.map((state) => ({ ...proposed, _id: state, state }));
    open('/moderation/cases', { getInvalidationCases: () => ({ docs, page: 1, totalPages: 1 }) });
    const rows = within(await screen.findByRole('table', { name: 'Invalidated votes' })).getAllByRole('row');
    expect(rows.slice(1).map((row) => within(row).getAllByRole('cell').at(-1)?.textContent)).toEqual([
      ...['Proposed', 'Invalidated', 'Declined', 'Reversed'],
    ]);
  });
});
