import { expect, it } from '@jest/globals';
import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { apiError, fakeApi, type Answers } from '../../../testing/fake-api';
import { newAuthUser, newSpace, newStudent } from '../../../testing/fixtures';
import { renderApp } from '../../../testing/render-app';
import './settings-screen';

const me = newAuthUser();
const entry = (changes: object = {}) => ({
  _id: crypto.randomUUID(),
  kind: 'LOGGED_IN',
  at: '2026-03-01T10:00:00.000Z',
  browser: 'Firefox',
  system: 'Linux',
  network: '192.0.2.0/24',
  ...changes,
});
const pageOf = (docs: readonly object[], page = 1, hasNext = false) => ({ docs, page, hasNext });
const optionsOf = (args: Record<string, unknown>) => args['paginateOptions'] as { page: number };

function open(answers: Answers) {
  const api = fakeApi({
    getStudent: () => newStudent({ _id: me._id, favouriteSubjects: [], roles: [] }),
    getSpaces: () => [newSpace()],
    ...answers,
  });
  const user = userEvent.setup({ delay: null });
  renderApp('/setting?tab=securityLog', { user: me, space: newSpace() });
  return { api, user };
}

const shown = async () =>
  within(await screen.findByRole('list', { name: 'Security log' })).getAllByRole('listitem');

it('shows what happened, when and from where, newest first', async () => {
  const staff = { kind: 'BLOCKED', browser: null, system: null, network: null };
  open({
    getSecurityLog: () => pageOf([entry(staff), entry({ kind: 'LOG_IN_FAILED', browser: null }), entry()]),
  });
  const [blocked, failed, loggedIn, ...more] = await shown();
  expect(more).toEqual([]);
  expect(blocked).toHaveTextContent(/^Account blocked\s*March 1, 2026 at [\d:]+\s*[AP]M$/);
  expect(failed).toHaveTextContent(/^Login failed.* · Unknown browser on Linux · Network 192\.0\.2\.0\/24$/);
  expect(loggedIn).toHaveTextContent(/^Logged in.* · Firefox on Linux · Network 192\.0\.2\.0\/24$/);
  expect(screen.queryByRole('button', { name: 'Show more' })).toBeNull();
});

it('loads more by keyboard, without duplicates', async () => {
  const [first, second, third] = [entry(), entry({ kind: 'LOGGED_OUT' }), entry({ kind: 'CODE_SENT' })];
  const { user, api } = open({
    // A new entry has shifted the pages, so the second page repeats the last entry of the first.
    getSecurityLog: (args) =>
      optionsOf(args).page === 1 ? pageOf([first, second], 1, true) : pageOf([second, third], 2),
  });
  expect(await shown()).toHaveLength(2);
  const more = screen.getByRole('button', { name: 'Show more' });
  more.focus();
  await user.keyboard('{Enter}');
  expect(await screen.findByText('Code sent by text message')).toBeVisible();
  const rows = await shown();
  expect(rows).toHaveLength(3);
  expect(rows[0]).toHaveTextContent(/^Logged in/);
  expect(rows[1]).toHaveTextContent(/^Logged out/);
  expect(rows[2]).toHaveTextContent(/^Code sent by text message/);
  expect(api.calls('OwnSecurityLog').map(({ variables }) => variables['page'])).toEqual([1, 2]);
  expect(screen.queryByRole('button', { name: 'Show more' })).toBeNull();
});

it('shows an empty state, and retries after a failure', async () => {
  const { api, user } = open({
    getSecurityLog: () => {
      throw apiError('The database is away.', 'UNAVAILABLE');
    },
  });
  const again = await screen.findByRole('button', { name: 'Try again' });
  api.change({ getSecurityLog: () => pageOf([]) });
  await user.click(again);
  expect(await screen.findByRole('heading', { name: 'No entries yet' })).toBeVisible();
});
