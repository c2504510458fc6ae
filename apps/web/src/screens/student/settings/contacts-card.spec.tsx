import { expect, it } from '@jest/globals';
import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { apiError, fakeApi, type Answers } from '../../../testing/fake-api';
import { newAuthUser, newSpace, newStudent } from '../../../testing/fixtures';
import { renderApp } from '../../../testing/render-app';
import './settings-screen';

const me = newAuthUser();
const space = newSpace();

function openSettings(answers: Answers = {}, account: object = {}) {
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
    getSpaces: () => [space],
    startContactChange: () => ({ _id: 'change-1', sentTo: '…0002', ownSentTo: 'i…@example.org' }),
    finishContactChange: () => ({ flag: 1 }),
    ...answers,
  });
  const user = userEvent.setup({ delay: null });
  return { api, user, ...renderApp('/setting', { user: me, space }) };
}

it('changes the mobile number, with a code to the email if the phone is lost', async () => {
  const { api, user } = openSettings();
  await user.click(await screen.findByRole('button', { name: 'Change mobile number' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Mobile number' }));
  await user.click(dialog.getByRole('button', { name: 'Send codes' }));
  expect(dialog.getByText('Invalid mobile number')).toBeVisible();
  await user.type(dialog.getByRole('textbox', { name: 'Mobile number' }), '9000000002');
  await user.click(dialog.getByRole('radio', { name: 'isha@example.org' }));
  await user.type(dialog.getByLabelText('Password'), 'correct horse');
  await user.click(dialog.getByRole('button', { name: 'Send codes' }));
  await user.type(await dialog.findByLabelText('Code sent to i…@example.org'), '123456');
  await user.click(dialog.getByRole('button', { name: 'Change mobile number' }));
  expect(dialog.getByRole('alert')).toHaveTextContent('Enter all six digits of each code.');
  await user.type(dialog.getByLabelText('Code sent to …0002'), '654321');
  await user.click(dialog.getByRole('button', { name: 'Change mobile number' }));
  expect(
    await screen.findByText('Mobile number changed. You’ve been logged out everywhere else.'),
  ).toBeVisible();
  expect(api.calls('StartContactChange')[0]?.variables).toMatchObject({
    kind: 'PHONE',
    value: '919000000002',
    via: 'EMAIL',
    password: 'correct horse',
  });
  expect(api.calls('FinishContactChange')[0]?.variables).toMatchObject({
    id: 'change-1',
    newCode: '654321',
    ownCode: '123456',
  });
});

it("adds an email, and shows the API's refusal", async () => {
  const { user } = openSettings(
    {
      startContactChange: () => {
        throw apiError('Incorrect password.', 'VALIDATION_FAILED', 'password', 'PASSWORD_WRONG');
      },
    },
    { email: null },
  );
  await user.click(await screen.findByRole('button', { name: 'Add email' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Email' }));
  expect(dialog.queryByRole('radio')).toBeNull();
  await user.type(dialog.getByLabelText('New email'), 'isha@example.org');
  await user.click(dialog.getByRole('button', { name: 'Send codes' }));
  expect(await dialog.findByRole('alert')).toHaveTextContent('Incorrect password.');
});
