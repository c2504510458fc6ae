import { describe, expect, it, jest } from '@jest/globals';
import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent, { type UserEvent } from '@testing-library/user-event';
import { timings } from '../../../lib/timings';
import { apiError, fakeApi, type Answers } from '../../../testing/fake-api';
import { newAuthUser, newSpace, newStudent } from '../../../testing/fixtures';
import { productTimings, renderApp } from '../../../testing/render-app';
import './settings-screen';

const me = newAuthUser();
const space = newSpace();
const ended = { browser: 'Firefox', system: 'Linux', address: '192.0.2.7', isCurrent: false };

function newSession(changes: object = {}) {
  const now = new Date().toISOString();
  return {
    _id: crypto.randomUUID(),
    browser: 'Chrome',
    system: 'Windows',
    address: '192.0.2.1',
    createdAt: now,
    lastUsedAt: now,
    expiresAt: now,
    isCurrent: true,
    ...changes,
  };
}

function openSettings(tab = '', answers: Answers = {}, account: object = {}) {
  const student = newStudent({
    _id: me._id,
    email: 'isha@example.org',
    phone: '919000000001',
    favouriteSubjects: [],
    roles: [],
    ...account,
  });
  const api = fakeApi({
    getStudent: () => student,
    getSpaces: () => [space, newSpace({ name: 'Code Club', joined: false })],
    checkUserName: () => false,
    updateStudent: (changes) => ({ ...student, ...changes }),
    changePassword: () => ({ flag: 1 }),
    getSessions: () => [newSession(), newSession(ended)],
    endSession: () => ({ flag: 1 }),
    endOtherSessions: () => ({ flag: 1 }),
    logout: () => ({ flag: 1 }),
    ...answers,
  });
  const user = userEvent.setup({ delay: null });
  return { api, user, ...renderApp(`/setting${tab}`, { user: me, space }) };
}

async function changePassword(user: UserEvent, old: string, password: string, confirmation: string) {
  const type = async (label: string, text: string) => {
    const field = await screen.findByLabelText(label);
    await user.clear(field);
    if (text !== '') await user.type(field, text);
  };
  await type('Old password', old);
  await type('New password', password);
  await type('Confirm password', confirmation);
  await user.click(screen.getByRole('button', { name: 'Change Password' }));
}

const pass = (ms: number): void => {
  act(() => {
    jest.advanceTimersByTime(ms);
  });
};

describe('settings', () => {
  it('open from the user menu, with a tab per area', async () => {
    const { user, address } = openSettings();
    await user.click(await screen.findByRole('button', { name: 'Account of isha_patel' }));
    await user.click(await screen.findByRole('menuitem', { name: 'Settings' }));
    expect(address()).toBe('/setting');
    for (const name of ['Profile', 'Password', 'Security log', 'Student settings']) {
      expect(await screen.findByRole('tab', { name })).toBeVisible();
    }
    expect(screen.queryByRole('tab', { name: 'Teacher setting' })).not.toBeInTheDocument();
    await user.click(screen.getByRole('tab', { name: 'Password' }));
    expect(address()).toBe('/setting?tab=password');
  });

  it('redirect a visitor to the login', async () => {
    fakeApi({});
    const { address } = renderApp('/setting');
    await screen.findByRole('heading', { name: 'Welcome' });
    expect(address()).toBe('/login');
  });
});

describe('the profile tab', () => {
  it('saves name and picture, confirms for three seconds, and names the school', async () => {
    const { api, user } = openSettings();
    expect(await screen.findByText('Recommended: 500 × 500 px')).toBeVisible();
    expect(screen.getByLabelText('School name')).toHaveValue(space.name);
    const name = screen.getByLabelText('Name');
    expect(name).toHaveValue('Isha Patel');
    await user.clear(name);
    await user.type(name, 'Isha Maria Rao');
    jest.useFakeTimers();
    const replaced = jest.replaceProperty(timings, 'successMessage', productTimings.successMessage);
    try {
      await user.click(screen.getByRole('button', { name: 'Save Changes' }));
      expect(await screen.findByText('Profile updated successfully!')).toBeVisible();
      pass(2_999);
      expect(screen.getByText('Profile updated successfully!')).toBeVisible();
      pass(1);
      expect(screen.queryByText('Profile updated successfully!')).not.toBeInTheDocument();
    } finally {
      replaced.restore();
      jest.useRealTimers();
    }
    expect(api.calls('SaveOwnProfile')[0]?.variables).toEqual({
      id: me._id,
      firstName: 'Isha Maria',
      lastName: 'Rao',
      realProfilePicUrl: null,
    });
  });

  it('shows username, email and ID, and changes the username', async () => {
    const { api, user } = openSettings();
    const card = within(await screen.findByRole('region', { name: 'Account' }));
    for (const text of ['isha_patel', 'isha@example.org', me._id]) {
      expect(card.getByText(text)).toBeVisible();
    }
    const contacts = within(screen.getByRole('region', { name: 'Email and mobile number' }));
    expect(contacts.getByText('+919000000001')).toBeVisible();
    const field = card.getByLabelText('User Name');
    const rename = card.getByRole('button', { name: 'Change username' });
    await user.clear(field);
    await user.click(rename);
    expect(card.getByRole('alert')).toHaveTextContent('Please enter a username');
    await user.type(field, 'isha patel');
    await user.click(rename);
    expect(card.getByRole('alert')).toHaveTextContent(
      'Username should contain not contain any spaces or special characters except underscore!',
    );
    expect(api.calls('RenameStudent')).toHaveLength(0);
    await user.clear(field);
    await user.type(field, 'isha_p');
    await user.click(rename);
    expect(await card.findByRole('status')).toHaveTextContent('Profile updated successfully!');
    expect(await screen.findByRole('button', { name: 'Account of isha_p' })).toBeVisible();
  });

  it('rejects a username that is taken', async () => {
    const { api, user } = openSettings('', { checkUserName: () => true });
    const card = within(await screen.findByRole('region', { name: 'Account' }));
    await user.type(card.getByLabelText('User Name'), '2');
    await user.click(card.getByRole('button', { name: 'Change username' }));
    expect(await card.findByRole('alert')).toHaveTextContent('Username already exist!');
    expect(api.calls('RenameStudent')).toHaveLength(0);
  });

  it("shows the API's refusal in red", async () => {
    const { user } = openSettings('', {
      updateStudent: () => {
        throw apiError('Names can’t be longer than 100 characters.', 'VALIDATION_FAILED', 'firstName');
      },
    });
    await user.click(await screen.findByRole('button', { name: 'Save Changes' }));
    expect(await screen.findByRole('alert')).toHaveTextContent('Names can’t be longer than 100 characters.');
  });
});

describe('the password tab', () => {
  it.each([
    ['', '', 'Please enter valid password.'],
    ['', 'long enough', 'Please enter password.'],
    ['long enough', '', 'Please enter confirm password.'],
    ['seven77', 'seven77', 'Password must have minimum 8 characters.'],
    ['long enough', 'long enougH', 'Password & confirm password does not match.'],
  ])('responds to %j and %j with its own message', async (password, confirmation, message) => {
    const { api, user } = openSettings('?tab=password');
    await changePassword(user, 'the old one', password, confirmation);
    expect(await screen.findByRole('alert')).toHaveTextContent(message);
    expect(api.calls('ReplacePassword')).toHaveLength(0);
  });

  it('shows that the old password is not correct', async () => {
    const { user } = openSettings('?tab=password', {
      changePassword: () => ({
        flag: 0,
        refusal: {
          message: 'Old password is not correct.',
          code: 'VALIDATION_FAILED',
          rule: 'OLD_PASSWORD_WRONG',
          field: 'oldPassword',
          params: [],
        },
      }),
    });
    await changePassword(user, 'wrong', 'long enough', 'long enough');
    expect(await screen.findByRole('alert')).toHaveTextContent('Old password is not correct.');
  });

  it('confirms the change and leads through the logout to the login', async () => {
    const { api, user, address } = openSettings('?tab=password');
    await changePassword(user, 'the old one', 'long enough', 'long enough');
    const dialog = within(await screen.findByRole('dialog', { name: 'Password Changed Successfully!' }));
    expect(api.calls('ReplacePassword')[0]?.variables).toEqual({
      oldPassword: 'the old one',
      password: 'long enough',
    });
    await user.click(dialog.getByRole('button', { name: 'OK' }));
    await waitFor(() => expect(address()).toBe('/login'));
    expect(localStorage.getItem('authUser')).toBeNull();
  });
});

describe('student settings', () => {
  it('offer the languages', async () => {
    openSettings('?tab=student');
    const card = within(await screen.findByRole('region', { name: 'Language' }));
    expect(card.getByRole('combobox')).toHaveValue('en');
  });

  it('list the sessions, and end one', async () => {
    const { api, user } = openSettings('?tab=student');
    const list = within(await screen.findByRole('region', { name: 'Where you are logged in' }));
    const current = (await list.findByText('Chrome on Windows')).closest('li');
    expect(current).toHaveTextContent('This device');
    expect(within(current as HTMLElement).queryByRole('button')).not.toBeInTheDocument();
    for (const phrase of [/^Last used/, /^Logged in/])
      expect(within(current as HTMLElement).getByText(phrase)).toHaveAttribute('datetime');
    api.change({ getSessions: () => [newSession()] });
    await user.click(list.getByRole('button', { name: 'Log out: Firefox on Linux' }));
    expect(await screen.findByText('Device logged out.')).toBeVisible();
    await waitFor(() => expect(list.queryByText('Firefox on Linux')).not.toBeInTheDocument());
    expect(list.getByText('You’re logged in on this device only.')).toBeVisible();
    expect(api.calls('EndSession')).toHaveLength(1);
  });

  it('end all other sessions', async () => {
    const { api, user } = openSettings('?tab=student');
    const button = await screen.findByRole('button', { name: 'Log out everywhere else' });
    api.change({ getSessions: () => [newSession({ browser: null, system: null })] });
    await user.click(button);
    expect(await screen.findByText('Logged out everywhere else.')).toBeVisible();
    expect(api.calls('EndOtherSessions')).toHaveLength(1);
    expect(await screen.findByText('Unknown browser on an unknown device')).toBeVisible();
  });
});

describe('teacher setting', () => {
  it('lists the roles and links to their spaces', async () => {
    const roles = [
      { role: 'MODERATOR', space: space._id },
      { role: 'MAINTAINER', space: null },
    ];
    const { user, address } = openSettings('?tab=teacher', {}, { roles });
    expect(await screen.findByText(`Moderator · ${space.name}`)).toBeVisible();
    expect(screen.getByText('Maintainer · All spaces')).toBeVisible();
    await user.click(screen.getByRole('button', { name: `Go to space ${space.name}` }));
    expect(address()).toBe('/dashboard');
  });

  it('is hidden for students', async () => {
    openSettings('?tab=teacher');
    expect(await screen.findByText('Recommended: 500 × 500 px')).toBeVisible();
    expect(screen.queryByRole('tab', { name: 'Teacher setting' })).not.toBeInTheDocument();
  });
});
