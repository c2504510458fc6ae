import { expect, it } from '@jest/globals';
import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { apiError, fakeApi, type Answers } from '../../../testing/fake-api';
import { newAuthUser, newSpace, newStudent } from '../../../testing/fixtures';
import { renderApp } from '../../../testing/render-app';
import './settings-screen';

const me = newAuthUser();
const space = newSpace();
const asked = { percent: 0, requestedAt: '2026-03-01T10:00:00.000Z', expiresAt: null, kilobytes: null };

function openOwnData(answers: Answers) {
  const student = newStudent({
    _id: me._id,
    email: 'isha@example.org',
    favouriteSubjects: [],
    roles: [],
  });
  const api = fakeApi({ getStudent: () => student, getSpaces: () => [space], ...answers });
  const user = userEvent.setup({ delay: null });
  return { api, user, ...renderApp('/setting?tab=ownData', { user: me, space }) };
}

it('requests a copy, and shows its progress until it can be downloaded', async () => {
  let own: object | null = null;
  const { api, user } = openOwnData({
    getOwnExport: () => own,
    requestOwnExport: () => (own = { ...asked, status: 'WORKING', percent: 40 }),
    deleteOwnExport: () => {
      own = null;
      return { flag: 1 };
    },
  });
  await user.click(await screen.findByRole('button', { name: 'Prepare a copy' }));
  expect(await screen.findByText('Your copy is being prepared: 40%')).toBeVisible();
  expect(screen.getByRole('progressbar', { name: 'Progress' })).toHaveAttribute('aria-valuenow', '40');
  expect(api.calls('RequestOwnExport')[0]?.variables).toEqual({ language: 'en' });
  own = { ...asked, status: 'READY', percent: 100, kilobytes: 12, expiresAt: '2026-03-02T10:00:00.000Z' };
  expect(await screen.findByRole('button', { name: 'Download ZIP' })).toBeVisible();
  expect(screen.getByRole('status')).toHaveTextContent('Your copy is ready (12 KB).');
  await user.click(screen.getByRole('button', { name: 'Delete the copy' }));
  expect(await screen.findByRole('button', { name: 'Prepare a copy' })).toBeVisible();
});

it("shows that a copy failed, and the API's refusal", async () => {
  const { user } = openOwnData({
    getOwnExport: () => ({ ...asked, status: 'FAILED' }),
    requestOwnExport: () => {
      throw apiError('Too many requests. Please try again later.', 'TOO_MANY_REQUESTS');
    },
  });
  expect(await screen.findByRole('alert')).toHaveTextContent('Your copy could not be prepared.');
  await user.click(screen.getByRole('button', { name: 'Prepare a copy' }));
  expect(await screen.findByText('Too many requests. Please try again later.')).toBeVisible();
});

it('also leads to the correction of contacts and to the deletion of the account', async () => {
  const { user } = openOwnData({ getOwnExport: () => null, getOwnErasure: () => null });
  await user.click(await screen.findByRole('button', { name: 'Change email' }));
  expect(await screen.findByRole('dialog', { name: 'Email' })).toBeVisible();
  await user.keyboard('{Escape}');
  await user.click(screen.getByRole('link', { name: 'Delete account' }));
  expect(await screen.findByRole('tab', { name: 'Delete account', selected: true })).toBeVisible();
  expect(await screen.findByText('What is deleted')).toBeVisible();
});
