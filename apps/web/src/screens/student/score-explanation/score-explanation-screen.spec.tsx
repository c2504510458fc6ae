import { afterEach, describe, expect, it } from '@jest/globals';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { v4 as uuid } from 'uuid';
import { apiError, fakeApi, type Answers } from '../../../testing/fake-api';
import { newAuthor, newAuthUser, newSpace } from '../../../testing/fixtures';
import { renderApp } from '../../../testing/render-app';
import './score-explanation-screen';

const space = newSpace();
const me = newAuthUser();
const question = { _id: uuid(), title: 'Why is the sky blue?' };
const newPoint = (changes: object = {}) => ({
  _id: uuid(),
  kind: 'QUESTION_POSTED',
  day: '2026-11-20',
  occurredAt: '2026-11-20T08:00:00.000Z',
  count: 1,
  reputations: 0,
  commitments: 10,
  rulesVersion: 1,
  post: { _id: question._id, postType: 'QUESTION', isRemoved: false, question },
  ...changes,
});
const asked = newPoint();
const upvoted = newPoint({
  kind: 'QUESTION_UPVOTED',
  occurredAt: null,
  count: 3,
  reputations: 150,
  commitments: 0,
});
const reported = newPoint({
  kind: 'POST_REPORTED',
  occurredAt: null,
  day: '2026-11-21',
  reputations: -200,
  commitments: 0,
  post: { _id: uuid(), postType: 'QUESTION', isRemoved: true, question: null },
});
const dayOf = (day: string, changes: object = {}) => ({
  day,
  reputations: 150,
  commitments: 10,
  heldByFloor: 0,
  reputationsAfter: 151,
  commitmentsAfter: 10,
  scoreAfter: 161,
  ...changes,
});
const held = dayOf('2026-11-21', {
  ...{ reputations: -200, commitments: 0, heldByFloor: 50 },
  ...{ reputationsAfter: 1, scoreAfter: 11 },
});
const explanation = {
  docs: [reported, asked, upvoted],
  days: [held, dayOf('2026-11-20')],
  reasons: [
    { kind: 'QUESTION_POSTED', count: 1, reputations: 0, commitments: 10 },
    { kind: 'QUESTION_UPVOTED', count: 3, reputations: 150, commitments: 0 },
    { kind: 'POST_REPORTED', count: 1, reputations: -200, commitments: 0 },
  ],
  heldByFloor: 50,
  page: 1,
  totalPages: 1,
  startingReputations: 1,
  reputations: 1,
  commitments: 10,
  score: 11,
  rulesVersion: 1,
  student: newAuthor({ _id: me._id, userName: me.userName }),
};
const noObserver = globalThis.IntersectionObserver;
afterEach(() => {
  globalThis.IntersectionObserver = noObserver;
});

function open(answers: Answers = {}, address = '/leaderboard/score') {
  const api = fakeApi({ getScoreExplanation: () => explanation, getScoreNotices: () => [], ...answers });
  return { api, user: userEvent.setup(), ...renderApp(address, { user: me, space }) };
}

describe('score explanation', () => {
  it('shows what the score is made of, and the version of the rules', async () => {
    open();
    expect(await screen.findByText('Reputations 1 + commitments 10 = 11')).toBeVisible();
    expect(screen.getByRole('heading', { level: 1, name: 'How is my score calculated?' })).toBeVisible();
    expect(screen.getByText(/^Calculated with version 1 of the scoring rules\./)).toBeVisible();
  });

  it.each([
    ['getScoringRules', { changes: [] }],
    ['getScoreNotices', []],
  ])('waits for %s, so that nothing moves when it arrives late', async (name, answer) => {
    const sum = 'Reputations 1 + commitments 10 = 11';
    let before: HTMLElement | null | undefined;
    open({
      [name]: async () => {
        await new Promise((resolve) => setTimeout(resolve, 100));
        before = screen.queryByText(sum);
        return answer;
      },
    });
    expect(await screen.findByText(sum)).toBeVisible();
    expect(before).toBeNull();
  });

  it('lists every point under its day, including points kept by the floor', async () => {
    open();
    const last = within(await screen.findByRole('region', { name: 'November 21, 2026' }));
    expect(last.getByText('Score 161 → 11')).toBeVisible();
    const [report, floor] = last.getAllByRole('listitem');
    expect(report).toHaveTextContent('Post reported by several peopleRemoved question−200');
    expect(floor).toHaveTextContent('Not deducted: reputation never drops below 1+50');
    const first = within(screen.getByRole('region', { name: 'November 20, 2026' }));
    expect(first.getByText('3 upvotes for the question')).toBeVisible();
    expect(first.getByRole('img', { name: 'Reputations +150' })).toBeVisible();
    expect(first.getByRole('img', { name: 'Commitments +10' })).toBeVisible();
    expect(screen.getByText('Everyone starts with 1 reputation.').parentElement).toHaveTextContent(/\+1$/);
  });

  it("links to the posts, with times for the reader's own activity only", async () => {
    open();
    const [link] = await screen.findAllByRole('link', { name: question.title });
    expect(link).toHaveAttribute('href', `/singleQuestion/${question._id}/home`);
    const lines = screen.getAllByRole('listitem');
    const timed = lines.filter((line) => line.querySelector('time'));
    expect(timed).toHaveLength(1);
    expect(timed[0]).toHaveTextContent('Question asked');
  });

  it('filters by one reason and back, in the URL', async () => {
    const { api, user, address } = open();
    await user.click(await screen.findByRole('radio', { name: 'Questions upvoted +150' }));
    await waitFor(() => expect(address()).toBe('/leaderboard/score?reason=QUESTION_UPVOTED'));
    await waitFor(() =>
      expect(api.calls('ScoreExplanation').at(-1)?.variables).toMatchObject({ kinds: ['QUESTION_UPVOTED'] }),
    );
    expect(screen.queryByText('Everyone starts with 1 reputation.')).not.toBeInTheDocument();
    await user.click(screen.getByRole('radio', { name: 'All activity' }));
    await waitFor(() => expect(address()).toBe('/leaderboard/score'));
  });

  it('loads all pages, and merges a day split over two', async () => {
    class AlwaysIntersecting {
      constructor(private readonly callback: (entries: Array<{ isIntersecting: boolean }>) => void) {}
      observe() {
        this.callback([{ isIntersecting: true }]);
      }
      disconnect() {}
    }
    Object.assign(globalThis, { IntersectionObserver: AlwaysIntersecting });
    open({
      getScoreExplanation: ({ paginateOptions }) => {
        const { page } = paginateOptions as { page: number };
        const docs = page === 1 ? [asked] : [upvoted];
        return { ...explanation, docs, days: [dayOf('2026-11-20')], page, totalPages: 2 };
      },
    });
    const day = within(await screen.findByRole('region', { name: 'November 20, 2026' }));
    await waitFor(() => expect(day.getAllByRole('listitem')).toHaveLength(2));
  });

  it('suggests next steps when there are no points', async () => {
    open({
      getScoreExplanation: () => ({
        ...explanation,
        ...{ docs: [], days: [], reasons: [], totalPages: 0, reputations: 0, commitments: 0, score: 0 },
      }),
    });
    expect(await screen.findByRole('heading', { name: 'No points yet' })).toBeVisible();
    expect(screen.getByRole('link', { name: 'Browse questions' })).toHaveAttribute('href', '/dashboard');
  });

  it('adds what the minimum kept to the totals by reason, so that they add up to the score', async () => {
    open();
    const total = 'Not deducted: reputation never drops below 1 +50';
    expect(await screen.findByText(total)).toBeVisible();
    const totals = screen.getAllByRole('radio').flatMap((reason) => {
      const points = / ([+−]\d+)$/.exec(reason.closest('div')?.textContent ?? '')?.[1];
      return points === undefined ? [] : [Number(points.replace('−', '-'))];
    });
    expect(totals.reduce((sum, points) => sum + points, 1 + 50)).toBe(explanation.score);
  });

  it('suggests nothing to moderators when somebody else has no points', async () => {
    const other = newAuthor({ userName: 'dev_sharma' });
    open(
      {
        getScoreExplanation: () => ({
          ...explanation,
          ...{ docs: [], days: [], reasons: [], totalPages: 0, heldByFloor: 0, student: other },
        }),
      },
      `/leaderboard/score?student=${other._id}`,
    );
    expect(await screen.findByText('dev_sharma has not earned any points in this space.')).toBeVisible();
    expect(screen.queryByRole('link', { name: 'Browse questions' })).toBeNull();
  });

  it('offers all activity when a reason has no points', async () => {
    const { user, address } = open(
      { getScoreExplanation: () => ({ ...explanation, docs: [], days: [], totalPages: 0 }) },
      '/leaderboard/score?reason=COMMENT_POSTED',
    );
    await user.click(await screen.findByRole('button', { name: 'Show all activity' }));
    await waitFor(() => expect(address()).toBe('/leaderboard/score'));
  });

  it('names the student whose score a moderator views', async () => {
    const other = newAuthor({ userName: 'dev_sharma' });
    const { api } = open(
      { getScoreExplanation: () => ({ ...explanation, student: other }) },
      `/leaderboard/score?student=${other._id}`,
    );
    const heading = 'How dev_sharma’s score is calculated';
    expect(await screen.findByRole('heading', { level: 1, name: heading })).toBeVisible();
    expect(api.calls('ScoreExplanation')[0]?.variables).toMatchObject({ studentId: other._id });
  });

  it('shows invalidated votes, in the space from the URL', async () => {
    const other = newAuthor({ userName: 'dev_sharma' });
    const notice = (side: string, kind: string, count: number) => ({
      ...{ _id: uuid(), day: '2026-11-20', kind, side, category: 'ARRANGED', count },
      post: { _id: question._id, postType: 'QUESTION', question },
    });
    const answers = {
      getScoreNotices: () => [
        notice('GIVEN', 'INVALIDATED', 1),
        notice('RECEIVED', 'VALID_AGAIN', 3),
        { ...notice('GIVEN', 'INVALIDATED', 2), day: '2026-11-25' },
      ],
      getScoreExplanation: () => ({ ...explanation, student: other }),
    };
    const elsewhere = uuid();
    const { api } = open(answers, `/leaderboard/score?student=${other._id}&space=${elsewhere}`);
    expect(await screen.findByText('A moderator declared dev_sharma’s vote on this invalid')).toBeVisible();
    expect(screen.getByText('3 votes on a post by dev_sharma are valid again')).toBeVisible();
    expect(screen.getByText('A moderator declared 2 votes by dev_sharma on this invalid')).toBeVisible();
    expect(screen.queryByText(/[Yy]our/)).toBeNull();
    for (const call of ['ScoreExplanation', 'ScoreNotices'])
      expect(api.calls(call)[0]?.variables).toMatchObject({ space: elsewhere });
  });

  it('shows why it cannot be shown', async () => {
    open({
      getScoreExplanation: () => {
        throw apiError('You don’t have permission to do this.', 'FORBIDDEN');
      },
    });
    expect(await screen.findByRole('alert')).toHaveTextContent('You don’t have permission to do this.');
    expect(screen.getByRole('button', { name: 'Try again' })).toBeVisible();
  });
});
