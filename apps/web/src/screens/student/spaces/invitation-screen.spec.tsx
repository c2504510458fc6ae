import { afterEach, describe, expect, it } from '@jest/globals';
import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { apiError, fakeApi, type Answers } from '../../../testing/fake-api';
import { newAuthUser, newSpace } from '../../../testing/fixtures';
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

  it('without a secret redirects to the spaces', async () => {
    const { address } = openLink('');
    await waitFor(() => expect(address()).toBe('/space'));
  });

  it('tells a visitor why to log in, and sends no request', async () => {
    const api = fakeApi({ getSignInProviders: () => [] });
    const { address } = renderApp('/join#KDTW7X');
    expect(
      await screen.findByText('You’ve been invited to a space. Log in or sign up to join it.'),
    ).toBeVisible();
    expect(address()).toBe('/login');
    expect(localStorage.getItem('pendingInvitation')).toContain('KDTW7X');
    expect(api.calls('InvitedSpace')).toHaveLength(0);
  });

  it('is not mentioned on a regular login', async () => {
    fakeApi({ getSignInProviders: () => [] });
    renderApp('/login');
    await screen.findByRole('heading', { name: 'Welcome' });
    expect(screen.queryByText(/You are invited/)).not.toBeInTheDocument();
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
