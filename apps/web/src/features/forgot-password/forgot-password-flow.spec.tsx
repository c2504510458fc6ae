import { describe, expect, it } from '@jest/globals';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent, { type UserEvent } from '@testing-library/user-event';
import { fakeApi, type Answers } from '../../testing/fake-api';
import { renderApp } from '../../testing/render-app';

async function openForgotPassword(answers: Answers = {}) {
  const api = fakeApi({
    sendOTP: () => ({ flag: 1 }),
    verifyOTP: ({ verificationCode }) =>
      verificationCode === '4711'
        ? { flag: 1, id: 'student', phone: '919000000001', grant: 'a-grant' }
        : { flag: 0 },
    changePassword: () => ({ flag: 1 }),
    ...answers,
  });
  const user = userEvent.setup();
  renderApp('/login');
  await user.click(await screen.findByRole('button', { name: 'Forgot your password' }));
  await screen.findByRole('dialog', { name: 'Forgot password' });
  return { api, user };
}

async function requestCode(user: UserEvent, phone = '9000000001') {
  await user.type(screen.getByLabelText('Mobile number'), phone);
  await user.click(screen.getByRole('button', { name: 'Get OTP' }));
}

async function typeCode(user: UserEvent, code: string) {
  await user.click(await screen.findByLabelText('Digit 1'));
  await user.keyboard(code);
  await user.click(screen.getByRole('button', { name: 'Verify' }));
}

async function setPassword(user: UserEvent, password: string, confirmation: string) {
  const dialog = within(await screen.findByRole('dialog', { name: 'Set new password' }));
  await user.type(dialog.getByLabelText('New password'), password);
  await user.type(dialog.getByLabelText('Confirm password'), confirmation);
  await user.click(dialog.getByRole('button', { name: 'Set new password' }));
}

describe('forgot password', () => {
  it('focuses the field of each step', async () => {
    const { user } = await openForgotPassword();
    await waitFor(() => expect(screen.getByLabelText('Mobile number')).toHaveFocus());
    await user.keyboard('9000000001{Enter}');
    await waitFor(() => expect(screen.getByLabelText('Digit 1')).toHaveFocus());
    await user.keyboard('4711{Enter}');
    await waitFor(() => expect(screen.getByLabelText('New password')).toHaveFocus());
  });

  it('rejects a number without ten digits', async () => {
    const { api, user } = await openForgotPassword();
    await requestCode(user, '12345');
    expect(await screen.findByRole('alert')).toHaveTextContent('Invalid mobile number');
    expect(api.calls('SendOtp')).toHaveLength(0);
  });

  it("shows the API's refusal of an unknown number", async () => {
    const message = 'Student with phone: 919000000001 does not exist in DB.';
    const { user } = await openForgotPassword({
      sendOTP: () => ({
        flag: 0,
        refusal: {
          message,
          code: 'NOT_FOUND',
          rule: 'PHONE_UNKNOWN',
          field: 'phone',
          params: [{ name: 'phone', value: '919000000001' }],
        },
      }),
    });
    await requestCode(user);
    expect(await screen.findByRole('alert')).toHaveTextContent(message);
  });

  it('confirms a sent code in green, and shows a wrong one in red', async () => {
    const { api, user } = await openForgotPassword();
    await requestCode(user);
    expect(await screen.findByText('We sent a code to +91 9000000001.')).toBeVisible();
    await typeCode(user, '12');
    expect(await screen.findByRole('alert')).toHaveTextContent('Invalid OTP. Please enter valid OTP.');
    expect(api.calls('VerifyOtp')).toHaveLength(0);
    await user.click(screen.getByLabelText('Digit 3'));
    await user.keyboard('34');
    await user.click(screen.getByRole('button', { name: 'Verify' }));
    await waitFor(() => expect(api.calls('VerifyOtp')).toHaveLength(1));
    expect(await screen.findByRole('alert')).toHaveTextContent('Invalid OTP. Please enter valid OTP.');
    expect(api.calls('VerifyOtp')[0]?.variables).toMatchObject({ purpose: 'FORGOT_PASSWORD' });
  });

  it('requires the password twice, and both to match', async () => {
    const { api, user } = await openForgotPassword();
    await requestCode(user);
    await typeCode(user, '4711');
    await screen.findByRole('dialog', { name: 'Set new password' });
    await user.click(screen.getByRole('button', { name: 'Set new password' }));
    expect(await screen.findByText('Please enter a password')).toBeVisible();
    expect(screen.getByText('Please confirm your password')).toBeVisible();
    await setPassword(user, 'long enough', 'something else');
    expect(await screen.findByText('Passwords do not match')).toBeVisible();
    expect(api.calls('ChangePassword')).toHaveLength(0);
  });

  it('changes the password with the grant, and returns to the login', async () => {
    const { api, user } = await openForgotPassword();
    await requestCode(user);
    await typeCode(user, '4711');
    await setPassword(user, 'long enough', 'long enough');
    await screen.findByRole('dialog', { name: 'Password changed success' });
    expect(api.calls('ChangePassword')[0]?.variables).toEqual({
      phone: '919000000001',
      grant: 'a-grant',
      password: 'long enough',
    });
    await user.click(screen.getByRole('button', { name: 'Login Now' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
  });

  it('reports a refused change', async () => {
    const { user } = await openForgotPassword({ changePassword: () => ({ flag: 0 }) });
    await requestCode(user);
    await typeCode(user, '4711');
    await setPassword(user, 'long enough', 'long enough');
    expect(await screen.findByRole('alert')).toHaveTextContent(
      'Something went wrong! Please try again after 10 minutes.',
    );
  });
});
