import { describe, expect, it } from '@jest/globals';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { v4 as uuid } from 'uuid';
import { apiError, fakeApi, type Answers } from '../../testing/fake-api';
import { newAuthor, newAuthUser, newSpace } from '../../testing/fixtures';
import { renderApp } from '../../testing/render-app';

const space = newSpace();
const meera = newAuthor();

function newNotification(changes: object = {}, payload: object = {}) {
  return {
    _id: uuid(),
    type: 'NEW_ANSWER',
    title: 'meera_nair answered your question',
    body: 'Because of scattering.',
    isNew: true,
    createdAt: '2026-11-20T10:00:00.000Z',
    payload: {
      __typename: 'AnswerNotification',
      questionId: uuid(),
      questionTitle: 'Why is the sky blue?',
      answer: { __typename: 'NotifiedAnswer', _id: uuid(), excerpt: 'Because of scattering.' },
      author: meera,
      ...payload,
    },
    ...changes,
  };
}

const pageOf = (docs: readonly object[], page = 1, totalPages = 1) => ({ docs, page, totalPages });

function openSpace(answers: Answers = {}) {
  const api = fakeApi({
    getPaginatedLeaderboardScores: () => pageOf([], 1, 0),
    getLeaderboardScores: () => ({ scores: null, rank: null }),
    getNewNotificationCount: () => 2,
    getPaginatedNotifications: () => pageOf([]),
    markNotificationsSeen: () => 0,
    ...answers,
  });
  return { api, user: userEvent.setup(), ...renderApp('/leaderboard', { user: newAuthUser(), space }) };
}

async function openBell(answers: Answers = {}) {
  const opened = openSpace(answers);
  await opened.user.click(await screen.findByRole('button', { name: /^Notifications/ }));
  return { ...opened, panel: within(await screen.findByRole('dialog', { name: 'Notifications' })) };
}

describe('the bell', () => {
  it('shows the number of new notifications', async () => {
    openSpace();
    expect(await screen.findByRole('button', { name: 'Notifications, 2 new' })).toBeVisible();
    expect(screen.getByText('2')).toBeVisible();
  });

  it('shows 99+ for a hundred or more', async () => {
    openSpace({ getNewNotificationCount: () => 100 });
    expect(await screen.findByRole('button', { name: 'Notifications, 99+ new' })).toBeVisible();
  });

  it('has no badge without new notifications', async () => {
    openSpace({ getNewNotificationCount: () => 0 });
    expect(await screen.findByRole('button', { name: 'Notifications' })).toBeVisible();
    expect(screen.queryByText('0')).not.toBeInTheDocument();
  });

  it('counts again after a signal from the API', async () => {
    const { api } = openSpace();
    await screen.findByRole('button', { name: 'Notifications, 2 new' });
    await waitFor(() => expect(api.live.listeners('NotificationArrived')).toEqual([{ space: space._id }]));
    api.change({ getNewNotificationCount: () => 3 });
    api.live.announce('NotificationArrived', { notificationArrived: { space: space._id } });
    expect(await screen.findByRole('button', { name: 'Notifications, 3 new' })).toBeVisible();
  });
});

describe('a warning', () => {
  const warned = (payload: object) =>
    newNotification(
      { type: 'WARNED', title: 'A moderator warned you in Physics', body: 'No adverts' },
      {
        ...{ __typename: 'WarningNotification', warning: 'No adverts', spaceName: 'Physics' },
        ...{ post: null, objectTo: null, ...payload },
      },
    );

  it('shows the text, the space, the post and where to object', async () => {
    const post = {
      ...{ __typename: 'WarnedPost', questionId: uuid(), questionTitle: 'Buy this' },
      ...{ answerId: null, commentId: null },
    };
    const { panel } = await openBell({
      getPaginatedNotifications: () => pageOf([warned({ post, objectTo: 'office@school.example' })]),
    });
    const item = within(await panel.findByRole('listitem'));
    expect(item.getByText('A moderator warned you in Physics')).toBeVisible();
    expect(item.getByText('No adverts')).toBeVisible();
    expect(item.getByRole('link', { name: 'Open the post' })).toHaveAttribute(
      'href',
      `/singleQuestion/${post.questionId}/home`,
    );
    expect(item.getByRole('link', { name: 'office@school.example' })).toHaveAttribute(
      'href',
      'mailto:office@school.example',
    );
  });

  it('has no link once the post is gone', async () => {
    const { panel } = await openBell({ getPaginatedNotifications: () => pageOf([warned({})]) });
    const item = within(await panel.findByRole('listitem'));
    expect(item.getByText(/Ask another moderator of this space/)).toBeVisible();
    expect(item.queryByRole('link')).not.toBeInTheDocument();
  });
});

describe('the list of notifications', () => {
  it.each([
    ['NEW_QUESTION', 'QuestionNotification', {}, 'meera_nair asked a question', 'Why is the sky blue?'],
    ['NEW_ANSWER', 'AnswerNotification', {}, 'meera_nair answered your question', 'Because of scattering.'],
    ['ANSWER_ACCEPTED', 'AnswerNotification', {}, 'meera_nair accepted your answer', 'Why is the sky blue?'],
    [
      'NEW_COMMENT',
      'CommentNotification',
      { commentId: uuid(), commentBody: 'Are you sure?' },
      'meera_nair commented on your answer',
      'Are you sure?',
    ],
    [
      'NEW_QUESTION_COMMENT',
      'QuestionCommentNotification',
      { commentId: uuid(), commentBody: 'Where?' },
      'meera_nair commented on your question',
      'Where?',
    ],
    [
      'MENTION',
      'QuestionCommentNotification',
      { commentId: uuid(), commentBody: 'Ask @isha_patel' },
      'meera_nair mentioned you in a comment',
      'Ask @isha_patel',
    ],
    [
      'QUESTION_UPVOTED',
      'VoteNotification',
      { upvotes: 1 },
      'Your question got 1 upvote',
      'Why is the sky blue?',
    ],
    [
      'ANSWER_UPVOTED',
      'VoteNotification',
      { upvotes: 3 },
      'Your answer got 3 upvotes',
      'Why is the sky blue?',
    ],
  ])('describes %s', async (type, __typename, payload, what, excerpt) => {
    const notification = newNotification({ type }, { __typename, ...payload });
    const { panel } = await openBell({ getPaginatedNotifications: () => pageOf([notification]) });
    const link = await panel.findByRole('link', { name: new RegExp(what) });
    expect(link).toHaveTextContent(excerpt);
    expect(link).toHaveAttribute('href', `/singleQuestion/${notification.payload.questionId}/home`);
  });

  it('groups the same action of several people on a post and day, and links to the latest', async () => {
    const questionId = uuid();
    const comment = (author: ReturnType<typeof newAuthor>, commentBody: string, changes = {}) =>
      newNotification(
        { type: 'NEW_QUESTION_COMMENT', ...changes },
        { __typename: 'QuestionCommentNotification', questionId, commentId: uuid(), commentBody, author },
      );
    const [jonas, elif] = [newAuthor({ userName: 'jonas' }), newAuthor({ userName: 'elif' })];
    const docs = [
      comment(meera, 'The latest'),
      newNotification(),
      comment(jonas, 'Before', { isNew: false }),
      comment(meera, 'First', { isNew: false }),
      comment(jonas, 'Of another day', { createdAt: '2026-11-18T10:00:00.000Z', isNew: false }),
    ];
    const { panel, api, user } = await openBell({ getPaginatedNotifications: () => pageOf(docs) });
    const rows = async () => (await panel.findAllByRole('link')).map(({ textContent }) => textContent);
    expect(await rows()).toEqual([
      expect.stringContaining('meera_nair and jonas commented on your questionThe latest'),
      expect.stringContaining('meera_nair answered your question'),
      expect.stringContaining('jonas commented on your questionOf another day'),
    ]);
    api.change({ getPaginatedNotifications: () => pageOf([comment(elif, 'Newer'), ...docs]) });
    api.live.announce('NotificationArrived', { notificationArrived: { space: space._id } });
    await user.click(await panel.findByRole('button', { name: 'Show new notifications' }));
    expect(await panel.findByText('elif and 2 others commented on your question')).toBeVisible();
  });

  it('leaves out a formula cut off at the end of an excerpt', async () => {
    const excerpt = `${'so '.repeat(45)}\u2063$\\frac{1}{2}+\\frac{a`;
    const notification = newNotification(
      {},
      { answer: { __typename: 'NotifiedAnswer', _id: uuid(), excerpt } },
    );
    const { panel } = await openBell({ getPaginatedNotifications: () => pageOf([notification]) });
    const link = await panel.findByRole('link', { name: /answered your question/ });
    expect(link.textContent).toContain('so so');
    expect(link.textContent).not.toContain('frac');
  });

  it('leaves out a formula cut off at the end of a comment, and keeps code', async () => {
    const commented = (commentBody: string) =>
      newNotification(
        { type: 'NEW_QUESTION_COMMENT' },
        { __typename: 'QuestionCommentNotification', commentId: uuid(), commentBody },
      );
    const docs = [
      `${'so '.repeat(45)}$\\frac{1}{2}+\\frac{a}{b}+\\sqrt{2}`,
      `Say \`echo $HOME\\docs\`, ${'so '.repeat(50)}`,
    ].map((body) => commented(`${body.slice(0, 160).trimEnd()}…`));
    const { panel } = await openBell({ getPaginatedNotifications: () => pageOf(docs) });
    const [half, code] = await panel.findAllByRole('link', { name: /commented on your question/ });
    expect(half).toHaveTextContent(/so so …/);
    expect(half).not.toHaveTextContent('frac');
    expect(code).toHaveTextContent('echo $HOME\\docs, so');
  });

  it('names a deleted person "Someone"', async () => {
    const notification = newNotification({}, { author: newAuthor({ userName: '' }) });
    const { panel } = await openBell({ getPaginatedNotifications: () => pageOf([notification]) });
    expect(await panel.findByText('Someone answered your question')).toBeVisible();
  });

  it('marks new notifications, and reports them as seen up to the latest once they are shown', async () => {
    const [latest, seen] = [
      newNotification(),
      newNotification({ isNew: false, createdAt: '2026-11-19T10:00:00.000Z' }),
    ];
    const { api, panel } = await openBell({ getPaginatedNotifications: () => pageOf([latest, seen]) });
    await waitFor(() => expect(api.calls('MarkNotificationsSeen')).toHaveLength(1));
    expect(api.calls('MarkNotificationsSeen')[0]?.variables).toEqual({
      space: space._id,
      upTo: latest.createdAt,
    });
    await waitFor(() =>
      expect(screen.queryByRole('button', { name: 'Notifications, 2 new' })).not.toBeInTheDocument(),
    );
    // Still marked, because the list was opened before.
    expect(panel.getAllByText('New')).toHaveLength(1);
  });

  it('opens the question and closes itself', async () => {
    const notification = newNotification();
    const { panel, user, address } = await openBell({
      getPaginatedNotifications: () => pageOf([notification]),
    });
    await user.click(await panel.findByRole('link', { name: /answered your question/ }));
    expect(address()).toBe(`/singleQuestion/${notification.payload.questionId}/home`);
    await waitFor(() =>
      expect(screen.queryByRole('dialog', { name: 'Notifications' })).not.toBeInTheDocument(),
    );
  });

  it('reports an unknown question, except for a new question', async () => {
    const notification = newNotification({}, { questionId: null });
    const asked = newNotification(
      { type: 'NEW_QUESTION' },
      { __typename: 'QuestionNotification', questionId: null },
    );
    const { panel, user } = await openBell({
      getPaginatedNotifications: () => pageOf([asked, notification]),
    });
    await user.click(await panel.findByRole('button', { name: /asked a question/ }));
    expect(screen.queryByText('No Question found with this id!')).not.toBeInTheDocument();
    await user.click(panel.getByRole('button', { name: /answered your question/ }));
    expect(await screen.findByText('No Question found with this id!')).toBeVisible();
  });

  it('offers nothing new while the list is being marked as seen', async () => {
    let answer = (): void => undefined;
    const answered = new Promise<number>((resolve) => (answer = () => resolve(0)));
    const { panel, api, user } = await openBell({
      getPaginatedNotifications: () => pageOf([newNotification()]),
      markNotificationsSeen: () => answered,
    });
    await waitFor(() => expect(api.calls('MarkNotificationsSeen')).toHaveLength(1));
    expect(await panel.findByRole('button', { name: 'Mark all as read' })).toBeVisible();
    expect(panel.queryByRole('button', { name: 'Show new notifications' })).toBeNull();
    // The focus stays in the list.
    await waitFor(() => expect(document.activeElement).toContainElement(panel.getByRole('list')));
    await user.click(panel.getByRole('button', { name: 'Mark all as read' }));
    expect(document.activeElement).toContainElement(panel.getByRole('list'));
    answer();
    await waitFor(() =>
      expect(screen.queryByRole('button', { name: 'Notifications, 2 new' })).not.toBeInTheDocument(),
    );
  });

  it('ignores a count requested before the list was marked as seen', async () => {
    let answer = (): void => undefined;
    const late = new Promise<number>((resolve) => (answer = () => resolve(2)));
    const { api, user } = openSpace({
      getNewNotificationCount: () => late,
      getPaginatedNotifications: () => pageOf([newNotification()]),
    });
    await user.click(await screen.findByRole('button', { name: /^Notifications/ }));
    const panel = within(await screen.findByRole('dialog', { name: 'Notifications' }));
    await panel.findByRole('link', { name: /answered your question/ });
    await waitFor(() => expect(api.calls('MarkNotificationsSeen')).toHaveLength(1));
    api.change({ getNewNotificationCount: () => 0 });
    const asked = api.calls('NewNotificationCount').length;
    answer();
    await waitFor(() => expect(api.calls('NewNotificationCount').length).toBeGreaterThan(asked));
    expect(panel.queryByRole('button', { name: 'Show new notifications' })).toBeNull();
    expect(screen.queryByRole('button', { name: 'Notifications, 2 new' })).not.toBeInTheDocument();
  });

  it('does not change on a new notification, and shows it on request', async () => {
    const first = newNotification();
    const { api, panel, user } = await openBell({ getPaginatedNotifications: () => pageOf([first]) });
    await panel.findByRole('link', { name: /answered your question/ });
    await waitFor(() => expect(api.calls('MarkNotificationsSeen')).toHaveLength(1));
    const arrived = newNotification(
      { type: 'ANSWER_ACCEPTED', createdAt: '2026-11-20T11:00:00.000Z' },
      { questionTitle: 'Another one' },
    );
    api.change({
      getNewNotificationCount: () => 1,
      getPaginatedNotifications: () => pageOf([arrived, first]),
    });
    api.live.announce('NotificationArrived', { notificationArrived: { space: space._id } });
    const showNew = await panel.findByRole('button', { name: 'Show new notifications' });
    expect(panel.getAllByRole('link')).toHaveLength(1);
    await user.click(showNew);
    expect(await panel.findByRole('link', { name: /accepted your answer/ })).toBeVisible();
    await waitFor(() => expect(api.calls('MarkNotificationsSeen')).toHaveLength(2));
    await waitFor(() =>
      expect(panel.queryByRole('button', { name: 'Show new notifications' })).not.toBeInTheDocument(),
    );
    await user.keyboard('{Escape}');
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
  });

  it('shows an empty state', async () => {
    const { panel, api } = await openBell();
    expect(await panel.findByRole('heading', { name: 'No notifications yet' })).toBeVisible();
    expect(api.calls('MarkNotificationsSeen')).toHaveLength(0);
  });

  it('shows an error, and retries', async () => {
    const { api, panel, user } = await openBell({
      getPaginatedNotifications: () => {
        throw apiError('Nimo is busy.', 'UNAVAILABLE');
      },
    });
    expect(await panel.findByRole('alert')).toHaveTextContent('Nimo is busy.');
    api.change({ getPaginatedNotifications: () => pageOf([newNotification()]) });
    await user.click(panel.getByRole('button', { name: 'Try again' }));
    expect(await panel.findByRole('link', { name: /answered your question/ })).toBeVisible();
  });

  it('closes on Escape, and returns the focus to the bell', async () => {
    const { panel, user } = await openBell({ getPaginatedNotifications: () => pageOf([newNotification()]) });
    await panel.findByRole('link', { name: /answered your question/ });
    await user.keyboard('{Escape}');
    await waitFor(() =>
      expect(screen.queryByRole('dialog', { name: 'Notifications' })).not.toBeInTheDocument(),
    );
    await waitFor(() => expect(screen.getByRole('button', { name: /^Notifications/ })).toHaveFocus());
  });
});
