import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { v4 as uuid } from 'uuid';
import { apiError, fakeApi, type Answers } from '../../../testing/fake-api';
import { newAuthUser, newSpace } from '../../../testing/fixtures';
import { renderApp } from '../../../testing/render-app';
import '../../../features/charts/charts';
import './nimo-sense-screen';

const space = newSpace();
const me = newAuthUser();
const physics = { _id: uuid(), subjectName: 'Physics', color: '1c7ed6' };
const music = { _id: uuid(), subjectName: 'Music', color: 'd6336c' };
const clarityOf = (subject: object, changes: object = {}) => ({
  subject,
  questions: 4,
  solved: 1,
  unsolved: 3,
  withinHour: 2,
  withinDay: 1,
  withinWeek: 0,
  later: 0,
  unanswered: 1,
  ...changes,
});
const statisticsOf = ({ from, to }: Record<string, unknown>) => ({
  from,
  to,
  workload: [{ day: to, questions: 5, answers: 1_200 }],
  subjects: [
    clarityOf(physics),
    clarityOf(music, { solved: 4, unsolved: 0, withinHour: 0, withinDay: 0, unanswered: 4 }),
  ],
});

// Without a layout, charts have no size.
Object.assign(HTMLElement.prototype, {
  getBoundingClientRect: () => ({
    x: 0,
    y: 0,
    top: 0,
    left: 0,
    right: 800,
    bottom: 300,
    width: 800,
    height: 300,
  }),
});

function open(answers: Answers = {}) {
  const api = fakeApi({
    getSubjectsForSpace: () => [physics, music],
    getSolvedShare: () => ({ questions: 8, solved: 2 }),
    getSpaceStatistics: statisticsOf,
    getOwnScoreHistory: () => {
      // Midnight may pass between this and the page's own look at the clock.
      const yesterday = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10);
      return [{ day: yesterday, reputationsAfter: 51, commitmentsAfter: 10, scoreAfter: 61 }];
    },
    ...answers,
  });
  return { api, user: userEvent.setup(), ...renderApp('/nimoSense', { user: me, space }) };
}

describe('Nimo Sense', () => {
  it('opens from the user menu', async () => {
    const { user } = open();
    await user.click(await screen.findByRole('button', { name: `Account of ${me.userName}` }));
    expect(await screen.findByRole('menuitem', { name: 'Nimo Sense' })).toHaveAttribute('href', '/nimoSense');
  });

  it('shows the share of solved questions in the space', async () => {
    open();
    expect(await screen.findByRole('heading', { level: 1, name: 'Nimo Sense' })).toBeVisible();
    const gauge = await screen.findByRole('meter', { name: 'Solved questions' });
    expect(gauge).toHaveAttribute('aria-valuenow', '25');
    expect(gauge).toHaveAttribute('aria-valuetext', '25%. 2 of 8 questions solved');
    expect(screen.getByText('25%')).toBeVisible();
    expect(screen.getByText('2 of 8 questions solved')).toBeVisible();
  });

  it('shows questions and answers over time, also as a table', async () => {
    const { api, user } = open();
    const figure = within(await screen.findByRole('figure'));
    expect(figure.getByRole('heading', { name: 'Questions and answers over time' })).toBeVisible();
    const rows = figure.getAllByRole('row');
    expect(rows).toHaveLength(31);
    expect(rows.at(-1)).toHaveTextContent(/51,200$/);
    await user.click(figure.getByRole('button', { name: 'Show as table' }));
    expect(figure.getByRole('button', { name: 'Hide table' })).toHaveAttribute('aria-expanded', 'true');
    await user.click(screen.getByRole('radio', { name: '1 year' }));
    await waitFor(() => expect(api.calls('SpaceStatistics')).toHaveLength(2));
    await waitFor(() => expect(figure.getAllByRole('row').length).toBeLessThan(15));
  });

  it('filters everything by a subject, and resets to the class', async () => {
    const { api, user } = open();
    await user.click(await screen.findByRole('button', { name: 'By Subject' }));
    await waitFor(() =>
      expect(api.calls('SpaceStatistics').at(-1)?.variables).toMatchObject({ subjectIds: [physics._id] }),
    );
    await user.click(screen.getByRole('combobox', { name: 'Subject' }));
    await user.click(await screen.findByRole('option', { name: 'Music' }));
    await waitFor(() =>
      expect(api.calls('SolvedShare').at(-1)?.variables).toMatchObject({ subjectIds: [music._id] }),
    );
    await user.click(screen.getByRole('button', { name: 'By Class' }));
    await waitFor(() =>
      expect(api.calls('SolvedShare').at(-1)?.variables).toMatchObject({ subjectIds: null }),
    );
    expect(screen.getByRole('button', { name: 'By Class' })).toHaveAttribute('aria-pressed', 'true');
  });

  it('shows how clear each subject is', async () => {
    const { user } = open();
    await user.click(await screen.findByRole('tab', { name: 'Subject clarity' }));
    const row = await screen.findByRole('row', { name: /Physics/ });
    expect(row).toHaveTextContent('75% (3)');
    expect(row).toHaveTextContent('Under an hour');
    expect(screen.getByRole('row', { name: /Music/ })).toHaveTextContent('Mostly unanswered');
  });

  it("charts the reader's score over time and links to its explanation", async () => {
    const { user } = open();
    await user.click(await screen.findByRole('tab', { name: 'Career Development' }));
    const figure = within(await screen.findByRole('figure'));
    expect(figure.getAllByRole('row').at(-1)).toHaveTextContent(/615110$/);
    expect(screen.getByRole('link', { name: 'How is my score calculated?' })).toHaveAttribute(
      'href',
      '/leaderboard/score',
    );
  });

  it('shows next steps when there are no questions and no score', async () => {
    const { user } = open({
      getSolvedShare: () => ({ questions: 0, solved: 0 }),
      getSpaceStatistics: ({ from, to }) => ({ from, to, workload: [], subjects: [] }),
      getOwnScoreHistory: () => [],
    });
    expect(await screen.findByRole('heading', { name: 'No questions in this period' })).toBeVisible();
    expect(await screen.findByRole('meter')).toHaveAttribute('aria-valuenow', '0');
    await user.click(screen.getByRole('tab', { name: 'Subject clarity' }));
    expect(await screen.findByRole('heading', { name: 'No questions in this period' })).toBeVisible();
    await user.click(screen.getByRole('tab', { name: 'Career Development' }));
    expect(await screen.findByRole('heading', { name: 'No score yet' })).toBeVisible();
  });

  it('shows what failed to load, and retries', async () => {
    const refused = () => {
      throw apiError('The database is away.', 'INTERNAL');
    };
    const { api, user } = open({ getSpaceStatistics: refused });
    expect(await screen.findByRole('alert')).toHaveTextContent('The database is away.');
    api.change({ getSpaceStatistics: statisticsOf });
    await user.click(screen.getByRole('button', { name: 'Try again' }));
    expect(await screen.findByRole('figure')).toBeVisible();
  });

  describe('the gauge', () => {
    const visibility = jest.spyOn(document, 'visibilityState', 'get');
    beforeEach(() => {
      jest.useFakeTimers();
    });
    afterEach(() => {
      jest.useRealTimers();
      visibility.mockReset();
    });

    it('polls every two seconds while it is visible', async () => {
      visibility.mockReturnValue('visible');
      const { api } = open();
      await act(() => jest.advanceTimersByTimeAsync(1_000));
      expect(api.calls('SolvedShare')).toHaveLength(1);
      api.change({ getSolvedShare: () => ({ questions: 8, solved: 4 }) });
      await act(() => jest.advanceTimersByTimeAsync(2_000));
      expect(screen.getByRole('meter')).toHaveAttribute('aria-valuenow', '50');
      const before = api.calls('SolvedShare').length;
      visibility.mockReturnValue('hidden');
      await act(() => jest.advanceTimersByTimeAsync(10_000));
      expect(api.calls('SolvedShare')).toHaveLength(before);
    });
  });
});
