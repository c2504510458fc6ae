import { afterEach, describe, expect, it } from '@jest/globals';
import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { apiError, fakeApi, type Answers } from '../../../testing/fake-api';
import { newAuthor, newAuthUser, newScore, newSpace } from '../../../testing/fixtures';
import { renderApp } from '../../../testing/render-app';
import './leaderboard-screen';

const space = newSpace();
const me = newAuthUser();
const meera = newScore({
  rank: 1,
  score: 1340,
  reputations: 1200,
  commitments: 140,
  questionsAsked: 7,
  questionsAnswered: 9,
  answersAccepted: 4,
});
const own = newScore({ rank: 2, score: 61, student: newAuthor({ _id: me._id, userName: me.userName }) });
const last = newScore({ rank: 3, student: newAuthor({ userName: 'dev_sharma' }) });
const weight = (kind: string, merit: number, impact = 0) => ({ kind, merit, impact });
const rules = {
  version: 1,
  reportThreshold: 3,
  safeguards: {
    acceptancePaysOncePerQuestion: false,
    deletionForfeitsWithinHours: 0,
    downvotesNeedMerit: false,
    upheldReportsCount: false,
  },
  changes: [],
  weights: [
    weight('QUESTION_POSTED', 0, 10),
    weight('ANSWER_POSTED', 0, 10),
    weight('COMMENT_POSTED', 0, 2),
    weight('UPVOTE_CAST', 0, 1),
    weight('DOWNVOTE_CAST', -5),
    weight('QUESTION_UPVOTED', 50),
    weight('QUESTION_DOWNVOTED', -50),
    weight('ANSWER_UPVOTED', 70),
    weight('ANSWER_DOWNVOTED', -50),
    weight('ANSWER_ACCEPTED', 100),
    weight('ACCEPTED_AN_ANSWER', 15),
    weight('POST_REPORTED', -200),
  ],
};
const noObserver = globalThis.IntersectionObserver;

function openLeaderboard(answers: Answers = {}) {
  const api = fakeApi({
    getPaginatedLeaderboardScores: () => ({ docs: [meera, own], page: 1, totalPages: 1 }),
    getLeaderboardScores: () => ({ rank: 2, scores: own }),
    getScoringRules: () => rules,
    ...answers,
  });
  return { api, user: userEvent.setup(), ...renderApp('/leaderboard', { user: me, space }) };
}

/** An observer that always reports the end of the list as near. */
class AlwaysIntersecting {
  constructor(private readonly callback: (entries: Array<{ isIntersecting: boolean }>) => void) {}
  observe() {
    this.callback([{ isIntersecting: true }]);
  }
  disconnect() {}
}

afterEach(() => {
  globalThis.IntersectionObserver = noObserver;
});

describe('leaderboard', () => {
  it("shows the reader's rank and score", async () => {
    openLeaderboard();
    expect(await screen.findByRole('heading', { name: 'LeaderBoard' })).toBeVisible();
    expect(await screen.findByText('Your rank is 2 with score of 61 !')).toBeVisible();
  });

  it.each(['list', 'header'] as const)(
    'shows the same rank and score in header and list if the %s was loaded last',
    async (late) => {
      const moved = { ...own, rank: 3, score: 58 };
      let goOn = (): void => undefined;
      const waiting = new Promise<void>((resolve) => (goOn = resolve));
      const read = async (what: typeof late) => {
        if (what !== late) return own;
        await waiting;
        return moved;
      };
      openLeaderboard({
        getPaginatedLeaderboardScores: async () => ({
          docs: [meera, await read('list')],
          page: 1,
          totalPages: 1,
        }),
        getLeaderboardScores: async () => {
          const scores = await read('header');
          return { rank: scores.rank, scores };
        },
      });
      const early = late === 'list' ? 'Your rank is 2 with score of 61 !' : '61 pts.';
      expect(await screen.findByText(early)).toBeVisible();
      goOn();
      expect(await screen.findByText('Your rank is 3 with score of 58 !')).toBeVisible();
      const row = within(await screen.findByRole('button', { name: /isha_patel.*pts/ }));
      expect(row.getByRole('img', { name: 'Rank 3' })).toBeVisible();
      expect(row.getByText('58 pts.')).toBeVisible();
    },
  );

  it('shows 0 before any activity in the space', async () => {
    openLeaderboard({ getLeaderboardScores: () => ({ rank: null, scores: null }) });
    expect(await screen.findByText('Your rank is – with score of 0 !')).toBeVisible();
  });

  it("shows rank, name, medals and points, and highlights the reader's row", async () => {
    openLeaderboard();
    const row = within(await screen.findByRole('button', { name: /meera_nair/ }));
    expect(row.getByRole('img', { name: 'Rank 1' })).toBeVisible();
    expect(row.getByRole('img', { name: 'Reputations: 1,200' })).toHaveTextContent('1,200');
    expect(row.getByRole('img', { name: 'Commitments: 140' })).toBeVisible();
    expect(row.getByText('1,340 pts.')).toBeVisible();
    expect(row.queryByText('You')).not.toBeInTheDocument();
    expect(within(screen.getByRole('button', { name: /isha_patel.*pts/ })).getByText('You')).toBeVisible();
  });

  it('names erased students, without a link to a profile', async () => {
    const erased = { ...meera, student: newAuthor({ userName: '' }) };
    openLeaderboard({
      getPaginatedLeaderboardScores: () => ({ docs: [erased, own], page: 1, totalPages: 1 }),
    });
    const row = await screen.findByRole('button', { name: /Deleted student.*pts/ });
    const panel = document.getElementById(row.getAttribute('aria-controls') ?? '');
    expect(panel).not.toHaveTextContent('Profile of');
  });

  it('expands a row to its counts', async () => {
    const { user } = openLeaderboard();
    const control = await screen.findByRole('button', { name: /meera_nair/ });
    expect(control).toHaveAttribute('aria-expanded', 'false');
    await user.click(control);
    expect(control).toHaveAttribute('aria-expanded', 'true');
    const panel = document.getElementById(control.getAttribute('aria-controls') ?? '');
    expect(panel).toHaveTextContent('Question Asked7Question Answered9Accepted Answer4');
    // Without a layout the panel stays hidden: its height is never animated.
    const link = screen.getByRole('link', { name: 'Profile of meera_nair', hidden: true });
    expect(link).toHaveAttribute('href', `/nimorisingstarsingle?id=${meera.student._id}`);
  });

  it('loads all pages, and shows a row that moved only once', async () => {
    Object.assign(globalThis, { IntersectionObserver: AlwaysIntersecting });
    const { api } = openLeaderboard({
      getPaginatedLeaderboardScores: ({ paginateOptions }) => {
        const { page } = paginateOptions as { page: number };
        return { docs: page === 1 ? [meera, own] : [own, last], page, totalPages: 2 };
      },
    });
    expect(await screen.findByRole('button', { name: /dev_sharma/ })).toBeVisible();
    expect(screen.getAllByRole('button', { name: /isha_patel.*pts/ })).toHaveLength(1);
    await waitFor(() =>
      expect(api.calls('Leaderboard').map(({ variables }) => variables['page'])).toEqual([1, 2]),
    );
  });

  it('keeps its length when it is refetched', async () => {
    Object.assign(globalThis, { IntersectionObserver: AlwaysIntersecting });
    const { api } = openLeaderboard({
      getPaginatedLeaderboardScores: ({ paginateOptions }) => {
        const { page } = paginateOptions as { page: number };
        return { docs: page === 1 ? [meera, own] : [last], page, totalPages: 2 };
      },
    });
    expect(await screen.findByRole('button', { name: /dev_sharma/ })).toBeVisible();
    Object.assign(globalThis, { IntersectionObserver: noObserver });
    act(() => api.live.drop());
    await waitFor(() => expect(api.calls('Leaderboard').length).toBeGreaterThan(2));
    expect(screen.getByRole('button', { name: /dev_sharma/ })).toBeVisible();
    await waitFor(() => expect(api.calls('Leaderboard')).toHaveLength(4));
    expect(screen.getByRole('button', { name: /dev_sharma/ })).toBeVisible();
  });

  it('explains every point by the current rules', async () => {
    const { user } = openLeaderboard();
    await user.click(await screen.findByRole('button', { name: 'How scores are calculated' }));
    const help = within(await screen.findByRole('dialog', { name: 'Leaderboard Scores' }));
    expect(await help.findByRole('row', { name: '3 people report your post −200' })).toBeVisible();
    const points = help.getAllByRole('row').map(({ textContent }) => /[+−]\d+$/.exec(textContent)?.[0]);
    expect(points.filter(Boolean)).toEqual([
      '+50',
      '+70',
      '+100',
      '+15',
      '−50',
      '−50',
      '−5',
      '−200',
      '+10',
      '+10',
      '+2',
      '+1',
    ]);
  });

  it('follows changes of the rules', async () => {
    const weights = [
      weight('QUESTION_UPVOTED', 7),
      weight('ANSWER_UPVOTED', 0),
      weight('COMMENT_POSTED', 3, 2),
    ];
    const { user } = openLeaderboard({
      getScoringRules: () => ({
        version: 2,
        reportThreshold: 5,
        safeguards: {
          acceptancePaysOncePerQuestion: true,
          deletionForfeitsWithinHours: 24,
          downvotesNeedMerit: true,
          upheldReportsCount: true,
        },
        weights,
        changes: [
          {
            version: 2,
            note: 'Voting counts less',
            publishedAt: '2026-10-01T10:00:00.000Z',
            effectiveFrom: null,
            isScheduled: false,
          },
        ],
      }),
    });
    await user.click(await screen.findByRole('button', { name: 'How scores are calculated' }));
    const help = within(await screen.findByRole('dialog', { name: 'Leaderboard Scores' }));
    expect(await help.findByRole('row', { name: 'Your question is upvoted +7' })).toBeVisible();
    expect(help.getByRole('note')).toHaveTextContent('Voting counts less');
    expect(help.queryByRole('row', { name: /answer is upvoted/ })).not.toBeInTheDocument();
    expect(help.getAllByRole('row', { name: /You comment/ })).toHaveLength(2);
    expect(help.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
      expect.stringContaining('A question pays for one accepted answer.'),
      expect.stringContaining('A post that you delete within 24 hours earns you nothing.'),
      expect.stringContaining('To downvote, you need enough reputation'),
      expect.stringContaining('If a moderator upholds a report'),
    ]);
    expect(help.queryByText(/Never lost/)).not.toBeInTheDocument();
  });

  it('announces scheduled rules with their date, and explains the current ones', async () => {
    const { user } = openLeaderboard({
      getScoringRules: () => ({
        ...rules,
        changes: [
          {
            version: 2,
            note: 'Voting will count less',
            publishedAt: '2026-10-01T10:00:00.000Z',
            effectiveFrom: '2030-06-01T10:00:00.000Z',
            isScheduled: true,
          },
        ],
      }),
    });
    await user.click(await screen.findByRole('button', { name: 'How scores are calculated' }));
    const help = within(await screen.findByRole('dialog', { name: 'Leaderboard Scores' }));
    expect(await help.findByRole('row', { name: 'Your question is upvoted +50' })).toBeVisible();
    expect(help.getByRole('note')).toHaveTextContent(
      /New rules, announced on October 1, 2026 Voting will count less They take effect on June 1, 2030/,
    );
  });

  it("shows that the reader's rank failed to load, and retries", async () => {
    const refused = () => {
      throw apiError('The database is away.', 'INTERNAL');
    };
    const { api, user } = openLeaderboard({ getLeaderboardScores: refused });
    expect(await screen.findByText('The database is away.')).toBeVisible();
    expect(await screen.findByRole('button', { name: /meera_nair/ })).toBeVisible();
    api.change({ getLeaderboardScores: () => ({ rank: 2, scores: own }) });
    await user.click(screen.getByRole('button', { name: 'Try again' }));
    expect(await screen.findByText('Your rank is 2 with score of 61 !')).toBeVisible();
  });

  it('links to the explanation of the score', async () => {
    openLeaderboard();
    expect(await screen.findByRole('link', { name: 'How is my score calculated?' })).toHaveAttribute(
      'href',
      '/leaderboard/score',
    );
  });

  it("jumps to the reader's row, however far down, and continues in both directions", async () => {
    const far = { ...own, rank: 4_711 };
    const above = newScore({ rank: 4_700, student: newAuthor({ userName: 'from_above' }) });
    const first = newScore({ rank: 4_701, student: newAuthor({ userName: 'first_there' }) });
    const { api, user } = openLeaderboard({
      getLeaderboardScores: () => ({ rank: 4_711, scores: far }),
      getPaginatedLeaderboardScores: ({ paginateOptions }) => {
        const { page } = paginateOptions as { page: number };
        const docs = new Map([
          [1, [meera]],
          [235, [above]],
          [236, [first, far]],
        ]).get(page);
        return { docs: docs ?? [], page, totalPages: 300 };
      },
    });
    expect(await screen.findByRole('button', { name: /meera_nair/ })).toBeVisible();
    expect(screen.queryByRole('button', { name: 'Show higher ranks' })).not.toBeInTheDocument();
    await user.click(screen.getByRole('button', { name: 'Jump to my rank' }));
    const row = await screen.findByRole('button', { name: /isha_patel.*pts/ });
    await waitFor(() => expect(row).toHaveFocus());
    expect(api.calls('Leaderboard').at(-1)?.variables).toMatchObject({ page: 236 });
    await user.click(screen.getByRole('button', { name: 'Show higher ranks' }));
    const names = await waitFor(() => {
      const rows = screen.getAllByRole('button', { name: /pts\./ });
      expect(rows).toHaveLength(3);
      return rows.map(({ textContent }) => /from_above|first_there|isha_patel/.exec(textContent)?.[0]);
    });
    expect(names).toEqual(['from_above', 'first_there', 'isha_patel']);
    expect(screen.getByRole('button', { name: /from_above.*pts/ })).toHaveFocus();
  });

  it('suggests a first question when nobody has scored', async () => {
    openLeaderboard({ getPaginatedLeaderboardScores: () => ({ docs: [], page: 1, totalPages: 0 }) });
    expect(await screen.findByRole('link', { name: 'Ask a question' })).toHaveAttribute('href', '/dashboard');
  });
});
