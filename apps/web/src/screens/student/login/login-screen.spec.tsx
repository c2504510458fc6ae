import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { fakeApi } from '../../../testing/fake-api';
import { newStudent } from '../../../testing/fixtures';
import { signIn, signOut } from '../../../lib/auth-storage';
import { timings } from '../../../lib/timings';
import { loseConnection } from '../../../testing/lose-connection';
import { renderApp } from '../../../testing/render-app';
import './login-screen';

const refusal = 'The user name or the password is not right.';

const providers = ['Google', 'Facebook'].map((label) => ({ _id: label, label, isEnabled: false }));

function openLogin(address = '/login') {
  const api = fakeApi({
    login: ({ password }) => {
      if (password === 'right one') return { accessToken: 'fresh-token', error: null };
      return password === 'not confirmed'
        ? { accessToken: null, error: 'Confirm your email first.', confirmation: 'the key' }
        : { accessToken: null, error: refusal, confirmation: null };
    },
    getSignInProviders: () => providers,
    sendConfirmation: ({ confirmation }) => ({ flag: confirmation === 'the key' ? 1 : 0 }),
    getStudent: () => newStudent(),
    getSpaces: () => [],
  });
  return { api, user: userEvent.setup(), ...renderApp(address) };
}

async function fillIn(user: ReturnType<typeof userEvent.setup>, userName: string, password: string) {
  await user.type(await screen.findByLabelText('Username'), userName);
  await user.type(screen.getByLabelText('Password'), password);
}

afterEach(() => void jest.useRealTimers());

describe('login', () => {
  it('has its heading, fields, checkbox and links', async () => {
    openLogin();
    expect(await screen.findByRole('heading', { name: 'Welcome' })).toBeVisible();
    expect(screen.getByLabelText('Username')).toBeVisible();
    expect(screen.getByLabelText('Password')).toHaveAttribute('type', 'password');
    const remember = screen.getByRole('checkbox', { name: 'Remember me' });
    expect(remember).not.toBeChecked();
    // With rounder corners it would look like a radio button.
    expect(remember.closest('[style*="--checkbox-radius: var(--mantine-radius-xs)"]')).not.toBeNull();
    for (const name of ['Log In', 'Forgot your password', 'Sign Up'])
      expect(screen.getByRole('button', { name })).toBeVisible();
  });

  it('requires both fields and sends nothing without them', async () => {
    const { api, user } = openLogin();
    await user.click(await screen.findByRole('button', { name: 'Log In' }));
    expect(await screen.findByText('Please enter your username')).toBeVisible();
    expect(screen.getByText('Please enter your password')).toBeVisible();
    expect(api.calls('Login')).toHaveLength(0);
  });

  it("shows the API's refusal in a banner and stays", async () => {
    const { user, address } = openLogin();
    await fillIn(user, 'isha_patel', 'wrong one');
    await user.click(screen.getByRole('button', { name: 'Log In' }));
    expect(await screen.findByRole('alert')).toHaveTextContent(refusal);
    expect(address()).toBe('/login');
    expect(localStorage.getItem('authUser')).toBeNull();
  });

  it('resends the email to a student who has not confirmed it', async () => {
    const { api, user } = openLogin();
    await fillIn(user, 'isha@example.org', 'not confirmed');
    await user.click(screen.getByRole('button', { name: 'Log In' }));
    expect(await screen.findByRole('alert')).toHaveTextContent('Confirm your email first.');
    await user.click(await screen.findByRole('button', { name: 'Resend the email' }));
    expect(await screen.findByRole('status')).toHaveTextContent('Email sent.');
    expect(api.calls('SendConfirmation')[0]?.variables).toEqual({ confirmation: 'the key' });

    await user.type(screen.getByLabelText('Password'), '!');
    await user.click(screen.getByRole('button', { name: 'Log In' }));
    expect(await screen.findByText(refusal)).toBeVisible();
    expect(screen.queryByRole('button', { name: 'Resend the email' })).not.toBeInTheDocument();
  });

  it('sends digits as an integer phone number with the prefix 91', async () => {
    const { api, user } = openLogin();
    await fillIn(user, '9876543210', 'wrong one');
    await user.click(screen.getByRole('button', { name: 'Log In' }));
    await waitFor(() => expect(api.calls('Login')).toHaveLength(1));
    expect(api.calls('Login')[0]?.variables).toEqual({
      phone: 919876543210,
      password: 'wrong one',
      rememberMe: false,
    });
  });

  it('loads the student with the new token, keeps the session until the browser is closed, and opens the spaces after a delay', async () => {
    const { api, user, address } = openLogin();
    await fillIn(user, 'isha_patel', 'right one');
    jest.useFakeTimers();
    fireEvent.click(screen.getByRole('button', { name: 'Log In' }));
    await waitFor(() => expect(localStorage.getItem('authUser')).toContain('isha_patel'));
    expect(address()).toBe('/login');
    expect(api.calls('OwnStudent')[0]?.authorization).toBe('Bearer fresh-token');
    await act(() => jest.advanceTimersByTimeAsync(timings.loginRedirect));
    expect(address()).toBe('/space');
    expect(localStorage.getItem('accessToken')).toBeNull();
  });

  it('keeps the session after the browser is closed if asked to', async () => {
    const { api, user } = openLogin();
    await fillIn(user, 'isha_patel', 'right one');
    await user.click(screen.getByRole('checkbox', { name: 'Remember me' }));
    await user.click(screen.getByRole('button', { name: 'Log In' }));
    await waitFor(() => expect(localStorage.getItem('authUser')).toContain('isha_patel'));
    expect(localStorage.getItem('accessToken')).toBe('fresh-token');
    expect(api.calls('Login')[0]?.variables).toMatchObject({ rememberMe: true });
  });

  it('returns to the requested page', async () => {
    const { user, address } = openLogin('/space?from=mail');
    await waitFor(() => expect(address()).toBe('/login'));
    await fillIn(user, 'isha_patel', 'right one');
    await user.click(screen.getByRole('button', { name: 'Log In' }));
    await waitFor(() => expect(address()).toBe('/space?from=mail'));
  });

  it('explains why the session ended', async () => {
    openLogin('/space');
    act(() => signIn('lost', newStudent(), true));
    act(() => signOut('ended'));
    expect(await screen.findByText(/Your session has ended/)).toBeVisible();
  });

  it.each([
    ['Sign Up', 'Create Account'],
    ['Forgot your password', 'Forgot password'],
  ])('shows immediately that the form behind "%s" is loading', async (button, dialog) => {
    openLogin();
    const bringBack = loseConnection();
    fireEvent.click(await screen.findByRole('button', { name: button }));
    expect(screen.getByRole('status')).toHaveTextContent(/Can’t reach Nimo.*Try again/);
    bringBack();
    expect(await screen.findByRole('dialog', { name: dialog })).toBeVisible();
    expect(screen.queryByText('Loading…')).not.toBeInTheDocument();
  });

  it('shows and hides the password', async () => {
    const { user } = openLogin();
    const password = await screen.findByLabelText('Password');
    await user.click(screen.getByRole('button', { name: 'Show password' }));
    expect(password).toHaveAttribute('type', 'text');
    await user.click(screen.getByRole('button', { name: 'Hide password' }));
    expect(password).toHaveAttribute('type', 'password');
  });

  it('offers two other providers, which explain on press that they are not set up', async () => {
    const { user } = openLogin();
    for (const name of ['Google', 'Facebook']) {
      const button = await screen.findByRole('button', { name });
      const hint = `Login with ${name} is not available here.`;
      await waitFor(() => expect(button).toHaveAccessibleDescription(hint));
      expect(button).toHaveAttribute('aria-disabled', 'true');
      await user.click(button);
      expect(screen.getByText(hint)).toBeVisible();
    }
  });

  it('does not call them unavailable while the server is unreachable, and retries when it is back', async () => {
    fakeApi({ getSignInProviders: () => [{ _id: 'google', label: 'Google', isEnabled: true }] });
    const bringBack = loseConnection();
    const user = userEvent.setup();
    renderApp('/login');
    const button = await screen.findByRole('button', { name: 'Google' });
    const unreachable = 'Can’t reach Nimo. Check your connection and try again.';
    await waitFor(() => expect(button).toHaveAccessibleDescription(unreachable));
    await user.click(button);
    expect(screen.getByText(unreachable)).toBeVisible();
    bringBack();
    await waitFor(() =>
      expect(screen.getByRole('button', { name: 'Google' })).not.toHaveAttribute('aria-disabled'),
    );
    expect(screen.queryByText(unreachable)).not.toBeInTheDocument();
  });
});
