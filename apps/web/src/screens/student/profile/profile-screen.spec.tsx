import { describe, expect, it } from '@jest/globals';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent, { type UserEvent } from '@testing-library/user-event';
import { apiError, fakeApi, type Answers } from '../../../testing/fake-api';
import { newAuthUser, newQuestion, newScore, newSpace, newStudent } from '../../../testing/fixtures';
import { renderApp } from '../../../testing/render-app';
import './profile-screen';

const space = newSpace();
const me = newAuthUser({ profileDesc: 'Physics and chai.' });
const question = newQuestion({ acceptedAnswer: { _id: 'an-answer' } });

function openProfile(answers: Answers = {}) {
  const student = newStudent({ _id: me._id });
  const api = fakeApi({
    getStudent: () => student,
    getLeaderboardScores: () => ({ rank: 1, scores: newScore({ reputations: 981, commitments: 233 }) }),
    getPaginatedSavedQuestions: () => ({ docs: [question], page: 1, totalPages: 1 }),
    checkUserName: () => false,
    updateStudent: (changes) => ({ ...student, ...changes }),
    ...answers,
  });
  return { api, user: userEvent.setup(), ...renderApp('/profile', { user: me, space }) };
}

async function openEditor(user: UserEvent) {
  await user.click(await screen.findByRole('button', { name: 'Edit Profile' }));
  return within(await screen.findByRole('dialog', { name: 'Edit Profile' }));
}

async function rename(user: UserEvent, editor: ReturnType<typeof within>, userName: string) {
  await user.clear(editor.getByLabelText(/User Name/));
  if (userName !== '') await user.type(editor.getByLabelText(/User Name/), userName);
  await user.click(editor.getByRole('button', { name: 'Submit' }));
}

describe('profile', () => {
  it('shows the student and the two counters of the space', async () => {
    openProfile();
    const card = within(await screen.findByRole('region', { name: 'My Profile' }));
    expect(card.getByRole('heading', { name: 'isha_patel' })).toBeVisible();
    expect(card.getByText('Physics and chai.')).toBeVisible();
    expect(card.getByText('981')).toBeVisible();
    expect(card.getByText('233')).toBeVisible();
  });

  it('has its final height before the counters have loaded', async () => {
    openProfile({ getStudent: () => new Promise(() => undefined) });
    expect(await screen.findByText(me.profileDesc)).toBeInTheDocument();
    expect(screen.queryByRole('heading', { name: me.userName })).not.toBeInTheDocument();
  });

  it('shows 0 before any activity in the space', async () => {
    openProfile({ getLeaderboardScores: () => ({ rank: null, scores: null }) });
    const card = within(await screen.findByRole('region', { name: 'My Profile' }));
    expect(card.getAllByText('0')).toHaveLength(2);
  });

  it('opens a saved question and returns to the profile', async () => {
    openProfile();
    expect(await screen.findByRole('tab', { name: 'Saved Questions' })).toHaveAttribute(
      'aria-selected',
      'true',
    );
    const link = await screen.findByRole('link', { name: /Why is the sky blue\?/ });
    expect(link).toHaveAttribute('href', `/singleQuestion/${question._id}/profile`);
    expect(link).toHaveTextContent('Solved');
  });

  it('explains how to fill an empty list', async () => {
    openProfile({ getPaginatedSavedQuestions: () => ({ docs: [], page: 1, totalPages: 0 }) });
    expect(await screen.findByRole('link', { name: 'Browse questions' })).toHaveAttribute(
      'href',
      '/dashboard',
    );
  });
});

describe('edit profile', () => {
  it('saves, confirms, and updates the name in the header', async () => {
    const { api, user } = openProfile();
    const editor = await openEditor(user);
    await user.clear(editor.getByLabelText('Shot Bio'));
    await user.type(editor.getByLabelText('Shot Bio'), 'Chemistry now.');
    await rename(user, editor, 'isha_p');
    expect(await screen.findByText('Profile updated successfully!')).toBeVisible();
    expect(api.calls('UpdateProfile')[0]?.variables).toMatchObject({
      id: me._id,
      userName: 'isha_p',
      profileDesc: 'Chemistry now.',
    });
    expect(screen.getByRole('button', { name: 'Account of isha_p' })).toBeVisible();
    expect(localStorage.getItem('authUser')).toContain('isha_p');
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
    await waitFor(() => expect(screen.getByRole('button', { name: 'Edit Profile' })).toHaveFocus());
  });

  it('sends nothing with a missing or invalid username', async () => {
    const { api, user } = openProfile();
    const editor = await openEditor(user);
    await rename(user, editor, '');
    expect(await editor.findByText('Please enter a username')).toBeVisible();
    await rename(user, editor, 'isha patel!');
    expect(
      await editor.findByText(
        'Username should contain not contain any spaces or special characters except underscore!',
      ),
    ).toBeVisible();
    expect(api.calls('UpdateProfile')).toHaveLength(0);
  });

  it('sends nothing when the username is taken, and does not check its own', async () => {
    const { api, user } = openProfile({ checkUserName: () => true });
    const editor = await openEditor(user);
    await rename(user, editor, 'meera_nair');
    expect(await editor.findByText('Username already exist!')).toBeInTheDocument();
    expect(api.calls('UpdateProfile')).toHaveLength(0);
    await rename(user, editor, 'Isha_Patel');
    await waitFor(() => expect(api.calls('UpdateProfile')).toHaveLength(1));
    expect(api.calls('CheckUserName')).toHaveLength(1);
  });

  it('keeps the dialog open when someone else took the username first', async () => {
    const { user } = openProfile({
      updateStudent: () => {
        throw apiError('Username already exist!', 'CONFLICT', 'userName');
      },
    });
    const editor = await openEditor(user);
    await rename(user, editor, 'meera_nair');
    expect(await editor.findByText('Username already exist!')).toBeVisible();
    expect(screen.getAllByText('Username already exist!')).toHaveLength(1);
  });
});
