import { describe, expect, it } from '@jest/globals';
import { screen } from '@testing-library/react';
import userEvent, { type UserEvent } from '@testing-library/user-event';
import { apiError, fakeApi, type Answers } from '../../../testing/fake-api';
import { newStudent } from '../../../testing/fixtures';
import { renderApp } from '../../../testing/render-app';
import './register-screen';

const token = 'A'.repeat(43);

function open(address: string, answers: Answers = {}) {
  const api = fakeApi({
    registerByEmail: () => ({ flag: 1 }),
    isEmailConfirmed: () => false,
    confirmEmail: ({ userName }) => ({ userName: userName ?? 'isha_patel' }),
    login: () => ({ accessToken: 'fresh-token', error: null }),
    getStudent: () => newStudent(),
    getSpaces: () => [],
    ...answers,
  });
  return { api, user: userEvent.setup(), ...renderApp(address) };
}

async function fillIn(user: UserEvent, email: string, userName: string, password: string) {
  await user.type(await screen.findByLabelText('Email'), email);
  await user.type(screen.getByLabelText('Username'), userName);
  await user.type(screen.getByLabelText('Password'), password);
  await user.click(screen.getByRole('button', { name: 'Register' }));
}

describe('registration by email', () => {
  it('confirms the registration and names the address', async () => {
    const { api, user } = open('/register');
    await fillIn(user, 'isha@example.org', 'isha_patel', 'long enough');
    expect(await screen.findByText('Register User Successfully')).toBeVisible();
    expect(screen.getByRole('status')).toHaveFocus();
    expect(screen.getByText(/We sent a link to isha@example.org/)).toBeVisible();
    expect(api.calls('RegisterByEmail')[0]?.variables).toEqual({
      email: 'isha@example.org',
      userName: 'isha_patel',
      password: 'long enough',
    });
    // An empty form would invite another registration.
    expect(screen.queryByRole('button', { name: 'Register' })).toBeNull();
    await user.click(screen.getByRole('button', { name: 'Use a different email' }));
    expect(screen.getByLabelText('Username')).toHaveValue('isha_patel');
  });

  it('requires an email, a username and a password, and sends nothing without them', async () => {
    const { api, user } = open('/register');
    await user.click(await screen.findByRole('button', { name: 'Register' }));
    expect(await screen.findByText('Please enter a valid email.')).toBeVisible();
    expect(screen.getByText('Please enter your username')).toBeVisible();
    expect(screen.getByText('Please enter your password')).toBeVisible();
    await fillIn(user, 'isha@nowhere', 'isha patel', 'short');
    expect(screen.getByText('Please enter a valid email.')).toBeVisible();
    expect(
      screen.getByText(
        'Username should contain not contain any spaces or special characters except underscore!',
      ),
    ).toBeVisible();
    expect(screen.getByText('Password must have minimum 8 characters.')).toBeVisible();
    expect(api.calls('RegisterByEmail')).toHaveLength(0);
  });

  it("shows the API's refusal in a banner", async () => {
    const { user } = open('/register', {
      registerByEmail: () => {
        throw apiError('Username already exist!', 'CONFLICT', 'userName');
      },
    });
    await fillIn(user, 'isha@example.org', 'isha_patel', 'long enough');
    expect(await screen.findByRole('alert')).toHaveTextContent('Username already exist!');
  });

  it('leads to the login', async () => {
    const { user, address } = open('/register');
    await user.click(await screen.findByRole('link', { name: 'Login' }));
    await screen.findByRole('heading', { name: 'Welcome' });
    expect(address()).toBe('/login');
  });

  it('is reached from the login and from old URLs', async () => {
    const { user, address } = open('/login');
    await user.click(await screen.findByRole('link', { name: 'or use your email' }));
    await screen.findByRole('heading', { name: 'Register' });
    expect(address()).toBe('/register');
  });

  it.each(['/pages-register', '/page-confirm-mail-2', '/auth-email-verification'])(
    'redirects from %s to /register',
    async (from) => {
      const { address } = open(from);
      await screen.findByRole('heading', { name: 'Register' });
      expect(address()).toBe('/register');
    },
  );
});

describe('the link in the email', () => {
  it('confirms when the button is pressed, not before, and logs in', async () => {
    const { api, user, address } = open(`/register#${token}`);
    const button = await screen.findByRole('button', { name: 'Confirm email' });
    await user.click(button);
    expect(await screen.findByText('Please enter your password')).toBeVisible();
    await user.type(screen.getByLabelText('Password'), 'short');
    expect(await screen.findByText('Password must have minimum 8 characters.')).toBeVisible();
    expect(api.calls('ConfirmEmail')).toHaveLength(0);
    await user.type(screen.getByLabelText('Password'), ' no more');
    await user.click(button);
    expect(await screen.findByText('No spaces yet')).toBeVisible();
    expect(address()).toBe('/space');
    expect(JSON.parse(localStorage.getItem('authUser') ?? '{}')).toMatchObject({ userName: 'isha_patel' });
    expect(api.calls('Login')[0]?.variables).toMatchObject({
      userName: 'isha_patel',
      password: 'short no more',
    });
    expect(api.calls('ConfirmEmail')[0]?.variables).toEqual({
      token,
      password: 'short no more',
      userName: null,
    });
  });

  it('leads to the login if no session can be opened', async () => {
    const { user } = open(`/register#${token}`, {
      login: () => {
        throw apiError('Nimo is busy.', 'UNAVAILABLE');
      },
    });
    await user.type(await screen.findByLabelText('Password'), 'long enough');
    await user.click(screen.getByRole('button', { name: 'Confirm email' }));
    expect(await screen.findByText('Your email is confirmed.')).toBeVisible();
    expect(screen.getByText('Log in with your username isha_patel or your email.')).toBeVisible();
    expect(screen.getByRole('link', { name: 'Login Now' })).toHaveAttribute('href', '/login');
  });

  it('asks for another username if the first has been taken', async () => {
    const { api, user, address } = open(`/register#${token}`, {
      confirmEmail: ({ userName }) => {
        if (userName === null) throw apiError('Username already exist!', 'CONFLICT', 'userName');
        return { userName };
      },
    });
    await user.type(await screen.findByLabelText('Password'), 'long enough');
    await user.click(screen.getByRole('button', { name: 'Confirm email' }));
    expect(await screen.findByRole('alert')).toHaveTextContent('Username already exist!');
    await user.type(screen.getByLabelText('Username'), 'isha_2');
    await user.click(screen.getByRole('button', { name: 'Confirm email' }));
    expect(await screen.findByText('No spaces yet')).toBeVisible();
    expect(address()).toBe('/space');
    expect(api.calls('ConfirmEmail')[1]?.variables).toEqual({
      token,
      password: 'long enough',
      userName: 'isha_2',
    });
  });

  it('reports that it is no longer valid, and how to get another', async () => {
    const message = 'This link is no longer valid. Please request a new one.';
    open(`/register#${token}`, {
      isEmailConfirmed: () => {
        throw apiError(message, 'FORBIDDEN', undefined, 'MAIL_LINK_INVALID');
      },
    });
    expect(await screen.findByRole('alert')).toHaveTextContent(message);
    expect(screen.getByRole('link', { name: 'Register again' })).toBeVisible();
    expect(screen.queryByLabelText('Password')).not.toBeInTheDocument();
  });

  it('reports at once that it was used, and leads to the login', async () => {
    const { api } = open(`/register#${token}`, { isEmailConfirmed: () => true });
    expect(await screen.findByRole('heading', { level: 1, name: 'Email confirmed' })).toBeVisible();
    expect(document.title).toBe('Email confirmed | Nimo');
    expect(screen.getByText(/^This link has already been used\./)).toBeVisible();
    expect(screen.getByRole('link', { name: 'Login Now' })).toHaveAttribute('href', '/login');
    expect(screen.queryByLabelText('Password')).not.toBeInTheDocument();
    expect(api.calls('ConfirmEmail')).toHaveLength(0);
  });

  it('reports that it was used elsewhere meanwhile', async () => {
    const { api, user } = open(`/register#${token}`, {
      confirmEmail: () => {
        throw apiError('This link is no longer valid.', 'FORBIDDEN', undefined, 'MAIL_LINK_INVALID');
      },
    });
    await user.type(await screen.findByLabelText('Password'), 'long enough');
    api.change({ isEmailConfirmed: () => true });
    await user.click(screen.getByRole('button', { name: 'Confirm email' }));
    expect(await screen.findByText('Your email is confirmed.')).toBeVisible();
  });
});
