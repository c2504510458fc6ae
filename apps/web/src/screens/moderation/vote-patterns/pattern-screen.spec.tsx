import { describe, expect, it } from '@jest/globals';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import '../../../app/area-routes';
import { apiError, fakeApi, type Answers } from '../../../testing/fake-api';
import { newAuthor, newAuthUser, newSpace, newStudent } from '../../../testing/fixtures';
import { renderApp } from '../../../testing/render-app';
import '../../../features/areas/require-area';
import './pattern-screen';
import './patterns-screen';
import './vote-givers-screen';
import './votes-screen';
import '../vote-cases/case-screen';

const space = newSpace();
const me = newAuthUser();
const [ann, bea] = [newAuthor({ userName: 'ann' }), newAuthor({ userName: 'bea' })];
const question = { _id: 'q-1', title: 'Why?' };
const vote = {
  postId: 'q-1',
  postType: 'QUESTION',
  direction: 'UP',
  castAt: '2026-11-20T08:00:00.000Z',
  isHeld: true,
  caseIds: [],
  voter: ann,
  author: bea,
  question,
};
const link = {
  voter: ann,
  author: bea,
  direction: 'UP',
  votes: 12,
  given: 15,
  expected: 0.8,
  chanceLog10: -9.2,
};
const finding = {
  ...{
    _id: 'pair-1',
    kind: 'PAIR',
    votes: 12,
    expected: 0.8,
    chanceLog10: -9.2,
    from: null,
    until: null,
    newAccounts: null,
  },
  ...{ students: [ann, bea], links: [link] },
  ...{ state: 'NEW', hasGrown: false, revision: 0, triage: null },
};

function open(address: string, answers: Answers = {}) {
  fakeApi({
    getStudent: () => newStudent({ _id: me._id, roles: [{ role: 'MODERATOR', space: null }] }),
    getSpaces: () => [space],
    getVotePatterns: () => [finding],
    getVotePatternCounts: () => [],
    getVotePattern: () => ({ ...finding, evidence: [vote] }),
    ...answers,
  });
  renderApp(address, { user: me });
  return userEvent.setup();
}

describe('vote patterns', () => {
  it("link to the votes of the caller's first space if the URL names none", async () => {
    open('/moderation/votes', {
      getVotesForReview: ({ space: asked }) => ({
        docs: asked === space._id ? [vote] : [],
        page: 1,
        totalPages: 1,
      }),
    });
    expect(await screen.findByRole('table', { name: 'Votes' })).toBeVisible();
    await waitFor(() => expect(screen.getByRole('combobox', { name: 'Space' })).toHaveValue(space.name));
  });

  it('name erased people, without a link', async () => {
    const erased = newAuthor({ userName: '' });
    open(`/moderation/votes?space=${space._id}`, {
      getVotesForReview: () => ({
        docs: [{ ...vote, voter: erased, author: erased }],
        page: 1,
        totalPages: 1,
      }),
    });
    expect(await screen.findAllByText('Deleted student')).toHaveLength(2);
    expect(screen.getByRole('checkbox', { name: 'Vote by Deleted student on “Why?”' })).toBeVisible();
    expect(screen.queryByRole('link', { name: 'Deleted student' })).toBeNull();
  });

  it('say whose votes are missing, and that the voters of an import are not known', async () => {
    const author = newAuthor({ userName: 'Gilles' });
    const empty = { docs: [], page: 1, totalPages: 0, total: 0 };
    const givers = { author, received: { upvotes: 1_234, downvotes: 0 }, ...empty };
    open(`/moderation/votes?space=${space._id}&author=${author._id}`, {
      getVotesForReview: () => ({ docs: [], page: 1, totalPages: 0 }),
      getStudentDetail: ({ studentId }) => (studentId === author._id ? author : null),
      getVoteGivers: () => ({ ...givers, unknown: { upvotes: 1_230, downvotes: 4 } }),
    });
    expect(await screen.findByRole('heading', { name: 'Votes for posts by Gilles' })).toBeVisible();
    expect(screen.getByRole('textbox', { name: 'Author' })).toHaveValue('Gilles');
    expect(
      await screen.findByText(
        'All 1,234 valid votes for Gilles come from an import that does not say who cast them, so they cannot be reviewed.',
      ),
    ).toBeVisible();
  });

  it('filter votes by voter, author, post and minutes, in the URL', async () => {
    const id = (digit: number) => `${digit}1111111-1111-4111-8111-111111111111`;
    const [voter, author] = [
      newAuthor({ _id: id(1), userName: 'ann' }),
      newAuthor({ _id: id(2), userName: 'bea' }),
    ];
    const asked: unknown[] = [];
    const user = open(
      `/moderation/votes?space=${space._id}&voter=${id(1)}&author=${id(2)}&post=nonsense&from=2026-11-20T08:00Z&until=2026-11-20T08:00Z&page=2`,
      {
        searchUsers: () => ({ hits: [author] }),
        getVotesForReview: (variables) => {
          asked.push(variables);
          return { docs: [{ ...vote, voter, author }], page: 2, totalPages: 2 };
        },
      },
    );
    expect(await screen.findByRole('textbox', { name: 'Voter' })).toBeVisible();
    await waitFor(() => expect(screen.getByRole('textbox', { name: 'Voter' })).toHaveValue('ann'));
    expect(screen.getByRole('textbox', { name: 'Author' })).toHaveValue('bea');
    expect(asked.at(-1)).toMatchObject({
      ...{ voter: id(1), author: id(2), post: null },
      ...{ from: '2026-11-20T08:00:00.000Z', until: '2026-11-20T08:01:00.000Z' },
    });
    await user.click(screen.getByRole('checkbox', { name: 'Select all votes on this page' }));
    expect(
      screen.getByRole('heading', { name: /^Votes by ann, for posts by bea, from .+2026.+, until .+2026/ }),
    ).toBeVisible();
    const decision = () => screen.getByRole('region', { name: 'Invalidate votes' });
    expect(decision()).toHaveTextContent('1 vote selected');
    const field = screen.getByRole('textbox', { name: 'Voter' });
    await user.clear(field);
    await user.type(field, 'BEA{Enter}');
    await waitFor(() => expect(asked.at(-1)).toMatchObject({ voter: id(2) }));
    // A changed filter clears the selection.
    await waitFor(() => expect(decision()).toHaveTextContent('0 votes selected'));
    await user.click(screen.getByRole('button', { name: 'Clear filters' }));
    await waitFor(() =>
      expect(asked.at(-1)).toMatchObject({ voter: null, author: null, from: null, until: null }),
    );
  });

  it('are filtered by state, without harmless ones, with the open number of all spaces', async () => {
    const other = newSpace({ name: 'Algebra' });
    const count = { untriaged: 1, seen: 0, watched: 1, watchedAndGrown: 1, harmless: 1 };
    const at = '2026-11-20T08:00:00.000Z';
    const of = (_id: string, state: string, changes: object = {}) => ({
      ...finding,
      ...{ _id, state, students: [newAuthor({ userName: _id })], revision: 1 },
      triage: { verdict: state, at, votes: 10, moderator: bea },
      ...changes,
    });
    const user = open('/moderation/patterns', {
      getVotePatterns: () => [
        finding,
        of('watched_one', 'WATCHED', { hasGrown: true }),
        of('harmless_one', 'HARMLESS'),
      ],
      getVotePatternCounts: () => [
        { space, ...count },
        { space: other, ...count },
      ],
    });
    expect(await screen.findByRole('link', { name: 'ann, bea' })).toBeVisible();
    expect(screen.getByText('Grown')).toBeVisible();
    expect(screen.queryByRole('link', { name: 'harmless_one' })).toBeNull();
    expect(await screen.findByRole('link', { name: 'Algebra (2)' })).toHaveAttribute(
      'href',
      `/moderation/patterns?space=${other._id}`,
    );
    await user.click(screen.getByRole('radio', { name: 'Harmless (1)' }));
    expect(await screen.findByRole('link', { name: 'harmless_one' })).toBeVisible();
    expect(screen.queryByRole('link', { name: 'ann, bea' })).toBeNull();
    await user.click(screen.getByRole('radio', { name: 'Seen (0)' }));
    expect(await screen.findByText('No patterns in this state')).toBeVisible();
  });

  it('are triaged as shown, and report who was first', async () => {
    const sent: unknown[] = [];
    let current: object = finding;
    const user = open(`/moderation/patterns/${space._id}/pair-1`, {
      getVotePattern: () => ({ ...current, evidence: [vote] }),
      triageVotePattern: (variables) => {
        sent.push(variables);
        const triage = { verdict: 'HARMLESS', at: '2026-11-20T08:00:00.000Z', votes: 10, moderator: bea };
        current = { ...finding, state: 'NEW', hasGrown: true, revision: 1, triage };
        throw apiError(
          'Another moderator has triaged this pattern.',
          'CONFLICT',
          undefined,
          'PATTERN_TRIAGED',
        );
      },
    });
    expect(await screen.findByText('Not triaged yet')).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Watch' }));
    expect(await screen.findByText(/Another moderator has triaged this pattern/)).toBeVisible();
    expect(sent).toEqual([
      { space: space._id, pattern: 'pair-1', verdict: 'WATCHED', votes: 12, revision: 0 },
    ]);
    expect(await screen.findByText(/Harmless · bea.*grown from 10 to 12 votes/)).toBeVisible();
  });

  it('are listed with the expected number and the chance of coincidence', async () => {
    open('/moderation/patterns');
    expect(await screen.findByRole('link', { name: 'ann, bea' })).toBeVisible();
    expect(screen.getByText('12 votes; about 0.8 expected')).toBeVisible();
    expect(screen.getByText('Chance of this happening by coincidence: 1 in 10⁹')).toBeVisible();
  });

  it('explain what a finding does not prove, and the chance of it and of each link', async () => {
    const usual = { ...link, voter: bea, author: ann, chanceLog10: -0.3, expected: 0.004 };
    const star = { ...finding, kind: 'STAR', newAccounts: 7, chanceLog10: -31.5, links: [link, usual] };
    open(`/moderation/patterns/${space._id}/star-1`, {
      getVotePattern: () => ({ ...star, evidence: [vote] }),
    });
    expect(await screen.findByText(/a class may vote for its teacher/)).toBeVisible();
    expect(screen.getByText(/whole pattern happening by coincidence: 1 in 10³¹/)).toBeVisible();
    expect(
      screen.getByRole('row', {
        name: /^ann .* bea Who votes for this person 12 of 15 upvotes \(80%\) 0.8 1 in 10⁹$/,
      }),
    ).toBeVisible();
    expect(
      screen.getByRole('row', {
        name: /^bea .* ann Who votes for this person 12 of 15 upvotes \(80%\) 0.004 Not significant$/,
      }),
    ).toBeVisible();
    expect(screen.getByText('New accounts whose first action was a vote: 7.')).toBeVisible();
    expect(screen.getByRole('radio', { name: 'Account used only for voting' })).toBeChecked();
  });

  it('keep the decision within reach above a long list', async () => {
    const user = open(`/moderation/patterns/${space._id}/pair-1`);
    const reason = await screen.findByRole('textbox', { name: /Reason/ });
    const list = screen.getByRole('table', { name: 'Votes' });
    // To the second: the order of votes is evidence.
    expect(list).toHaveTextContent(/Nov 20, 2026, \d+:00:00/);
    expect(reason.compareDocumentPosition(list)).toBe(Node.DOCUMENT_POSITION_FOLLOWING);
    await user.click(screen.getByRole('button', { name: 'Go to decision' }));
    expect(reason).toHaveFocus();
  });

  it("show no unknown case and none of other moderators' spaces", async () => {
    open('/moderation/cases/11111111-1111-4111-8111-111111111111', {
      getInvalidationCase: () => {
        throw apiError('Case not found.', 'NOT_FOUND');
      },
    });
    expect(await screen.findByText('Case not found')).toBeVisible();
    expect(screen.queryByRole('button', { name: 'Try again' })).toBeNull();
  });

  it('show an empty state', async () => {
    open('/moderation/patterns', { getVotePatterns: () => [] });
    expect(await screen.findByText('No patterns found in this space')).toBeVisible();
  });

  it('lead to everybody who votes for an author, with shares and exact times', async () => {
    const giver = {
      ...{ voter: ann, upvotes: 12, downvotes: 1, given: { upvotes: 15, downvotes: 5 }, posts: 3 },
      memberSince: null,
      ...{ firstVoteAt: '2026-11-20T08:00:01.000Z', lastVoteAt: '2026-11-20T08:05:02.000Z' },
    };
    const user = open(`/moderation/patterns/${space._id}/pair-1`, {
      getVoteGivers: (asked) => ({
        author: asked['space'] === space._id && asked['author'] === bea._id ? bea : ann,
        received: { upvotes: 40, downvotes: 12 },
        unknown: { upvotes: 20, downvotes: 0 },
        ...{ docs: [giver], page: 1, totalPages: 1, total: 1 },
      }),
    });
    await user.click(await screen.findByRole('link', { name: 'Who votes for this person' }));
    expect(await screen.findByRole('heading', { level: 1, name: 'Who votes for bea' })).toBeVisible();
    expect(
      screen.getByText(
        /Received in all: upvotes 40, downvotes 12\. Of these, an import added .* upvotes 20, downvotes 0/,
      ),
    ).toBeVisible();
    const row = within(screen.getByRole('row', { name: /ann/ }));
    expect(row.getAllByRole('cell').map(({ textContent }) => textContent)).toEqual([
      'up 12, down 1',
      '13 of 52 (25%)',
      '13 of 20 (65%)',
      '3',
      '–',
      expect.stringMatching(/\d:00:01/),
      expect.stringMatching(/\d:05:02/),
      'Review the votes by annAudit log for ann',
    ]);
    expect(row.getByRole('link', { name: 'Review the votes by ann' })).toHaveAttribute(
      'href',
      `/moderation/votes?space=${space._id}&voter=${ann._id}&author=${bea._id}`,
    );
  });

  it('create a case only after a preview of its effect', async () => {
    const place = { reputations: 51, commitments: 10, score: 61, rank: 1 };
    const after = { reputations: 1, commitments: 10, score: 11, rank: 7 };
    const effect = {
      students: [{ student: bea, space, votesGiven: 0, votesReceived: 1, before: place, after }],
      studentCount: 1_204,
      posts: [],
      postCount: 0,
    };
    const user = open(`/moderation/patterns/${space._id}/pair-1`, {
      previewInvalidation: () => ({ fingerprint: 'seen', needsConfirmation: false, effect }),
    });
    const look = await screen.findByRole('button', { name: 'Preview effect' });
    expect(look).toBeDisabled();
    expect(screen.queryByRole('button', { name: /^Declare/ })).toBeNull();
    await user.type(screen.getByRole('textbox', { name: /Reason/ }), 'They said so');
    await user.click(look);
    expect(await screen.findByText('61 → 11')).toBeVisible();
    expect(screen.getByText('1 → 7')).toBeVisible();
    expect(screen.getByText('Showing the 1 most affected of 1,204.')).toBeVisible();
    expect(screen.getByRole('button', { name: 'Invalidate 1 vote' })).toBeEnabled();
  });

  it('only propose a case that a second moderator has to confirm', async () => {
    const effect = { students: [], studentCount: 0, posts: [], postCount: 0 };
    const user = open(`/moderation/patterns/${space._id}/pair-1`, {
      previewInvalidation: () => ({ fingerprint: 'seen', needsConfirmation: true, effect }),
      invalidateVotes: () => ({ _id: 'c-1', state: 'PROPOSED' }),
      getInvalidationCase: () => {
        throw apiError('Case not found.', 'NOT_FOUND');
      },
    });
    await user.type(await screen.findByRole('textbox', { name: /Reason/ }), 'They said so');
    await user.click(screen.getByRole('button', { name: 'Preview effect' }));
    expect(await screen.findByText(/until another moderator confirms your proposal/)).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Propose to invalidate 1 vote' }));
    expect(await screen.findByText('Proposal sent to the other moderators')).toBeVisible();
  });
});
