import { describe, expect, it } from '@jest/globals';
import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { apiError, fakeApi, type Answers } from '../../../testing/fake-api';
import { renderApp } from '../../../testing/render-app';
import './forgot-password-screen';

const token = 'A'.repeat(43);

function open(address: string, answers: Answers = {}) {
  const api = fakeApi({
    forgotPassword: () => ({ flag: 1 }),
    resetPassword: () => ({ flag: 1 }),
    ...answers,
  });
  return { api, user: userEvent.setup(), ...renderApp(address) };
}

describe('a password reset by email', () => {
  it('confirms in green that the link was sent', async () => {
    const { api, user } = open('/forgot-password');
    await user.type(await screen.findByLabelText('Email'), 'isha@example.org');
    await user.click(screen.getByRole('button', { name: 'Reset password' }));
    expect(await screen.findByRole('status')).toHaveTextContent(
      'Reset link are sended to your mailbox, check there first',
    );
    expect(api.calls('ForgotPassword')[0]?.variables).toEqual({ email: 'isha@example.org' });
  });

  it.each(['', 'isha', 'isha@nowhere'])('asks for an email instead of %j', async (email) => {
    const { api, user } = open('/forgot-password');
    if (email !== '') await user.type(await screen.findByLabelText('Email'), email);
    await user.click(await screen.findByRole('button', { name: 'Reset password' }));
    expect(await screen.findByText('Please enter a valid email.')).toBeVisible();
    expect(api.calls('ForgotPassword')).toHaveLength(0);
  });

  it('shows in red that there were too many requests', async () => {
    const message = 'Something went wrong! Please try again after 10 minutes.';
    const { user } = open('/forgot-password', {
      forgotPassword: () => {
        throw apiError(message, 'TOO_MANY_REQUESTS');
      },
    });
    await user.type(await screen.findByLabelText('Email'), 'isha@example.org');
    await user.click(screen.getByRole('button', { name: 'Reset password' }));
    expect(await screen.findByRole('alert')).toHaveTextContent(message);
  });

  it.each(['/page-recoverpw', '/page-recoverpw-2', '/pages-forgot-pwd'])(
    'is reached from %s',
    async (from) => {
      const { address } = open(from);
      await screen.findByRole('heading', { name: 'Reset password' });
      expect(address()).toBe('/forgot-password');
    },
  );

  it('is offered on the page for mobile numbers', async () => {
    const { user, address } = open('/login');
    await user.click(await screen.findByRole('button', { name: 'Forgot your password' }));
    await user.click(await screen.findByRole('link', { name: 'Reset it by email' }));
    await screen.findByRole('heading', { name: 'Reset password' });
    expect(address()).toBe('/forgot-password');
  });
});

describe('the link in the email', () => {
  it('sets a new password, typed twice', async () => {
    const { api, user } = open(`/forgot-password#${token}`);
    await user.click(await screen.findByRole('button', { name: 'Set new password' }));
    expect(await screen.findByText('Please enter a password')).toBeVisible();
    expect(screen.getByText('Please confirm your password')).toBeVisible();
    await user.type(screen.getByLabelText('New password'), 'long enough');
    await user.type(screen.getByLabelText('Confirm password'), 'long enougH');
    await user.click(screen.getByRole('button', { name: 'Set new password' }));
    expect(await screen.findByText('Passwords do not match')).toBeVisible();
    expect(api.calls('ResetPassword')).toHaveLength(0);
    await user.clear(screen.getByLabelText('Confirm password'));
    await user.type(screen.getByLabelText('Confirm password'), 'long enough');
    await user.click(screen.getByRole('button', { name: 'Set new password' }));
    expect(await screen.findByText('Password Changed Successfully!')).toBeVisible();
    expect(screen.getByRole('status')).toHaveFocus();
    expect(api.calls('ResetPassword')[0]?.variables).toEqual({ token, password: 'long enough' });
    expect(screen.getByRole('link', { name: 'Login Now' })).toHaveAttribute('href', '/login');
  });

  it('reports that it was used, and how to get another', async () => {
    const message = 'This link is no longer valid. Please request a new one.';
    const { user } = open(`/forgot-password#${token}`, {
      resetPassword: () => {
        throw apiError(message, 'FORBIDDEN');
      },
    });
    await user.type(await screen.findByLabelText('New password'), 'long enough');
    await user.type(screen.getByLabelText('Confirm password'), 'long enough');
    await user.click(screen.getByRole('button', { name: 'Set new password' }));
    expect(await screen.findByRole('alert')).toHaveTextContent(message);
    expect(screen.getByRole('link', { name: 'Request a new link' })).toBeVisible();
  });
});
