import { beforeEach, describe, expect, it } from '@jest/globals';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import '../../../app/area-routes';
import '../../../features/areas/as-of-link';
import '../../../features/areas/require-area';
import { newAnswer, newComment, newQuestionDetail, spaceAnswers } from '../../../testing/ask-fixtures';
import { type Answers, apiError, fakeApi } from '../../../testing/fake-api';
import { newAuthor, newAuthUser, newSpace, newStudent } from '../../../testing/fixtures';
import { renderApp } from '../../../testing/render-app';
import '../../student/leaderboard/leaderboard-screen';
import '../../student/single-question/single-question-screen';
import './as-of-start-screen';
import './leaderboard-as-of-screen';
import './question-as-of-screen';

const me = newAuthUser();
const space = newSpace({ name: 'Greenfield High' });
const other = newSpace({ name: 'Elsewhere' });
const range = {
  firstOrdinal: 10,
  firstAt: '2026-05-01T12:00:00.000Z',
  lastOrdinal: 90,
  lastAt: '2026-05-01T13:00:00.000Z',
  marks: [
    { ordinal: 40, at: '2026-05-01T12:20:00.000Z', kind: 'ReportsUpheld' },
    { ordinal: 60, at: '2026-05-01T12:40:00.000Z', kind: 'ScoringRulesPublished' },
  ],
};
const row = (rank: number, userName: string, now: object | null) => ({
  _id: `student-${rank}`,
  rank,
  score: 100 - rank,
  reputations: 90 - rank,
  commitments: 10,
  student: newAuthor({ userName }),
  now,
});

function open(
  address: string,
  more: Answers = {},
  roles: object[] = [{ role: 'MODERATOR', space: space._id }],
) {
  const api = fakeApi({
    getStudent: () => newStudent({ _id: me._id, roles }),
    getSpaces: () => [space, other],
    getHistoryRange: () => range,
    getQuestionHistoryRange: () => range,
    getLeaderboardAsOf: () => ({
      docs: [row(1, 'meera_nair', { rank: 3, score: 80 }), row(2, 'dev_sharma', null)],
      page: 1,
      totalPages: 3,
      rulesVersion: 2,
    }),
    ...more,
  });
  return { api, user: userEvent.setup(), ...renderApp(address, { user: me, space }) };
}

const boardAddress = `/audit/as-of/leaderboard?space=${space._id}`;
const askedFor = (api: ReturnType<typeof fakeApi>, operation: string) =>
  api.calls(operation).map(({ variables }) => variables['asOf']);

beforeEach(() => localStorage.clear());

describe('links to an earlier time', () => {
  it('start with a space the caller moderates', async () => {
    const { user, address } = open('/audit/as-of');
    const choice = await screen.findByRole('combobox', { name: 'Space' });
    await waitFor(() => expect(choice).toHaveValue('Greenfield High'));
    await user.click(choice);
    expect(await screen.findByRole('option', { name: 'Greenfield High' })).toBeVisible();
    expect(screen.queryByRole('option', { name: 'Elsewhere' })).toBeNull();
    await user.keyboard('{Escape}');
    await user.click(screen.getByRole('button', { name: 'Show leaderboard' }));
    await waitFor(() => expect(address()).toBe(boardAddress));
  });

  it('start with the link of a question, or reject an invalid one', async () => {
    const { user, address } = open('/audit/as-of');
    const link = await screen.findByRole('textbox', { name: 'Question link' });
    await user.type(link, 'https://nimo.example/dashboard{Enter}');
    expect(
      await screen.findByText('This is not a question link. Copy the link from the question’s page.'),
    ).toBeVisible();
    const { _id } = newQuestionDetail();
    await user.clear(link);
    await user.type(link, `https://nimo.example/question/${_id}{Enter}`);
    await waitFor(() => expect(address()).toBe(`/audit/as-of/question/${_id}`));
  });

  it('appear on the leaderboard and the question page for moderators of the space', async () => {
    const question = newQuestionDetail({ space });
    const answers = spaceAnswers({ questions: [question] });
    open(`/singleQuestion/${question._id}/home`, answers);
    expect(await screen.findByRole('link', { name: 'Time travel' })).toHaveAttribute(
      'href',
      `/audit/as-of/question/${question._id}`,
    );
  });

  it('do not appear for students and moderators of another space', async () => {
    const question = newQuestionDetail({ space });
    const answers = spaceAnswers({ questions: [question] });
    const { api } = open(`/singleQuestion/${question._id}/home`, answers, [
      { role: 'MODERATOR', space: other._id },
    ]);
    await waitFor(() => expect(api.calls('OwnRoles')).not.toHaveLength(0));
    expect(await screen.findByRole('heading', { name: question.title })).toBeVisible();
    expect(screen.queryByRole('link', { name: 'Time travel' })).toBeNull();
  });
});

describe('a past leaderboard', () => {
  it('defaults to a space the caller moderates', async () => {
    localStorage.setItem('currentSpace', JSON.stringify(other));
    const { api } = open('/audit/as-of/leaderboard');
    expect(await screen.findByRole('row', { name: /meera_nair/ })).toBeVisible();
    expect(api.calls('HistoryRange').map(({ variables }) => variables)).toEqual([{ space: space._id }]);
    expect(screen.queryByRole('combobox', { name: 'Space' })).toBeNull();
  });

  it('switches between the spaces the caller moderates', async () => {
    const { user, address } = open(`${boardAddress}&ordinal=50`, {}, [{ role: 'MODERATOR', space: null }]);
    await screen.findByRole('row', { name: /meera_nair/ });
    await user.click(screen.getByRole('combobox', { name: 'Space' }));
    await user.click(await screen.findByRole('option', { name: 'Elsewhere' }));
    await waitFor(() => expect(address()).toBe(`/audit/as-of/leaderboard?space=${other._id}`));
  });

  it('names its marks on the slider, at the handle and between two of them', async () => {
    const { user } = open(`${boardAddress}&ordinal=40`);
    await screen.findByRole('row', { name: /meera_nair/ });
    const sign = screen.getByRole('img', { name: 'Reports upheld (event 40)' });
    expect(screen.getByRole('slider')).toHaveAttribute('aria-valuetext', '40, Reports upheld (event 40)');
    expect(
      screen.getByRole('button', { name: 'Next event: Scoring rules published (event 60)' }),
    ).toBeEnabled();
    await user.hover(sign);
    expect(await screen.findByText('Reports upheld (event 40)')).toBeVisible();
  });

  it('starts at the latest point, shows then and now side by side, and explains itself', async () => {
    const { api } = open(boardAddress);
    const line = within(await screen.findByRole('row', { name: /meera_nair/ }));
    expect(line.getByText('99')).toBeVisible();
    expect(line.getByRole('img', { name: 'down 2 places since' })).toBeVisible();
    expect(screen.getByRole('row', { name: /dev_sharma.*– –/ })).toBeVisible();
    const banner = screen.getByRole('status');
    expect(banner).toHaveTextContent('As of May 1, 2026');
    expect(banner).toHaveTextContent(
      'This is a past state, not the current one. Scored under version 2 of the rules.',
    );
    expect(askedFor(api, 'LeaderboardAsOf')).toEqual([{ at: range.lastAt }]);
    expect(
      await screen.findByRole('heading', { name: 'Greenfield High leaderboard at an earlier time' }),
    ).toBeVisible();
  });

  it('moves from mark to mark, by time and by event number, and keeps the point in the URL', async () => {
    const { api, user, address } = open(boardAddress);
    await screen.findByRole('row', { name: /meera_nair/ });
    await user.click(screen.getByRole('button', { name: /^Previous event/ }));
    await waitFor(() => expect(askedFor(api, 'LeaderboardAsOf').at(-1)).toEqual({ at: range.marks[1]?.at }));
    await user.click(screen.getByRole('radio', { name: 'Event' }));
    await waitFor(() => expect(askedFor(api, 'LeaderboardAsOf').at(-1)).toEqual({ ordinal: 60 }));
    await waitFor(() => expect(address()).toBe(`${boardAddress}&ordinal=60`));
    await waitFor(() => expect(screen.getByRole('status')).toHaveTextContent('As of event 60.'));
    expect(screen.getByRole('button', { name: 'Next event' })).toBeDisabled();
  });

  it('moves by keyboard on the slider, and loads only where it stops', async () => {
    const { api } = open(`${boardAddress}&ordinal=50`);
    await screen.findByRole('row', { name: /meera_nair/ });
    const slider = screen.getByRole('slider', { name: 'Point in time' });
    for (let press = 0; press < 3; press += 1) fireEvent.keyDown(slider, { key: 'ArrowRight' });
    await waitFor(() => expect(askedFor(api, 'LeaderboardAsOf').at(-1)).toEqual({ ordinal: 53 }));
    expect(askedFor(api, 'LeaderboardAsOf')).toHaveLength(2);
  });

  it("accepts a date and time in the reader's time zone", async () => {
    const { api } = open(boardAddress);
    const field = await screen.findByLabelText('Date and time');
    fireEvent.change(field, { target: { value: '2026-05-01T10:00:05' } });
    const at = new Date('2026-05-01T10:00:05').toISOString();
    await waitFor(() => expect(askedFor(api, 'LeaderboardAsOf').at(-1)).toEqual({ at }));
  });

  it('turns pages, and shows the previous one while the next is loading', async () => {
    const { api, user, address } = open(`${boardAddress}&ordinal=50`);
    await screen.findByRole('row', { name: /meera_nair/ });
    await user.click(screen.getByRole('button', { name: 'Page 2' }));
    expect(screen.getByRole('row', { name: /meera_nair/ })).toBeVisible();
    await waitFor(() =>
      expect(api.calls('LeaderboardAsOf').at(-1)?.variables).toMatchObject({
        page: 2,
        asOf: { ordinal: 50 },
      }),
    );
    expect(address()).toBe(`${boardAddress}&ordinal=50&page=2`);
  });

  it('reports that nothing has happened, nobody has scored, or the API refuses', async () => {
    const nothing = open(boardAddress, { getHistoryRange: () => null });
    expect(await screen.findByRole('heading', { name: 'No history yet' })).toBeVisible();
    nothing.unmount();
    const empty = { docs: [], page: 1, totalPages: 0, rulesVersion: 1 };
    const unscored = open(boardAddress, { getLeaderboardAsOf: () => empty });
    expect(await screen.findByRole('heading', { name: 'No scores yet at this point' })).toBeVisible();
    unscored.unmount();
    open(boardAddress, {
      getHistoryRange: () => {
        throw apiError('You don’t have permission to do this.', 'FORBIDDEN');
      },
    });
    expect(await screen.findByText('You don’t have permission to do this.')).toBeVisible();
  });
});

describe('a past question', () => {
  const answer = newAnswer({
    body: '<p>Scattering.</p>',
    upvoteCount: 2,
    comments: [newComment({ body: 'Indeed' })],
  });
  const question = newQuestionDetail({
    upvoteCount: 1,
    acceptedAnswer: { _id: answer._id },
    editedAt: range.firstAt,
  });
  const page = {
    state: 'VISIBLE',
    question,
    answers: [answer],
    comments: [newComment({ body: 'Good one' })],
  };
  const address = `/audit/as-of/question/${question._id}`;

  it('shows the page as it was, read-only', async () => {
    open(address, { getQuestionAsOf: () => page });
    expect(await screen.findByRole('heading', { name: question.title })).toBeVisible();
    expect(screen.getByRole('heading', { name: '1 answer' })).toBeVisible();
    expect(screen.getByRole('img', { name: '1 upvote' })).toBeVisible();
    expect(screen.getByRole('img', { name: '2 upvotes' })).toBeVisible();
    for (const text of ['Good one', 'Indeed', 'Solved', 'Accepted', 'Scattering.'])
      expect(screen.getByText(text)).toBeVisible();
    expect(screen.queryByRole('button', { name: /vote/i })).toBeNull();
    expect(screen.getByRole('link', { name: 'Show current version' })).toHaveAttribute(
      'href',
      `/singleQuestion/${question._id}/home`,
    );
  });

  it('reports that it was not asked yet, or already removed', async () => {
    const before = { state: 'NOT_ASKED_YET', question: null, answers: [], comments: [] };
    const { unmount } = open(address, { getQuestionAsOf: () => before });
    expect(await screen.findByRole('heading', { name: 'Not asked yet' })).toBeVisible();
    unmount();
    open(address, { getQuestionAsOf: () => ({ ...page, state: 'REMOVED' }) });
    expect(await screen.findByText('Removed')).toBeVisible();
    expect(screen.getByRole('status')).toHaveTextContent('visible to moderators only');
  });
});
