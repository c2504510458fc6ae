import { describe, expect, it } from '@jest/globals';
import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { apiError, fakeApi, type Answers } from '../testing/fake-api';
import { newAuthUser, newSpace, newStudent } from '../testing/fixtures';
import { renderApp } from '../testing/render-app';
import '../screens/student/leaderboard/leaderboard-screen';
import '../screens/student/settings/settings-screen';
import '../screens/student/spaces/spaces-screen';

const me = newAuthUser();
const space = newSpace();

function open(address: string, answers: Answers = {}) {
  let erasure: object | null = { dueAt: '2026-12-01T10:00:00.000Z', withPosts: false };
  fakeApi({
    getStudent: () => newStudent({ _id: me._id, favouriteSubjects: [], roles: [] }),
    getSpaces: () => [space],
    getPaginatedLeaderboardScores: () => ({ docs: [], page: 1, totalPages: 0 }),
    getLeaderboardScores: () => ({ scores: null, rank: null }),
    getNewNotificationCount: () => 0,
    getOwnErasure: () => erasure,
    cancelOwnErasure: () => {
      erasure = null;
      return { flag: 1 };
    },
    ...answers,
  });
  renderApp(address, { user: me, space });
  return userEvent.setup({ delay: null });
}

describe('the banner of a scheduled deletion', () => {
  it.each(['/space', '/leaderboard', '/setting'])(
    'appears on %s, and disappears when the deletion is cancelled',
    async (address) => {
      const user = open(address);
      expect(await screen.findByText(/^Your account will be deleted on December 1, 2026/)).toBeVisible();
      await user.click(screen.getByRole('button', { name: 'Keep my account' }));
      await waitFor(() =>
        expect(screen.queryByText(/^Your account will be deleted on/)).not.toBeInTheDocument(),
      );
    },
  );

  it('does not appear on the settings tab that shows the deletion', async () => {
    open('/setting?tab=deletion');
    expect(await screen.findAllByRole('button', { name: 'Keep my account' })).toHaveLength(1);
  });

  it('shows why the deletion could not be cancelled', async () => {
    const user = open('/space', {
      cancelOwnErasure: () => {
        throw apiError('It is being done.', 'CONFLICT');
      },
    });
    await user.click(await screen.findByRole('button', { name: 'Keep my account' }));
    expect(await screen.findByText('It is being done.')).toBeVisible();
  });

  it('does not appear without a scheduled deletion', async () => {
    open('/space', { getOwnErasure: () => null });
    await screen.findByRole('region', { name: 'My Spaces' });
    expect(screen.queryByRole('button', { name: 'Keep my account' })).not.toBeInTheDocument();
  });
});
