import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { v4 as uuid } from 'uuid';
import { apiError, fakeApi, type Answers } from '../../../testing/fake-api';
import { newAuthor, newAuthUser, newSpace, newStudent } from '../../../testing/fixtures';
import { renderApp } from '../../../testing/render-app';
import '../../../app/area-routes';
import '../entry/entry-screen';
import './class-code-screen';

const me = newAuthUser();
const space = newSpace({ name: 'Robotics', entry: 'INVITATION' });
const id = uuid();
const [ada, bob] = [
  newAuthor({ firstName: 'Ada', lastName: 'Lovelace', userName: 'ada_l' }),
  newAuthor({ firstName: 'Bob', lastName: 'Noyce', userName: 'bob_n' }),
];

const invitation = {
  _id: id,
  kind: 'CODE',
  state: 'ACTIVE',
  secret: 'KDTW7X',
  rule: null,
  uses: 30,
  used: 0,
  createdAt: '2026-11-20T10:00:00.000Z',
  expiresAt: '2026-12-01T10:00:00.000Z',
  createdBy: null,
};
const shown = (students: readonly object[] = [], changes: object = {}): Answers => ({
  getClassCode: () => ({
    spaceName: space.name,
    invitation: { ...invitation, used: students.length, ...changes },
    students,
  }),
});

const staffAnswers = (roles: readonly object[]): Answers => ({
  getStudent: () => newStudent({ _id: me._id, roles }),
  getSpaces: () => [space],
  getEntryRequests: () => ({ docs: [], page: 1, hasNext: false }),
  getInvitedStudents: () => [],
  getInvitations: () => [invitation],
  getSignInProviders: () => [],
});
const MODERATOR = [{ role: 'MODERATOR', space: space._id }];

function open(answers: Answers = shown(), address = `/moderation/entry/code/${space._id}/${id}`) {
  const api = fakeApi({ ...staffAnswers(MODERATOR), ...answers });
  return { api, ...renderApp(address, { user: me, space }) };
}

const opened = async (answers?: Answers) => {
  const view = open(answers);
  await screen.findByRole('heading', { level: 1, name: 'Robotics' });
  return view;
};
const joined = () => within(screen.getByRole('region', { name: /joined$/ }));
const names = () =>
  joined()
    .queryAllByRole('listitem')
    .map(({ textContent }) => textContent);

/** Loads the page under fake timers, so that the spec decides when it polls. */
async function polled(answers: Answers) {
  jest.useFakeTimers();
  const view = open(answers);
  await act(() => jest.advanceTimersByTimeAsync(1_000));
  const poll = () => act(() => jest.advanceTimersByTimeAsync(3_000));
  return { ...view, poll };
}

afterEach(() => {
  jest.useRealTimers();
  jest.restoreAllMocks();
});

describe('the class code shown to a class', () => {
  it('shows the address, the code, a QR code and who joined, without the menu of the area', async () => {
    await opened(shown([bob, ada]));
    expect(screen.getByText('Join at localhost/join')).toBeVisible();
    expect(screen.getByText('KDT-W7X')).toBeVisible();
    expect(screen.getByRole('img', { name: 'QR code to join Robotics' })).toBeVisible();
    expect(screen.getByRole('heading', { level: 2, name: '2 of 30 joined' })).toBeVisible();
    expect(names()).toEqual(['Bob Noyce', 'Ada Lovelace']);
    expect(screen.queryByRole('navigation')).not.toBeInTheDocument();
    expect(screen.queryByRole('banner')).not.toBeInTheDocument();
    expect(screen.queryByText('Nobody has joined yet')).not.toBeInTheDocument();
  });

  it('says that nobody has joined yet', async () => {
    await opened();
    expect(joined().getByText('Nobody has joined yet')).toBeVisible();
  });

  it('calls an erased student "Deleted student"', async () => {
    await opened(shown([newAuthor({ userName: '', firstName: '', lastName: '' })], { uses: null }));
    expect(names()).toEqual(['Deleted student']);
    expect(screen.getByRole('heading', { name: '1 joined' })).toBeVisible();
  });

  it('shows who joined meanwhile, announces the latest once, and pauses while hidden', async () => {
    const visibility = jest.spyOn(document, 'visibilityState', 'get').mockReturnValue('visible');
    const { api, poll } = await polled(shown());
    expect(names()).toEqual([]);
    api.change(shown([bob, ada]));
    await poll();
    expect(names()).toEqual(['Bob Noyce', 'Ada Lovelace']);
    expect(screen.getByRole('heading', { name: '2 of 30 joined' })).toBeVisible();
    await poll();
    const log = within(screen.getByRole('log'));
    expect(log.getAllByText(/joined/).map(({ textContent }) => textContent)).toEqual([
      'Bob Noyce joined. 2 of 30 joined.',
    ]);
    visibility.mockReturnValue('hidden');
    const before = api.calls('ClassCode').length;
    await poll();
    expect(api.calls('ClassCode')).toHaveLength(before);
  });

  it('keeps what it shows if a poll fails', async () => {
    const { api, poll } = await polled(shown([ada]));
    api.change({
      getClassCode: () => {
        throw apiError('The database is away.', 'INTERNAL');
      },
    });
    await poll();
    expect(api.calls('ClassCode').length).toBeGreaterThan(1);
    expect(screen.getByText('KDT-W7X')).toBeVisible();
    expect(names()).toEqual(['Ada Lovelace']);
  });

  it.each([
    ['USED_UP', 'This code has no uses left.'],
    ['EXPIRED', 'This code has expired.'],
    ['REVOKED', 'This code was revoked.'],
    // Its key is gone.
    ['ACTIVE', 'This code can’t be shown anymore. Create a new one.'],
  ])('says so if it is %s meanwhile, and keeps the list', async (state, text) => {
    const { api, poll } = await polled(shown([ada]));
    api.change(shown([ada], { state, secret: null }));
    await poll();
    expect(within(screen.getByRole('main')).getByText(text)).toBeVisible();
    expect(within(screen.getByRole('log')).getByText(text)).toBeInTheDocument();
    expect(screen.queryByText('KDT-W7X')).not.toBeInTheDocument();
    expect(screen.queryByRole('img')).not.toBeInTheDocument();
    expect(screen.queryByRole('button', { name: 'Copy address' })).not.toBeInTheDocument();
    expect(names()).toEqual(['Ada Lovelace']);
  });

  it('explains if the code is unknown, and leads back', async () => {
    const { address } = open({
      getClassCode: () => {
        throw apiError('Invitation not found.', 'NOT_FOUND', undefined, 'INVITATION_UNKNOWN');
      },
    });
    expect(await screen.findByRole('alert')).toHaveTextContent('Invitation not found.');
    await userEvent.click(screen.getByRole('link', { name: 'Back to membership' }));
    await waitFor(() => expect(address()).toBe(`/moderation/entry?space=${space._id}`));
  });

  it('copies the address of the code', async () => {
    const user = userEvent.setup({ delay: null });
    await opened();
    await user.click(screen.getByRole('button', { name: 'Copy address' }));
    expect(await screen.findByText('Copied')).toBeVisible();
    expect(await navigator.clipboard.readText()).toBe('http://localhost/join/KDTW7X');
  });

  it('fills the screen where the browser can', async () => {
    const page = document.documentElement;
    const request = jest.fn(() => {
      Object.assign(document, { fullscreenElement: page });
      page.dispatchEvent(new Event('fullscreenchange'));
      return Promise.resolve();
    });
    Object.assign(document, { fullscreenEnabled: true });
    Object.assign(page, { requestFullscreen: request });
    try {
      await opened();
      await userEvent.click(screen.getByRole('button', { name: 'Full screen' }));
      expect(request).toHaveBeenCalledTimes(1);
      expect(await screen.findByRole('button', { name: 'Exit full screen' })).toBeVisible();
    } finally {
      for (const name of ['fullscreenEnabled', 'fullscreenElement']) Reflect.deleteProperty(document, name);
      Reflect.deleteProperty(page, 'requestFullscreen');
    }
  });

  it('has no full-screen button where the browser cannot', async () => {
    await opened();
    expect(screen.queryByRole('button', { name: 'Full screen' })).not.toBeInTheDocument();
  });
});

describe('the list of invitations', () => {
  it('leads to the page and back', async () => {
    const { address, back } = open(shown(), '/moderation/entry');
    await userEvent.click(await screen.findByRole('link', { name: 'Show to class' }));
    expect(await screen.findByRole('heading', { level: 1, name: 'Robotics' })).toBeVisible();
    expect(address()).toBe(`/moderation/entry/code/${space._id}/${id}`);
    back();
    expect(await screen.findByRole('link', { name: 'Show to class' })).toBeVisible();
  });

  it('offers the page for no other invitations', async () => {
    open(
      {
        getInvitations: () => [
          { ...invitation, _id: uuid(), kind: 'LINK', secret: 'x'.repeat(43) },
          { ...invitation, state: 'EXPIRED', secret: null },
        ],
      },
      '/moderation/entry',
    );
    expect(await screen.findByText('Expired')).toBeVisible();
    expect(screen.queryByRole('link', { name: 'Show to class' })).not.toBeInTheDocument();
  });
});
