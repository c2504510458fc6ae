import { describe, expect, it } from '@jest/globals';
import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { apiError, fakeApi, type Answers } from '../../../testing/fake-api';
import { newAuthUser, newSpace, newStudent } from '../../../testing/fixtures';
import { renderApp } from '../../../testing/render-app';
import './settings-screen';

const me = newAuthUser();
const space = newSpace();
const dueAt = '2026-12-01T10:00:00.000Z';

function openDeletion(answers: Answers = {}) {
  let erasure: object | null = null;
  const api = fakeApi({
    getStudent: () => newStudent({ _id: me._id, favouriteSubjects: [], roles: [] }),
    getSpaces: () => [space],
    getOwnErasure: () => erasure,
    deleteOwnAccount: ({ withPosts }) => (erasure = { dueAt, withPosts }),
    cancelOwnErasure: () => {
      erasure = null;
      return { flag: 1 };
    },
    ...answers,
  });
  const user = userEvent.setup({ delay: null });
  renderApp('/setting?tab=deletion', { user: me, space });
  return { api, user };
}

describe('account deletion', () => {
  it('needs confirmation with the password, and can be cancelled', async () => {
    const { api, user } = openDeletion();
    await user.click(await screen.findByLabelText('Also delete my posts'));
    await user.click(screen.getByRole('button', { name: 'Delete my account' }));
    const dialog = await screen.findByRole('dialog', { name: 'Delete your account?' });
    const confirm = within(dialog).getByRole('button', { name: 'Delete my account' });
    expect(confirm).toBeDisabled();
    await user.type(within(dialog).getByLabelText('Password'), 'learn-together');
    await user.click(confirm);
    expect(await screen.findByText(/^Your account and your posts will be deleted on/)).toBeVisible();
    expect(api.calls('DeleteOwnAccount')[0]?.variables).toEqual({
      password: 'learn-together',
      withPosts: true,
    });
    await user.click(screen.getByRole('button', { name: 'Keep my account' }));
    expect(await screen.findByRole('button', { name: 'Delete my account' })).toBeVisible();
  });

  it('shows why it was refused, and keeps the dialog open', async () => {
    const { user } = openDeletion({
      deleteOwnAccount: () => {
        throw apiError('Incorrect password.', 'VALIDATION_FAILED', 'password', 'PASSWORD_WRONG');
      },
    });
    await user.click(await screen.findByRole('button', { name: 'Delete my account' }));
    const dialog = await screen.findByRole('dialog', { name: 'Delete your account?' });
    await user.type(within(dialog).getByLabelText('Password'), 'wrong');
    await user.click(within(dialog).getByRole('button', { name: 'Delete my account' }));
    expect(await within(dialog).findByRole('alert')).toHaveTextContent('Incorrect password.');
  });
});
