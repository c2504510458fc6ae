import { describe, expect, it } from '@jest/globals';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { apiError, fakeApi, type Answers } from '../../testing/fake-api';
import { newAuthor, newAuthUser, newSpace } from '../../testing/fixtures';
import { renderApp } from '../../testing/render-app';
import '../entry/entry-answer';
import '../entry/refuse-dialog';

const space = newSpace({ name: 'Robotics' });
const meera = newAuthor();
const request = {
  _id: `ENTRY_REQUESTED:${meera._id}:${space._id}`,
  type: 'ENTRY_REQUESTED',
  isNew: true,
  createdAt: '2026-11-20T10:00:00.000Z',
  payload: {
    __typename: 'EntryRequestNotification',
    student: meera,
    text: 'I am in 7b',
    space: space._id,
    spaceName: space.name,
  },
};
const pageOf = (...docs: readonly object[]) => ({ docs, page: 1, totalPages: 1 });
const isAnswered = () => {
  throw apiError(
    'This student has no open request. It was answered or withdrawn.',
    'CONFLICT',
    undefined,
    'ENTRY_NOT_REQUESTED',
  );
};

async function open(path: '/leaderboard' | '/notifications', answers: Answers = {}) {
  const api = fakeApi({
    getPaginatedLeaderboardScores: () => pageOf(),
    getLeaderboardScores: () => ({ scores: null, rank: null }),
    getNewNotificationCount: () => 0,
    getPaginatedNotifications: () => pageOf(request),
    markNotificationsSeen: () => 0,
    answerEntryRequest: () => ({ flag: 1 }),
    ...answers,
  });
  const user = userEvent.setup({ delay: null });
  const app = renderApp(path, { user: newAuthUser(), space });
  return { api, user, ...app };
}

async function openBell(answers: Answers = {}) {
  const opened = await open('/leaderboard', answers);
  await opened.user.click(await screen.findByRole('button', { name: 'Notifications' }));
  return { ...opened, panel: within(await screen.findByRole('dialog', { name: 'Notifications' })) };
}

const untilGone = () =>
  waitFor(() => expect(screen.queryByText('meera_nair asks to join Robotics')).not.toBeInTheDocument());
const answersOf = (api: ReturnType<typeof fakeApi>) =>
  api.calls('AnswerEntryRequest').map(({ variables }) => variables);

describe('a request to join', () => {
  it('shows who asks, their text, and a link to all requests, without nested controls', async () => {
    const { panel, user, address } = await openBell();
    const row = within(await panel.findByRole('listitem'));
    expect(row.getByText('meera_nair asks to join Robotics')).toBeVisible();
    expect(row.getByText('I am in 7b')).toBeVisible();
    expect(await row.findByRole('button', { name: 'Accept meera_nair' })).toBeVisible();
    expect(row.getByRole('button', { name: 'Decline meera_nair' })).toBeVisible();
    expect(row.getAllByRole('link')).toHaveLength(1);
    expect(document.querySelector('a button, button a, button button, a a')).toBeNull();
    await user.click(row.getByRole('link', { name: 'All requests' }));
    await waitFor(() => expect(address()).toBe('/moderation/entry'));
    expect(screen.queryByRole('dialog', { name: 'Notifications' })).not.toBeInTheDocument();
  });

  it('is accepted with the keyboard, and its row disappears with the focus in the list', async () => {
    const { api, panel, user } = await openBell();
    const accept = await panel.findByRole('button', { name: 'Accept meera_nair' });
    api.change({ getPaginatedNotifications: () => pageOf() });
    accept.focus();
    await user.keyboard('{Enter}');
    expect(await screen.findByText('meera_nair is now a member')).toBeVisible();
    await untilGone();
    expect(answersOf(api)).toEqual([{ space: space._id, studentId: meera._id, isAccepted: true }]);
    expect(screen.getByRole('dialog', { name: 'Notifications' })).toContainElement(
      document.activeElement as HTMLElement,
    );
  });

  it('disappears with a message if another moderator answered first', async () => {
    const { api, panel, user } = await openBell({ answerEntryRequest: isAnswered });
    const accept = await panel.findByRole('button', { name: 'Accept meera_nair' });
    api.change({ getPaginatedNotifications: () => pageOf() });
    await user.click(accept);
    expect(await screen.findByText(/^This student has no open request/)).toBeVisible();
    await untilGone();
  });

  it('is declined with a reason in a dialog, which returns the focus to the bell', async () => {
    const { api, panel, user } = await openBell();
    await user.click(await panel.findByRole('button', { name: 'Decline meera_nair' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Decline meera_nair’s request?' }));
    await waitFor(() =>
      expect(screen.queryByRole('dialog', { name: 'Notifications' })).not.toBeInTheDocument(),
    );
    await user.type(dialog.getByRole('textbox', { name: /^Reason/ }), 'For 7a only');
    await user.click(dialog.getByRole('button', { name: 'Decline' }));
    expect(await screen.findByText('meera_nair’s request declined')).toBeVisible();
    expect(answersOf(api)).toEqual([
      { space: space._id, studentId: meera._id, isAccepted: false, reason: 'For 7a only' },
    ]);
    await waitFor(() => expect(screen.getByRole('button', { name: 'Notifications' })).toHaveFocus());
  });

  it('can be declined on the page, where its row disappears', async () => {
    const { api, user } = await open('/notifications');
    await user.click(await screen.findByRole('button', { name: 'Decline meera_nair' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Decline meera_nair’s request?' }));
    api.change({ getPaginatedNotifications: () => pageOf() });
    await user.click(dialog.getByRole('button', { name: 'Decline' }));
    await untilGone();
    expect(answersOf(api)).toMatchObject([{ isAccepted: false, reason: '' }]);
  });

  it('also disappears if another moderator answered while the dialog was open', async () => {
    const { api, user } = await open('/notifications', { answerEntryRequest: isAnswered });
    await user.click(await screen.findByRole('button', { name: 'Decline meera_nair' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Decline meera_nair’s request?' }));
    api.change({ getPaginatedNotifications: () => pageOf() });
    await user.click(dialog.getByRole('button', { name: 'Decline' }));
    expect(await screen.findByText(/^This student has no open request/)).toBeVisible();
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
    await untilGone();
  });

  it('stays in the dialog on other errors', async () => {
    const { user } = await open('/notifications', {
      answerEntryRequest: () => {
        throw apiError('Nimo is busy.', 'RATE_LIMITED');
      },
    });
    await user.click(await screen.findByRole('button', { name: 'Decline meera_nair' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Decline meera_nair’s request?' }));
    await user.click(dialog.getByRole('button', { name: 'Decline' }));
    expect(await dialog.findByRole('alert')).toHaveTextContent('Nimo is busy.');
  });
});
