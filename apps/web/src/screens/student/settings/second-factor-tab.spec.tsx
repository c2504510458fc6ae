import { expect, it } from '@jest/globals';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { apiError, fakeApi, type Answers } from '../../../testing/fake-api';
import { newAuthUser, newSpace, newStudent } from '../../../testing/fixtures';
import { renderApp } from '../../../testing/render-app';
import './settings-screen';

const me = newAuthUser();
const passkey = {
  _id: crypto.randomUUID(),
  name: 'Key ring',
  createdAt: new Date().toISOString(),
  lastUsedAt: null,
};
const codes = ['aaaa-bbbb-cccc', 'dddd-eeee-ffff'];

const factor = (changes: object = {}) => ({
  isRequired: false,
  opensStaffAreas: true,
  isRecent: false,
  hasTotp: false,
  totpName: null,
  passkeys: [],
  recoveryCodesLeft: 0,
  passkeyHost: 'localhost',
  reset: null,
  ...changes,
});

function open(own: object = {}, answers: Answers = {}) {
  const api = fakeApi({
    getStudent: () => newStudent({ _id: me._id, favouriteSubjects: [], roles: [] }),
    getSpaces: () => [newSpace()],
    getSecondFactor: () => factor(own),
    ...answers,
  });
  const user = userEvent.setup({ delay: null });
  renderApp('/setting?tab=secondFactor', { user: me, space: newSpace() });
  return { api, user };
}

it('sets up an app with its code, and shows the recovery codes once', async () => {
  const { api, user } = open(
    {},
    {
      startTotp: () => ({ secret: 'ABCDEFGH', address: 'otpauth://totp/Nimo:isha?secret=ABCDEFGH' }),
      finishTotp: () => ({ recoveryCodes: codes }),
    },
  );
  await user.type(await screen.findByLabelText('Password', { selector: 'input' }), 'a long password');
  await user.click(screen.getByRole('button', { name: 'Continue' }));
  expect(await screen.findByRole('img', { name: 'QR code for your authenticator app' })).toBeVisible();
  expect(screen.getByText('ABCD EFGH')).toBeVisible();
  await user.type(screen.getByLabelText('Code from the app'), '123456');
  await user.click(screen.getByRole('button', { name: 'Finish' }));
  const shown = await screen.findByRole('list', { name: 'Recovery codes' });
  expect(
    within(shown)
      .getAllByRole('listitem')
      .map(({ textContent }) => textContent),
  ).toEqual(codes);
  api.change({ getSecondFactor: () => factor({ hasTotp: true, recoveryCodesLeft: 10, isRecent: true }) });
  await user.click(screen.getByRole('button', { name: 'I’ve saved my codes' }));
  expect(await screen.findByText('10 recovery codes left.')).toBeVisible();
  expect(screen.queryByText(codes[0] ?? '')).toBeNull();
});

it('asks for a password first, and reports a wrong one', async () => {
  const { api, user } = open(
    {},
    {
      startTotp: () => {
        throw apiError('The password is wrong.', 'FORBIDDEN', 'password', 'PASSWORD_WRONG');
      },
    },
  );
  await user.click(await screen.findByRole('button', { name: 'Continue' }));
  expect(screen.getByText('Please enter your password.')).toBeVisible();
  expect(api.calls('StartTotp')).toEqual([]);
  await user.type(screen.getByLabelText('Password', { selector: 'input' }), 'not this one');
  await user.click(screen.getByRole('button', { name: 'Continue' }));
  expect(await screen.findByRole('alert')).toBeVisible();
});

it('changes nothing before the second factor was confirmed', async () => {
  const { api, user } = open(
    { hasTotp: true, passkeys: [passkey], recoveryCodesLeft: 1 },
    { confirmSecondFactor: () => ({ flag: 1 }), removePasskey: () => ({ flag: 1 }) },
  );
  const list = await screen.findByRole('list', { name: 'Your second factors' });
  expect(within(list).getByText('Key ring')).toBeVisible();
  expect(screen.getByText('1 recovery code left.')).toBeVisible();
  expect(screen.queryByRole('button', { name: /Remove/ })).toBeNull();
  api.change({
    getSecondFactor: () =>
      factor({ hasTotp: true, passkeys: [passkey], recoveryCodesLeft: 1, isRecent: true }),
  });
  await user.type(screen.getByLabelText('Code'), '123456');
  await user.click(screen.getByRole('button', { name: 'Confirm' }));
  await user.click(await screen.findByRole('button', { name: 'Remove: Key ring' }));
  expect(api.calls('RemovePasskey')[0]?.variables).toEqual({ id: passkey._id });
});

it('renames a factor by keyboard, and returns the focus', async () => {
  const { api, user } = open(
    { hasTotp: true, passkeys: [passkey], recoveryCodesLeft: 1 },
    { renamePasskey: () => ({ flag: 1 }), renameTotp: () => ({ flag: 1 }) },
  );
  const begin = async (name: string) => {
    (await screen.findByRole('button', { name })).focus();
    await user.keyboard('{Enter}');
    return screen.findByRole('textbox', { name: 'New name' });
  };
  const input = await begin('Rename: Key ring');
  expect(input).toHaveFocus();
  await user.clear(input);
  await user.keyboard('{Enter}');
  expect(screen.getByText('Please enter a name.')).toBeVisible();
  await user.keyboard('Desk key');
  api.change({
    getSecondFactor: () =>
      factor({ hasTotp: true, passkeys: [{ ...passkey, name: 'Desk key' }], recoveryCodesLeft: 1 }),
  });
  await user.keyboard('{Enter}');
  await waitFor(() => expect(screen.getByRole('button', { name: 'Rename: Desk key' })).toHaveFocus());
  expect(api.calls('RenamePasskey')[0]?.variables).toEqual({ id: passkey._id, name: 'Desk key' });
  await begin('Rename: Authenticator app');
  await user.keyboard('{Escape}');
  expect(screen.getByRole('button', { name: 'Rename: Authenticator app' })).toHaveFocus();
  expect(api.calls('RenameTotp')).toEqual([]);
});

it('shows a reset with its reason until it is dismissed', async () => {
  const reset = { at: '2026-03-01T10:00:00.000Z', reason: 'Lost phone' };
  const { api, user } = open({ reset }, { dismissSecondFactorReset: () => ({ flag: 1 }) });
  expect(await screen.findByText('A maintainer reset your second factor on March 1, 2026')).toBeVisible();
  expect(screen.getByText('Reason: Lost phone')).toBeVisible();
  api.change({ getSecondFactor: () => factor() });
  await user.click(screen.getByRole('button', { name: 'Got it' }));
  expect(await screen.findByText(/Protect your account with a code from an app/)).toBeVisible();
  expect(screen.queryByText('Reason: Lost phone')).toBeNull();
});

it('offers no passkey on a host where none would work', async () => {
  open({ passkeyHost: 'nimo.example' });
  expect(await screen.findByRole('radio', { name: 'Passkey' })).toBeDisabled();
  expect(screen.getByText('Passkeys only work at nimo.example.')).toBeVisible();
});
