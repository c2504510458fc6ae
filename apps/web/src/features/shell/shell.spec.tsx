import { afterEach, describe, expect, it } from '@jest/globals';
import { act, cleanup, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { apiError, fakeApi, type Answers } from '../../testing/fake-api';
import { newAuthUser, newSpace, newStudent } from '../../testing/fixtures';
import { renderApp } from '../../testing/render-app';

const space = newSpace();
const wide = globalThis.matchMedia;

function openLeaderboard(answers: Answers = {}, at = '/leaderboard') {
  const api = fakeApi({
    getPaginatedLeaderboardScores: () => ({ docs: [], page: 1, totalPages: 0 }),
    getLeaderboardScores: () => ({ scores: null, rank: null }),
    getSpaces: () => [space],
    leaveSpace: () => ({ ...space, joined: false }),
    logout: () => ({ flag: 1 }),
    ...answers,
  });
  return { api, user: userEvent.setup(), ...renderApp(at, { user: newAuthUser(), space }) };
}

function narrowTo(width: number) {
  globalThis.matchMedia = (media) =>
    Object.assign(wide(media), { matches: width <= Number(/max-width: ([\d.]+)px/.exec(media)?.[1] ?? 0) });
}

afterEach(() => {
  globalThis.matchMedia = wide;
  localStorage.removeItem('continueInBrowser');
  localStorage.removeItem('pendingInvitation');
});

describe('navigation', () => {
  it.each(['/space', '/leaderboard', '/profile'])(
    'redirects a visitor from %s to the login',
    async (protectedAddress) => {
      fakeApi({});
      const { address } = renderApp(protectedAddress);
      await screen.findByRole('heading', { name: 'Welcome' });
      expect(address()).toBe('/login');
    },
  );

  it.each([
    ['/', '/space'],
    ['/pages-login-2', '/space'],
    ['/auth-two-step-verification', '/space'],
    ['/page-recoverpw', '/forgot-password'],
    ['/login', '/space'],
    ['/leaderboard', '/space'],
  ])('redirects a student without a current space from %s to %s', async (from, to) => {
    fakeApi({ getSpaces: () => [] });
    const { address } = renderApp(from, { user: newAuthUser() });
    await waitFor(() => expect(address()).toBe(to));
  });

  it('says on every screen of an archived space that it is read-only', async () => {
    const text = 'This space is archived. You can read it, but nobody can write in it.';
    openLeaderboard({ getStudentSpaces: () => [{ ...space, isArchived: true }] });
    expect(await screen.findByText(text)).toBeVisible();
    cleanup();
    openLeaderboard({ getStudentSpaces: () => [space, { ...newSpace(), isArchived: true }] });
    expect(await screen.findByRole('heading', { level: 1 })).toBeVisible();
    expect(screen.queryByText(text)).toBeNull();
  });

  it('stops saying that the student is suspended once the suspension ends, or is lifted', async () => {
    const title = 'You are suspended in this space';
    const suspended = (until: string | null) => ({
      getOwnSuspension: () => ({ since: new Date().toISOString(), until, reason: 'Spam', objectTo: null }),
    });
    const over = { getOwnSuspension: () => null };
    const ending = openLeaderboard(suspended(new Date().toISOString()));
    expect(await screen.findByText(title)).toBeVisible();
    ending.api.change(over);
    await waitFor(() => expect(screen.queryByText(title)).toBeNull(), { timeout: 5_000 });
    cleanup();
    const lifted = openLeaderboard(suspended(null));
    expect(await screen.findByText(title)).toBeVisible();
    lifted.api.change(over);
    await lifted.user.click(screen.getByRole('link', { name: 'My Profile' }));
    await waitFor(() => expect(screen.queryByText(title)).toBeNull());
  });

  it('says that the student is suspended when the notification arrives', async () => {
    const { api } = openLeaderboard({ getNewNotificationCount: () => 0 });
    await waitFor(() => expect(api.live.listeners('NotificationArrived')).toHaveLength(1));
    api.change({
      getNewNotificationCount: () => 1,
      getOwnSuspension: () => ({
        since: new Date().toISOString(),
        until: null,
        reason: 'Spam',
        objectTo: null,
      }),
    });
    act(() => api.live.announce('NotificationArrived', { notificationArrived: true }));
    expect(await screen.findByText('You are suspended in this space')).toBeVisible();
  });

  it('shows a page for an unknown URL', async () => {
    fakeApi({});
    renderApp('/no-such-page');
    expect(await screen.findByRole('heading', { name: 'This page doesn’t exist' })).toBeVisible();
  });

  it.each(['/login', '/leaderboard', '/no-such-page'])(
    'shows only the notice for narrow windows on %s',
    async (start) => {
      narrowTo(1023);
      fakeApi({});
      renderApp(start, { user: newAuthUser(), space });
      expect(
        await screen.findByText('Nimo is available on desktop, or as the student mobile app in the store.'),
      ).toBeVisible();
      expect(screen.queryByRole('navigation')).not.toBeInTheDocument();
    },
  );

  it('shows the page of a class code at any width', async () => {
    narrowTo(390);
    fakeApi({ getInvitedSpace: () => newSpace({ name: 'Robotics', joined: false }) });
    renderApp('/join/KDTW7X');
    expect(await screen.findByRole('heading', { name: 'Join Robotics' })).toBeVisible();
  });

  it('continues in a narrow window on request, and remembers it', async () => {
    narrowTo(390);
    const { user } = openLeaderboard();
    await user.click(await screen.findByRole('button', { name: 'Continue in the browser' }));
    expect(await screen.findByRole('navigation', { name: 'Main menu' })).toBeVisible();
    cleanup();
    openLeaderboard();
    expect(await screen.findByRole('navigation', { name: 'Main menu' })).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Account of isha_patel' }));
    expect(await screen.findByRole('menuitem', { name: 'Switch to dark mode' })).toBeVisible();
    await user.click(screen.getByRole('menuitem', { name: 'Exit Space' }));
    expect(await screen.findByText('Do you really want to Exit?')).toBeInTheDocument();
  });

  it.each([390, 768])(
    'has a bar at %i pixels, and links the name of the space to the spaces',
    async (width) => {
      narrowTo(width);
      localStorage.setItem('continueInBrowser', 'yes');
      const { user, address } = openLeaderboard({ getNewNotificationCount: () => 3 });
      const bar = within(await screen.findByRole('navigation', { name: 'Main menu' }));
      await bar.findByRole('link', { name: 'Notifications, 3 new' });
      expect(bar.getAllByRole('link').map((link) => link.getAttribute('href'))).toEqual([
        '/dashboard',
        '/search',
        '/notifications',
        '/leaderboard',
        '/profile',
      ]);
      expect(bar.queryByRole('button')).not.toBeInTheDocument();
      const header = within(screen.getByRole('banner'));
      expect(header.queryByRole('button', { name: /^Notifications/ })).not.toBeInTheDocument();
      expect(header.queryByRole('searchbox')).not.toBeInTheDocument();
      const toSpaces = header.getByRole('link', { name: `Go to Spaces: ${space.name}` });
      expect(toSpaces).toHaveAttribute('href', '/space');
      await user.click(bar.getByRole('link', { name: 'Search' }));
      expect(await header.findByRole('searchbox', { name: 'Search' })).toHaveFocus();
      expect(address()).toBe('/search');
    },
  );

  it('shows everything from 1024 pixels', async () => {
    narrowTo(1024);
    openLeaderboard();
    expect(await screen.findByRole('navigation', { name: 'Main menu' })).toBeVisible();
  });
});

describe('the layout of a space', () => {
  it('names the space and marks the current page', async () => {
    openLeaderboard();
    const menu = within(await screen.findByRole('navigation', { name: 'Main menu' }));
    expect(menu.getByText(space.name)).toBeVisible();
    expect(menu.getByRole('link', { name: 'Leaderboard' })).toHaveAttribute('aria-current', 'page');
    expect(menu.getByRole('link', { name: 'Nimo Ask' })).toHaveAttribute('href', '/dashboard');
    expect(menu.getByRole('link', { name: 'My Profile' })).toHaveAttribute('href', '/profile');
    expect(menu.getByRole('link', { name: 'Go to Spaces' })).toHaveAttribute('href', '/space');
    expect(menu.getByRole('button', { name: 'Exit Space' })).toBeVisible();
    expect(menu.getByRole('button', { name: 'Logout' })).toBeVisible();
  });

  it.each([
    ['/ask', 'Nimo Ask'],
    ['/singleQuestion/q-1/home', 'Nimo Ask'],
    ['/singleQuestion/q-1/profile', 'My Profile'],
    ['/leaderboard/score', 'Leaderboard'],
    ['/nimorisingstarsingle?id=s-1', 'Leaderboard'],
  ])('marks on %s the item %s', async (at, label) => {
    openLeaderboard({}, at);
    const menu = within(await screen.findByRole('navigation', { name: 'Main menu' }));
    const marked = menu.getAllByRole('link').filter((link) => link.hasAttribute('aria-current'));
    expect(marked.map((link) => link.textContent)).toEqual([label]);
  });

  it('moves the focus to the heading of a new screen, and back to the link that led there', async () => {
    const { user, address, back } = openLeaderboard({
      getStudent: () => newStudent(),
      getPaginatedSavedQuestions: () => ({ docs: [], page: 1, totalPages: 0 }),
    });
    const heading = (name: string) => screen.findByRole('heading', { level: 1, name });
    const announced = () => screen.getByRole('log').textContent;
    await heading('LeaderBoard');
    const own = await screen.findByRole('link', { name: 'How is my score calculated?' });
    await user.click(own);
    expect(await heading('How is my score calculated?')).toHaveFocus();
    expect(announced()).toBe('');
    back();
    await waitFor(() => expect(address()).toBe('/leaderboard'));
    await waitFor(() =>
      expect(screen.getByRole('link', { name: 'How is my score calculated?' })).toHaveFocus(),
    );
    const asks = screen.getByRole('link', { name: 'Nimo Ask' });
    await user.click(asks);
    await heading('Nimo Ask');
    await waitFor(() => expect(announced()).toBe('Nimo Ask'));
    expect(asks).toHaveFocus();
    // The loading outline also has a heading.
    await user.click(screen.getByRole('link', { name: 'My Profile' }));
    await waitFor(() => expect(announced()).toBe('Nimo AskMy Profile'));
  });

  it('leaves the space after confirmation', async () => {
    const { api, user, address } = openLeaderboard();
    await user.click(await screen.findByRole('button', { name: 'Exit Space' }));
    const dialog = within(await screen.findByRole('dialog'));
    expect(dialog.getByText('Do you really want to Exit?')).toBeInTheDocument();
    await user.click(dialog.getByRole('button', { name: 'Exit Space' }));
    await waitFor(() => expect(address()).toBe('/space'));
    expect(api.calls('LeaveSpace')[0]?.variables).toEqual({ spaceId: space._id });
    expect(localStorage.getItem('currentSpace')).toBeNull();
  });

  it('stays in the space on Cancel', async () => {
    const { api, user, address } = openLeaderboard();
    await user.click(await screen.findByRole('button', { name: 'Exit Space' }));
    await user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Cancel' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
    expect(api.calls('LeaveSpace')).toHaveLength(0);
    expect(address()).toBe('/leaderboard');
  });

  it('logs out after confirmation, and ends the session on both sides', async () => {
    const { api, user, address } = openLeaderboard();
    await user.click(await screen.findByRole('button', { name: 'Logout' }));
    const dialog = within(await screen.findByRole('dialog'));
    expect(dialog.getByText('Do you really want to logout?')).toBeInTheDocument();
    await user.click(dialog.getByRole('button', { name: 'Logout' }));
    await waitFor(() => expect(address()).toBe('/login'));
    expect(api.calls('Logout')[0]?.authorization).toBe('Bearer token-of-the-session');
    expect(localStorage.getItem('authUser')).toBeNull();
    expect(localStorage.getItem('currentSpace')).toBeNull();
  });

  it('asks for confirmation when /logout is opened by a link', async () => {
    const { api, user, address } = openLeaderboard({}, '/logout');
    expect(await screen.findByText('Do you really want to logout?')).toBeVisible();
    expect(api.calls('Logout')).toHaveLength(0);
    expect(localStorage.getItem('authUser')).not.toBeNull();
    await user.click(screen.getByRole('button', { name: 'Logout' }));
    await waitFor(() => expect(address()).toBe('/login'));
    expect(api.calls('Logout')).toHaveLength(1);
    expect(localStorage.getItem('authUser')).toBeNull();
  });

  it("deletes the student's drafts on logout, and no others", async () => {
    const { user, address } = openLeaderboard();
    const { _id } = JSON.parse(localStorage.getItem('authUser') ?? '{}') as { _id: string };
    const mine = `draft:${_id}:ask`;
    localStorage.setItem(mine, '{"title":"Mine"}');
    localStorage.setItem('draft:somebody-else:ask', '{"title":"Theirs"}');
    await user.click(await screen.findByRole('button', { name: 'Logout' }));
    await user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Logout' }));
    await waitFor(() => expect(address()).toBe('/login'));
    expect(localStorage.getItem(mine)).toBeNull();
    expect(localStorage.getItem('draft:somebody-else:ask')).not.toBeNull();
  });

  it('logs out from the user menu, too', async () => {
    const { user } = openLeaderboard();
    await user.click(await screen.findByRole('button', { name: 'Account of isha_patel' }));
    await user.click(await screen.findByRole('menuitem', { name: 'Logout' }));
    expect(await screen.findByText('Do you really want to logout?')).toBeInTheDocument();
  });

  it('drops a session unknown to the API', async () => {
    const { address } = openLeaderboard({
      getLeaderboardScores: () => {
        throw apiError('Sign in first.', 'UNAUTHENTICATED');
      },
    });
    await screen.findByRole('heading', { name: 'Welcome' });
    expect(address()).toBe('/login');
    expect(localStorage.getItem('authUser')).toBeNull();
  });

  it.each([
    ['offers', 'a mouse', false, 1],
    ['does not offer', 'touch', true, 0],
  ])('%s the keyboard shortcuts with %s', async (_, __, isTouched, count) => {
    globalThis.matchMedia = (media) =>
      Object.assign(wide(media), { matches: isTouched && media === '(pointer: coarse)' });
    const { user } = openLeaderboard();
    await user.click(await screen.findByRole('button', { name: 'Account of isha_patel' }));
    expect(await screen.findByRole('menuitem', { name: 'Settings' })).toBeVisible();
    expect(screen.queryAllByRole('menuitem', { name: 'Keyboard shortcuts' })).toHaveLength(count);
  });

  it('switches to dark mode and back, and remembers it', async () => {
    const { user } = openLeaderboard();
    await user.click(await screen.findByRole('button', { name: 'Switch to dark mode' }));
    expect(document.documentElement).toHaveAttribute('data-mantine-color-scheme', 'dark');
    expect(localStorage.getItem('mantine-color-scheme-value')).toBe('dark');
    await user.click(screen.getByRole('button', { name: 'Switch to light mode' }));
    expect(document.documentElement).toHaveAttribute('data-mantine-color-scheme', 'light');
  });
});
