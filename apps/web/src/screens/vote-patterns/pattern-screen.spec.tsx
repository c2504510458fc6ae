import { describe, expect, it } from '@jest/globals';
import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import '../../app/area-routes';
import { apiError, fakeApi, type Answers } from '../../testing/fake-api';
import { newAuthor, newAuthUser, newSpace, newStudent } from '../../testing/fixtures';
import { renderApp } from '../../testing/render-app';
import '../../features/areas/require-area';
import './pattern-screen';
import './patterns-screen';
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
  ...{ _id: 'pair-1', kind: 'PAIR', votes: 12, expected: 0.8, chanceLog10: -9.2, from: null, until: null },
  ...{ students: [ann, bea], links: [link] },
};

function open(address: string, answers: Answers = {}) {
  fakeApi({
    getStudent: () => newStudent({ _id: me._id, roles: [{ role: 'MODERATOR', space: null }] }),
    getSpaces: () => [space],
    getVotePatterns: () => [finding],
    getVotePattern: () => ({ ...finding, evidence: [vote] }),
    ...answers,
  });
  renderApp(address, { user: me });
  return userEvent.setup();
}
const patience = { timeout: 20_000 };

describe('vote patterns', () => {
  it('lead to the votes of one’s first space where the address names none', async () => {
    open('/moderation/votes', {
      getVotesToJudge: ({ space: asked }) => ({
        docs: asked === space._id ? [vote] : [],
        page: 1,
        totalPages: 1,
      }),
    });
    expect(await screen.findByRole('table', { name: 'Votes' }, patience)).toBeVisible();
    expect(screen.getByRole('textbox', { name: 'Space' })).toHaveValue(space.name);
  });

  it('are listed with what is usual and how rarely chance does so', async () => {
    open('/moderation/patterns');
    expect(await screen.findByRole('link', { name: 'ann, bea' }, patience)).toBeVisible();
    expect(screen.getByText('12 votes, where 0.8 would be usual')).toBeVisible();
    expect(screen.getByText('By chance: 1 in 10⁹ spaces')).toBeVisible();
  });

  it('have no case that is not there or of a space that others moderate', async () => {
    open('/moderation/cases/11111111-1111-4111-8111-111111111111', {
      getInvalidationCase: () => {
        throw apiError('Case does not exist.', 'NOT_FOUND');
      },
    });
    expect(await screen.findByText('There is no such case', {}, patience)).toBeVisible();
    expect(screen.queryByRole('button', { name: 'Try again' })).toBeNull();
  });

  it('say so where nothing stands out', async () => {
    open('/moderation/patterns', { getVotePatterns: () => [] });
    expect(await screen.findByText('Nothing stands out in this space.', {}, patience)).toBeVisible();
  });

  it('lead to a case only after its effect was seen', async () => {
    const place = { reputations: 51, commitments: 10, score: 61, rank: 1 };
    const after = { reputations: 1, commitments: 10, score: 11, rank: 7 };
    const effect = {
      students: [{ student: bea, space, votesGiven: 0, votesReceived: 1, before: place, after }],
      studentCount: 1_204,
      posts: [],
      postCount: 0,
    };
    const user = open(`/moderation/patterns/${space._id}/pair-1`, {
      previewInvalidation: () => ({ fingerprint: 'seen', effect }),
    });
    const look = await screen.findByRole('button', { name: 'See the effect' }, patience);
    expect(look).toBeDisabled();
    expect(screen.queryByRole('button', { name: /^Declare/ })).toBeNull();
    await user.type(screen.getByRole('textbox', { name: /Reason/ }), 'They said so');
    await user.click(look);
    expect(await screen.findByText('61 → 11', {}, patience)).toBeVisible();
    expect(screen.getByText('1 → 7')).toBeVisible();
    expect(screen.getByText('The 1 that move most, of 1,204.')).toBeVisible();
    expect(screen.getByRole('button', { name: 'Declare 1 vote invalid' })).toBeEnabled();
  });
});
