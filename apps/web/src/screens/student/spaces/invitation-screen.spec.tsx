import { afterEach, describe, expect, it } from '@jest/globals';
import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { apiError, fakeApi, type Answers } from '../../../testing/fake-api';
import { newAuthUser, newSpace, newStudent } from '../../../testing/fixtures';
import { renderApp } from '../../../testing/render-app';
import '../login/login-screen';
import './invitation-screen';
import './spaces-screen';

const robotics = newSpace({ name: 'Robotics', description: 'We build.', joined: false, entry: 'INVITATION' });

// A visitor's invitation is stored for a day.
afterEach(() => localStorage.clear());

function openLink(secret: string, answers: Answers = {}, user = newAuthUser()) {
  const api = fakeApi({
    getSpaces: () => [robotics],
    getInvitedSpace: () => robotics,
    joinByInvitation: () => ({ ...robotics, joined: true }),
    ...answers,
  });
  return { api, user: userEvent.setup({ delay: null }), ...renderApp(`/join#${secret}`, { user }) };
}

describe('/join', () => {
  it('names the space, joins when confirmed, and enters it', async () => {
    const { api, user, address } = openLink('KDTW7X');
    expect(await screen.findByRole('heading', { name: 'Robotics' })).toBeVisible();
    expect(screen.getByText('You’ve been invited to Robotics.')).toBeVisible();
    expect(api.calls('InvitedSpace')[0]?.variables).toEqual({ secret: 'KDTW7X' });
    expect(api.calls('JoinByInvitation')).toHaveLength(0);
    await user.click(screen.getByRole('button', { name: 'Join Robotics' }));
    await waitFor(() => expect(address()).toBe('/dashboard'));
    expect(api.calls('JoinByInvitation')[0]?.variables).toEqual({ secret: 'KDTW7X' });
    expect(localStorage.getItem('currentSpace')).toContain(robotics._id);
  });

  it('admits a member without counting a use', async () => {
    const { api, user, address } = openLink('KDTW7X', {
      getInvitedSpace: () => ({ ...robotics, joined: true }),
    });
    await user.click(await screen.findByRole('button', { name: 'Open Robotics' }));
    await waitFor(() => expect(address()).toBe('/dashboard'));
    expect(api.calls('JoinByInvitation')).toHaveLength(0);
  });

  it('explains an invalid invitation, and links to the spaces', async () => {
    const { user, address } = openLink('KDTW7X', {
      getInvitedSpace: () => {
        throw apiError('This invitation has expired. Ask for a new one.', 'FORBIDDEN');
      },
    });
    expect(await screen.findByRole('heading', { name: 'This invitation can’t be used' })).toBeVisible();
    expect(screen.getByText('This invitation has expired. Ask for a new one.')).toBeVisible();
    await user.click(screen.getByRole('link', { name: 'Go to spaces' }));
    await waitFor(() => expect(address()).toBe('/space'));
  });

  it('stays and shows why joining failed', async () => {
    const { user, address } = openLink('KDTW7X', {
      joinByInvitation: () => {
        throw apiError('This invitation was used as often as it may be.', 'FORBIDDEN');
      },
    });
    await user.click(await screen.findByRole('button', { name: 'Join Robotics' }));
    expect(await screen.findByText('This invitation was used as often as it may be.')).toBeVisible();
    expect(address()).toBe('/join');
  });

  it('without a secret asks for a class code', async () => {
    const { user, address } = openLink('');
    await user.type(await screen.findByLabelText('Class code'), 'kdt-w7x{Enter}');
    await waitFor(() => expect(address()).toBe('/join/kdt-w7x'));
    expect(await screen.findByText('You’ve been invited to Robotics.')).toBeVisible();
  });

  it('accepts another code after a wrong one', async () => {
    const { api, user, address } = openLink('KDTW7C', {
      getInvitedSpace: () => {
        throw apiError('Invitation not found. Check the link or the code.', 'NOT_FOUND');
      },
    });
    const field = await screen.findByLabelText('Class code');
    api.change({ getInvitedSpace: () => robotics });
    await user.type(field, 'KDTW7X{Enter}');
    expect(await screen.findByText('You’ve been invited to Robotics.')).toBeVisible();
    expect(address()).toBe('/join/KDTW7X');
  });

  it('offers to try again while the API is unreachable', async () => {
    const { api, user } = openLink('KDTW7X', {
      getInvitedSpace: () => {
        throw new Error('Failed to fetch');
      },
    });
    const retry = await screen.findByRole('button', { name: 'Try again' });
    expect(screen.queryByText('This invitation can’t be used')).not.toBeInTheDocument();
    api.change({ getInvitedSpace: () => robotics });
    await user.click(retry);
    expect(await screen.findByText('You’ve been invited to Robotics.')).toBeVisible();
  });

  it('is not mentioned on a regular login', async () => {
    fakeApi({ getSignInProviders: () => [] });
    renderApp('/login');
    await screen.findByRole('heading', { name: 'Welcome' });
    expect(screen.queryByText(/You are invited/)).not.toBeInTheDocument();
  });
});

describe('/join for a visitor', () => {
  const openAsVisitor = (answers: Answers = {}, address = '/join/KDTW7X') => {
    const api = fakeApi({
      getSignInProviders: () => [],
      getInvitedSpace: () => robotics,
      ...answers,
    });
    return { api, user: userEvent.setup({ delay: null }), ...renderApp(address) };
  };

  it('names the space, and leads to the login and back', async () => {
    const { api, user, address } = openAsVisitor();
    expect(await screen.findByRole('heading', { name: 'Join Robotics' })).toBeVisible();
    expect(screen.getByText('We build.')).toBeVisible();
    expect(api.calls('InvitedSpace')[0]?.variables).toEqual({ secret: 'KDTW7X' });
    expect(localStorage.getItem('pendingInvitation')).toContain('KDTW7X');
    await user.click(screen.getByRole('link', { name: 'Log In' }));
    expect(
      await screen.findByText('You’ve been invited to a space. Log in or sign up to join it.'),
    ).toBeVisible();
    expect(address()).toBe('/login');
  });

  it('asks for an account after too many wrong codes', async () => {
    openAsVisitor({
      getInvitedSpace: () => {
        throw apiError('Log in first.', 'TOO_MANY_REQUESTS', undefined, 'CODE_REQUIRES_ACCOUNT');
      },
    });
    expect(await screen.findByRole('button', { name: 'Sign Up' })).toBeVisible();
    expect(screen.getByText('Log in first.')).toBeVisible();
    expect(screen.queryByText('Robotics')).not.toBeInTheDocument();
    // A sign-up by email ends in another tab.
    expect(localStorage.getItem('pendingInvitation')).toContain('KDTW7X');
  });

  it('explains an invalid code, and takes another one', async () => {
    const { api, user } = openAsVisitor({
      getInvitedSpace: () => {
        throw apiError('Invitation not found. Check the link or the code.', 'NOT_FOUND');
      },
    });
    expect(await screen.findByRole('heading', { name: 'This invitation can’t be used' })).toBeVisible();
    expect(screen.getByText('Invitation not found. Check the link or the code.')).toBeVisible();
    api.change({ getInvitedSpace: () => robotics });
    await user.type(screen.getByLabelText('Class code'), 'KDT-W7X{Enter}');
    expect(await screen.findByRole('heading', { name: 'Join Robotics' })).toBeVisible();
  });

  it('without a code asks for one', async () => {
    const { user, address } = openAsVisitor({}, '/join');
    await user.type(await screen.findByLabelText('Class code'), 'KDT-W7X{Enter}');
    await waitFor(() => expect(address()).toBe('/join/KDT-W7X'));
  });

  it('without a code leads to the login and back to its field', async () => {
    const { user, address } = openAsVisitor(
      {
        login: () => ({ accessToken: 'token', error: null, confirmation: null }),
        getStudent: () => newStudent(),
      },
      '/join',
    );
    await user.click(await screen.findByRole('link', { name: 'Log In' }));
    await user.type(await screen.findByLabelText('Username'), 'asha');
    await user.type(screen.getByLabelText('Password'), 'learn-together');
    await user.click(screen.getByRole('button', { name: 'Log In' }));
    await waitFor(() => expect(address()).toBe('/join'));
    expect(await screen.findByLabelText('Class code')).toBeVisible();
  });
});

describe('a class code', () => {
  it('is entered on the page of spaces, and opens its invitation', async () => {
    const api = fakeApi({ getSpaces: () => [robotics], getInvitedSpace: () => robotics });
    const user = userEvent.setup({ delay: null });
    renderApp('/space', { user: newAuthUser() });
    await screen.findByRole('region', { name: 'All Spaces' });
    expect(screen.queryByLabelText('Class code')).not.toBeInTheDocument();
    await user.click(screen.getByRole('button', { name: 'I have a class code' }));
    expect(screen.getByLabelText('Class code')).toHaveFocus();
    expect(screen.getByRole('button', { name: 'Continue' })).toBeDisabled();
    await user.keyboard(' kdtw-7xrm {Enter}');
    expect(await screen.findByText('You’ve been invited to Robotics.')).toBeVisible();
    expect(api.calls('InvitedSpace')[0]?.variables).toEqual({ secret: 'kdtw-7xrm' });
  });
});
