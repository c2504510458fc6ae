import { afterEach, describe, expect, it } from '@jest/globals';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import './area-routes';
import { fakeApi } from '../testing/fake-api';
import { newAuthUser, newStudent } from '../testing/fixtures';
import { renderApp } from '../testing/render-app';
import { areasOf } from '../features/areas/own-areas';
import '../features/areas/area-links';
import '../features/areas/require-area';

const me = newAuthUser();

function open(address: string, roles: readonly object[]) {
  const api = fakeApi({ getStudent: () => newStudent({ _id: me._id, roles }), getSpaces: () => [] });
  return { api, ...renderApp(address, { user: me }) };
}

afterEach(() => {
  Reflect.deleteProperty(globalThis, '__NIMO_VERSION__');
});

describe('areasOf', () => {
  it('opens moderation and audit to moderators, audit and maintenance to maintainers, nothing to students', () => {
    expect(areasOf([])).toEqual([]);
    expect(areasOf([{ role: 'MODERATOR' }])).toEqual(['moderation', 'audit']);
    expect(areasOf([{ role: 'MAINTAINER' }])).toEqual(['audit', 'maintenance']);
    expect(areasOf([{ role: 'MODERATOR' }, { role: 'MAINTAINER' }])).toEqual([
      'moderation',
      'audit',
      'maintenance',
    ]);
  });
});

describe('staff areas', () => {
  it.each(['/moderation', '/audit', '/maintenance', '/maintenance/projections/questions'])(
    'are hidden at %s from a student',
    async (address) => {
      open(address, []);
      expect(await screen.findByRole('heading', { name: 'This page doesn’t exist' })).toBeVisible();
      expect(screen.queryByText('Maintenance')).toBeNull();
    },
  );

  it('restrict moderation to moderators', async () => {
    open('/moderation', [{ role: 'MAINTAINER', space: null }]);
    expect(await screen.findByRole('heading', { name: 'This page doesn’t exist' })).toBeVisible();
  });

  it('restrict maintenance to maintainers', async () => {
    open('/maintenance', [{ role: 'MODERATOR', space: null }]);
    expect(await screen.findByRole('heading', { name: 'This page doesn’t exist' })).toBeVisible();
  });

  it.each([
    ['/moderation/patterns/some-space', '/moderation/patterns'],
    ['/audit/as-of/question', '/audit/as-of'],
    ['/maintenance/projections', '/maintenance'],
    ['/maintenance/scoring/versions', '/maintenance/scoring'],
    ['/maintenance/content', '/maintenance/content/spaces'],
  ])('redirect from the incomplete %s to %s', async (from, to) => {
    const { address } = open(from, [
      { role: 'MAINTAINER', space: null },
      { role: 'MODERATOR', space: null },
    ]);
    await waitFor(() => expect(address()).toBe(to));
  });

  it('show the version of Nimo', async () => {
    Object.assign(globalThis, { __NIMO_VERSION__: '4.5.6' });
    open('/maintenance', [{ role: 'MAINTAINER', space: null }]);
    const menu = await screen.findByRole('navigation', { name: 'Areas' });
    expect(within(menu).getByText('Nimo 4.5.6')).toBeVisible();
  });

  it('appear in the user menu of people with a role', async () => {
    open('/space', [{ role: 'MODERATOR', space: null }]);
    await userEvent.click(await screen.findByRole('button', { name: `Account of ${me.userName}` }));
    expect(await screen.findByRole('menuitem', { name: 'Moderation' })).toHaveAttribute(
      'href',
      '/moderation',
    );
    expect(screen.getByRole('menuitem', { name: 'Audit' })).toHaveAttribute('href', '/audit');
    expect(screen.queryByRole('menuitem', { name: 'Maintenance' })).toBeNull();
  });

  it('do not appear in the menu of a student', async () => {
    const { api } = open('/space', []);
    await userEvent.click(await screen.findByRole('button', { name: `Account of ${me.userName}` }));
    await waitFor(() => expect(api.calls('OwnRoles')).not.toHaveLength(0));
    expect(screen.queryByRole('menuitem', { name: 'Moderation' })).toBeNull();
  });
});
