import { describe, expect, it } from '@jest/globals';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent, { type UserEvent } from '@testing-library/user-event';
import { createChallenge, verifySolution } from 'altcha-lib';
import { apiError, fakeApi, type Answers } from '../../testing/fake-api';
import { newSpace, newStudent } from '../../testing/fixtures';
import { loseConnection } from '../../testing/lose-connection';
import { renderApp } from '../../testing/render-app';

const newcomer = { _id: 'newcomer', isRegistered: false };

async function openSignUp(answers: Answers = {}, from = '/login') {
  const api = fakeApi({
    createStudent: () => newcomer,
    sendOTP: () => ({ flag: 1 }),
    verifyOTP: ({ verificationCode }) =>
      verificationCode === '4711'
        ? { flag: 1, id: 'newcomer', phone: '919000000001', grant: 'a-grant' }
        : { flag: 0 },
    checkUserName: () => false,
    updateStudent: () => newStudent(),
    login: () => ({ accessToken: 'fresh-token', error: null }),
    getStudent: () => newStudent(),
    getSpaces: () => [],
    getAvatars: () => [
      { category: 'animals', urls: ['/avatars/animals/cat.svg', '/avatars/animals/owl.svg'] },
    ],
    getPresignedS3Url: () => ({ url: '/upload/slot', key: 'slot.webp' }),
    ...answers,
  });
  const user = userEvent.setup();
  const { address } = renderApp(from);
  await user.click(await screen.findByRole('button', { name: 'Sign Up' }));
  await screen.findByRole('dialog', { name: 'Create Account' });
  return { api, user, address };
}

async function requestCode(user: UserEvent) {
  await user.type(screen.getByLabelText('Mobile number'), '9000000001');
  await user.click(screen.getByRole('button', { name: 'Get OTP' }));
}

async function typeCode(user: UserEvent, code: string) {
  await user.click(await screen.findByLabelText('Digit 1'));
  if (code !== '') await user.keyboard(code);
  await user.click(screen.getByRole('button', { name: 'Verify' }));
}

async function reachProfile(user: UserEvent) {
  await requestCode(user);
  await typeCode(user, '4711');
  await screen.findByRole('dialog', { name: 'Mobile Number Verified Successfully' });
  await user.click(screen.getByRole('button', { name: 'Done' }));
  return within(await screen.findByRole('dialog', { name: 'Create Profile' }));
}

/** Signs up with a profile, up to the first login. */
async function signUp(user: UserEvent) {
  const profile = await reachProfile(user);
  await user.type(profile.getByLabelText(/User Name/), 'isha_patel');
  await user.type(profile.getByLabelText(/^Password \*$/), 'Abcdef1!');
  await user.click(profile.getByRole('button', { name: "Let's Get Started" }));
  await user.click(await screen.findByRole('button', { name: 'Login Now' }));
}

describe('sign-up', () => {
  it('has a fixed country code and accepts ten digits only', async () => {
    const { user } = await openSignUp();
    expect(screen.getByLabelText('Country code')).toHaveValue('+91');
    expect(screen.getByLabelText('Country code')).toBeDisabled();
    await user.type(screen.getByLabelText('Mobile number'), '90 00-abc 00000123');
    expect(screen.getByLabelText('Mobile number')).toHaveValue('9000000001');
  });

  it('reports a missing number, and sends nothing', async () => {
    const { api, user } = await openSignUp();
    await user.click(screen.getByRole('button', { name: 'Get OTP' }));
    expect(await screen.findByText('Empty input!')).toBeVisible();
    await user.type(screen.getByLabelText('Mobile number'), '123');
    await user.click(screen.getByRole('button', { name: 'Get OTP' }));
    expect(await screen.findByText('Invalid mobile number')).toBeVisible();
    expect(api.calls('CreateStudent')).toHaveLength(0);
  });

  it('rejects a registered number', async () => {
    const { api, user } = await openSignUp({
      createStudent: () => {
        throw apiError('User already exist!', 'CONFLICT', 'phone');
      },
    });
    await requestCode(user);
    expect(await screen.findByRole('alert')).toHaveTextContent('User already exist!');
    expect(api.calls('SendOtp')).toHaveLength(0);
  });

  it('continues an unfinished sign-up like a new one', async () => {
    const { api, user } = await openSignUp();
    await requestCode(user);
    await screen.findByRole('dialog', { name: 'Create Account OTP verification' });
    expect(api.calls('CreateStudent')).toHaveLength(1);
    expect(api.calls('SendOtp')[0]?.variables).toEqual({
      phone: '919000000001',
      purpose: 'SIGN_UP',
      requestKey: expect.stringMatching(/^[0-9a-f]{32}$/),
      proof: null,
    });
  });

  it('focuses the field of each step', async () => {
    const { user } = await openSignUp();
    await waitFor(() => expect(screen.getByLabelText('Mobile number')).toHaveFocus());
    await user.keyboard('9000000001{Enter}');
    await waitFor(() => expect(screen.getByLabelText('Digit 1')).toHaveFocus());
    await user.keyboard('4711{Enter}');
    await screen.findByRole('dialog', { name: 'Mobile Number Verified Successfully' });
    await user.click(screen.getByRole('button', { name: 'Done' }));
    await waitFor(() => expect(screen.getByLabelText('First Name')).toHaveFocus());
  });

  it('accepts a code pasted with its message', async () => {
    const { user } = await openSignUp();
    await requestCode(user);
    await user.click(await screen.findByLabelText('Digit 1'));
    await user.paste('Your Nimo code is 4711. It is valid for 10 minutes.');
    await user.click(screen.getByRole('button', { name: 'Verify' }));
    await screen.findByRole('dialog', { name: 'Mobile Number Verified Successfully' });
  });

  it('reports a missing, a short and a wrong code', async () => {
    const { api, user } = await openSignUp();
    await requestCode(user);
    await typeCode(user, '');
    expect(await screen.findByText('Empty input!')).toBeVisible();
    expect(screen.getByLabelText('Digit 1')).toHaveFocus();
    await typeCode(user, '47');
    expect(await screen.findByText('Invalid OTP!')).toBeVisible();
    expect(screen.getByLabelText('Digit 3')).toHaveFocus();
    expect(api.calls('VerifyOtp')).toHaveLength(0);
    await user.click(screen.getByLabelText('Digit 3'));
    await user.keyboard('00');
    await user.click(screen.getByRole('button', { name: 'Verify' }));
    expect(await screen.findByText('OTP not matched!')).toBeVisible();
  });

  it('clears a rejected code, and resends a lost one once the connection is back', async () => {
    const { user } = await openSignUp();
    await requestCode(user);
    await typeCode(user, '0000');
    expect(await screen.findByText('OTP not matched!')).toBeVisible();
    expect(screen.getByLabelText('Digit 4')).toHaveValue('');
    const bringBack = loseConnection();
    await typeCode(user, '4711');
    expect(await screen.findByText(/^Can’t reach Nimo/)).toBeVisible();
    expect(screen.getByLabelText('Digit 4')).toHaveValue('1');
    bringBack();
    expect(await screen.findByRole('dialog', { name: 'Mobile Number Verified Successfully' })).toBeVisible();
  });

  it('clears the code and confirms that it was resent', async () => {
    const { api, user } = await openSignUp();
    await requestCode(user);
    await user.click(await screen.findByLabelText('Digit 1'));
    await user.keyboard('12');
    await user.click(screen.getByRole('button', { name: 'Resend OTP' }));
    expect(await screen.findByText('OTP resent.')).toBeVisible();
    expect(screen.getByLabelText('Digit 1')).toHaveValue('');
    expect(api.calls('SendOtp')).toHaveLength(2);
  });

  it('solves a proof of work silently when the API requires it', async () => {
    const hmacKey = 'known to the api alone';
    const { maxnumber: maxNumber = 0, ...challenge } = await createChallenge({ hmacKey, maxnumber: 200 });
    const { api, user } = await openSignUp({
      sendOTP: ({ proof }) => {
        if (proof === null)
          throw apiError('Please try again.', 'TOO_MANY_REQUESTS', undefined, 'CHALLENGE_REQUIRED');
        return { flag: 1 };
      },
      createSendChallenge: () => ({ ...challenge, maxNumber }),
    });
    await requestCode(user);
    await screen.findByRole('dialog', { name: 'Create Account OTP verification' });
    const proofs = api.calls('SendOtp').map(({ variables }) => variables['proof']);
    expect(proofs).toEqual([null, expect.any(String)]);
    expect(await verifySolution(String(proofs[1]), hmacKey)).toBe(true);
    expect(screen.queryByRole('alert')).toBeNull();
  });

  it("shows the API's message when it sends no more codes", async () => {
    const message = 'Something went wrong! Please try again after 10 minutes.';
    const { user } = await openSignUp({
      sendOTP: () => {
        throw apiError(message, 'TOO_MANY_REQUESTS');
      },
    });
    await requestCode(user);
    expect(await screen.findByRole('alert')).toHaveTextContent(message);
  });

  it('sends no profile with an invalid username or a short password', async () => {
    const { api, user } = await openSignUp();
    const profile = await reachProfile(user);
    for (const userName of ['isha patel', 'isha-p', '12345']) {
      await user.clear(profile.getByLabelText(/User Name/));
      await user.type(profile.getByLabelText(/User Name/), userName);
      await user.click(profile.getByRole('button', { name: "Let's Get Started" }));
      expect(
        await profile.findByText(
          'Username should contain not contain any spaces or special characters except underscore!',
        ),
      ).toBeVisible();
    }
    expect(profile.getByText('Password must have minimum 8 characters.')).toBeVisible();
    expect(profile.getByLabelText(/Password/, { selector: 'input' })).toBeInvalid();
    expect(api.calls('RegisterStudent')).toHaveLength(0);
  });

  it('sends no profile when the username is taken', async () => {
    const { api, user } = await openSignUp({ checkUserName: () => true });
    const profile = await reachProfile(user);
    await user.type(profile.getByLabelText(/User Name/), 'isha_patel');
    await user.type(profile.getByLabelText(/^Password \*$/), 'long enough');
    await user.click(profile.getByRole('button', { name: "Let's Get Started" }));
    expect(await profile.findByText('Username already exist!')).toBeInTheDocument();
    expect(api.calls('RegisterStudent')).toHaveLength(0);
  });

  it("shows the server's message when someone else was faster", async () => {
    const { user } = await openSignUp({
      updateStudent: () => {
        throw apiError('Username already exist!', 'CONFLICT', 'userName');
      },
    });
    const profile = await reachProfile(user);
    await user.type(profile.getByLabelText(/User Name/), 'isha_patel');
    await user.type(profile.getByLabelText(/^Password \*$/), 'long enough');
    await user.click(profile.getByRole('button', { name: "Let's Get Started" }));
    expect(await profile.findByText('Username already exist!')).toBeInTheDocument();
    expect(screen.getAllByText('Username already exist!')).toHaveLength(1);
  });

  it('shows why the first login failed, with the username filled in', async () => {
    const { user } = await openSignUp({
      login: () => ({ accessToken: null, error: 'Please try again later.', confirmation: null }),
    });
    await signUp(user);
    expect(await screen.findByText('Please try again later.')).toBeVisible();
    expect(screen.getByLabelText('Username')).toHaveValue('isha_patel');
    expect(localStorage.getItem('authUser')).toBeNull();
  });

  it('registers with the grant and an avatar, and logs in', async () => {
    const { api, user, address } = await openSignUp();
    const profile = await reachProfile(user);
    await user.type(profile.getByLabelText('First Name'), 'Isha');
    await user.type(profile.getByLabelText(/User Name/), 'isha_patel');
    await user.type(profile.getByLabelText(/^Password \*$/), 'Abcdef1!');
    expect(profile.getByRole('meter', { name: 'Password strength' })).toHaveAttribute('aria-valuenow', '4');
    await user.click(profile.getByRole('button', { name: 'Select Avatar' }));
    await user.click(await screen.findByRole('radio', { name: 'animals avatar 2' }));
    await user.click(screen.getByRole('button', { name: 'Select' }));
    await user.click(profile.getByRole('button', { name: "Let's Get Started" }));

    await screen.findByRole('dialog', { name: 'Account created Successfully' });
    expect(screen.getByText('Registration completed successfully!')).toBeVisible();
    expect(api.calls('RegisterStudent')[0]?.variables).toMatchObject({
      id: 'newcomer',
      grant: 'a-grant',
      firstName: 'Isha',
      userName: 'isha_patel',
      realProfilePicUrl: '/avatars/animals/owl.svg',
    });
    await user.click(screen.getByRole('button', { name: 'Login Now' }));
    expect(await screen.findByText('No spaces yet')).toBeVisible();
    expect(address()).toBe('/space');
    expect(api.calls('Login')[0]?.variables).toMatchObject({
      userName: 'isha_patel',
      password: 'Abcdef1!',
      rememberMe: false,
    });
    expect(JSON.parse(localStorage.getItem('authUser') ?? '{}')).toMatchObject({ userName: 'isha_patel' });
  });

  it('closes only the avatars on Escape, and keeps typed text', async () => {
    const { user } = await openSignUp();
    const profile = await reachProfile(user);
    await user.type(profile.getByLabelText('First Name'), 'Isha');
    await user.click(profile.getByRole('button', { name: 'Select Avatar' }));
    await screen.findByRole('radio', { name: 'animals avatar 2' });
    await user.keyboard('{Escape}');
    await waitFor(() =>
      expect(screen.queryByRole('dialog', { name: 'Select Avatar' })).not.toBeInTheDocument(),
    );
    expect(screen.getByRole('dialog', { name: 'Create Profile' })).toBeVisible();
    expect(profile.getByLabelText('First Name')).toHaveValue('Isha');
  });

  it('uploads a picture first, and names the file if that fails', async () => {
    const { api, user } = await openSignUp({
      getPresignedS3Url: () => ({ url: '/upload/refused', key: 'k' }),
    });
    URL.createObjectURL = () => 'blob:preview';
    URL.revokeObjectURL = () => undefined;
    const profile = await reachProfile(user);
    await user.type(profile.getByLabelText(/User Name/), 'isha_patel');
    await user.type(profile.getByLabelText(/^Password \*$/), 'long enough');
    const input = document.querySelector<HTMLInputElement>('input[type="file"]');
    if (!input) throw new Error('no file input');
    await user.upload(input, new File(['x'], 'me.png', { type: 'image/png' }));
    await user.click(profile.getByRole('button', { name: "Let's Get Started" }));
    expect(
      await screen.findByText('Failed to upload file me.png to S3. This file is not a valid image.'),
    ).toBeVisible();
    expect(api.calls('UploadSlot')[0]?.variables).toEqual({
      contentType: 'image/png',
      contentLength: 1,
      grant: 'a-grant',
    });
    expect(api.calls('RegisterStudent')).toHaveLength(0);
  });

  it('from the page of a class code ends inside its space', async () => {
    const robotics = newSpace({ name: 'Robotics', joined: false, entry: 'INVITATION' });
    const { api, user, address } = await openSignUp(
      { getInvitedSpace: () => robotics, joinByInvitation: () => ({ ...robotics, joined: true }) },
      '/join/KDTW7X',
    );
    await signUp(user);
    await waitFor(() => expect(address()).toBe('/dashboard'));
    expect(api.calls('JoinByInvitation').map(({ variables }) => variables)).toEqual([{ secret: 'KDTW7X' }]);
    expect(localStorage.getItem('currentSpace')).toContain(robotics._id);
    expect(localStorage.getItem('pendingInvitation')).toBeNull();
  });

  it('from the page of a class code shows why the first login failed', async () => {
    const robotics = newSpace({ name: 'Robotics', joined: false, entry: 'INVITATION' });
    const { user, address } = await openSignUp(
      {
        getInvitedSpace: () => robotics,
        login: () => ({ accessToken: null, error: 'Please try again later.', confirmation: null }),
      },
      '/join/KDTW7X',
    );
    await signUp(user);
    expect(await screen.findByText('Please try again later.')).toBeVisible();
    expect(address()).toBe('/join/KDTW7X');
  });
});
