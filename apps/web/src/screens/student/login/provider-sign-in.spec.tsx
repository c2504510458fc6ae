import { beforeEach, describe, expect, it } from '@jest/globals';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { apiError, fakeApi, type Answers } from '../../../testing/fake-api';
import { newStudent } from '../../../testing/fixtures';
import { renderApp } from '../../../testing/render-app';
import '../../../features/sign-up/sign-up-flow';
import './login-screen';

const begun = { provider: 'first', remember: true, from: '/space?from=mail', secret: 'the-secret' };

function open(address: string, answers: Answers = {}) {
  const api = fakeApi({
    getSignInProviders: () => [
      { _id: 'first', label: 'School', isEnabled: true },
      { _id: 'second', label: 'Facebook', isEnabled: false },
    ],
    // A fragment, because the test document cannot navigate away.
    startSignIn: () => ({ url: '#at-the-provider', secret: 'the-secret' }),
    finishSignIn: () => ({ accessToken: 'fresh-token', remember: true, id: 'me', grant: null }),
    getStudent: () => newStudent(),
    getSpaces: () => [],
    checkUserName: () => false,
    updateStudent: ({ userName }) => newStudent({ userName }),
    ...answers,
  });
  return { api, user: userEvent.setup({ delay: null }), ...renderApp(address) };
}

const comeBack = (answers: Answers = {}) => {
  sessionStorage.setItem('signIn', JSON.stringify(begun));
  return open('/login#code=one-time', answers);
};

beforeEach(() => sessionStorage.clear());

describe('login with a provider', () => {
  it('redirects to a configured provider, and remembers the target', async () => {
    const { api, user } = open('/login');
    await user.click(await screen.findByRole('checkbox', { name: 'Remember me' }));
    await user.click(await screen.findByRole('button', { name: 'School' }));
    await waitFor(() =>
      expect(JSON.parse(sessionStorage.getItem('signIn') ?? '{}')).toEqual({ ...begun, from: '/space' }),
    );
    expect(api.calls('StartSignIn')[0]?.variables).toEqual({ provider: 'first', remember: true });
    expect(screen.getByRole('button', { name: 'Facebook' })).toHaveAttribute('aria-disabled', 'true');
  });

  it('shows that the provider cannot be reached', async () => {
    const message = 'Something went wrong! Please try again after 10 minutes.';
    const { user } = open('/login', {
      startSignIn: () => {
        throw apiError(message, 'INTERNAL');
      },
    });
    await user.click(await screen.findByRole('button', { name: 'School' }));
    expect(await screen.findByRole('alert')).toHaveTextContent(message);
  });

  it("exchanges the code with the tab's secret, and continues to the target", async () => {
    const { api, address } = comeBack();
    await waitFor(() => expect(localStorage.getItem('accessToken')).toBe('fresh-token'));
    await waitFor(() => expect(address()).toBe('/space?from=mail'));
    expect(api.calls('FinishSignIn')).toHaveLength(1);
    expect(api.calls('FinishSignIn')[0]?.variables).toEqual({ code: 'one-time', secret: 'the-secret' });
    expect(sessionStorage.getItem('signIn')).toBeNull();
  });

  it('ignores a code this tab did not request', async () => {
    const { api } = open('/login#code=somebody-elses');
    expect(await screen.findByRole('alert')).toHaveTextContent('This took too long. Please log in again.');
    expect(api.calls('FinishSignIn')).toHaveLength(0);
    expect(localStorage.getItem('accessToken')).toBeNull();
  });

  it.each([
    ['CANCELLED', 'Login cancelled.'],
    ['FAILED', 'Login failed. Please try again.'],
    ['SIGN_IN_EXPIRED', 'This took too long. Please log in again.'],
    [
      'PROVIDER_EMAIL_REQUIRED',
      'That account has no confirmed email. Sign up with your mobile number or email.',
    ],
  ])('explains %s', async (refused, message) => {
    open(`/login#refused=${refused}`);
    expect(await screen.findByRole('alert')).toHaveTextContent(message);
  });

  it('shows that the account is blocked', async () => {
    comeBack({
      finishSignIn: () => {
        throw apiError('This account is blocked.', 'FORBIDDEN');
      },
    });
    expect(await screen.findByRole('alert')).toHaveTextContent('This account is blocked.');
  });

  it('leads a new student through the profile, without a password, and back to the provider', async () => {
    const { api, user } = comeBack({
      finishSignIn: () => ({ accessToken: null, remember: true, id: 'newcomer', grant: 'a-grant' }),
    });
    const profile = within(await screen.findByRole('dialog', { name: 'Create Profile' }));
    expect(profile.queryByLabelText(/^Password/)).not.toBeInTheDocument();
    await user.type(profile.getByLabelText(/User Name/), 'isha_patel');
    await user.click(profile.getByRole('button', { name: "Let's Get Started" }));
    await screen.findByRole('dialog', { name: 'Account created Successfully' });
    expect(api.calls('RegisterStudent')[0]?.variables).toMatchObject({
      id: 'newcomer',
      grant: 'a-grant',
      userName: 'isha_patel',
      password: '',
    });
    await user.click(screen.getByRole('button', { name: 'Login Now' }));
    await waitFor(() => expect(api.calls('StartSignIn')).toHaveLength(1));
  });
});
