import { describe, expect, it } from '@jest/globals';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { v4 as uuid } from 'uuid';
import './area-routes';
import '../features/areas/require-area';
import '../i18n/en/staff.json' with { type: 'json' };
import { apiError, fakeApi, type Answers } from '../testing/fake-api';
import { newAuthor, newAuthUser, newStudent } from '../testing/fixtures';
import { renderApp } from '../testing/render-app';
import '../screens/maintenance/managed-news/managed-news-screen';
import '../screens/maintenance/managed-roles/managed-roles-screen';
import '../screens/maintenance/managed-space/managed-space-screen';
import '../screens/maintenance/managed-spaces/managed-spaces-screen';
import '../screens/maintenance/managed-students/managed-students-screen';

const me = newAuthUser();
const managedSpace = (changes: object = {}) => ({
  _id: uuid(),
  name: 'French',
  description: 'La langue',
  bannerImageUrl: null,
  color: '1e88e5',
  hiddenFromSearchEngines: false,
  entry: 'OPEN',
  isArchived: false,
  publicPages: true,
  createdAt: '2026-11-20T08:00:00.000Z',
  memberCount: 3,
  subjectCount: 1,
  topicCount: 2,
  ...changes,
});

function open(address: string, answers: Answers) {
  const roles = [{ role: 'MAINTAINER', space: null }];
  const api = fakeApi({
    getStudent: () => newStudent({ _id: me._id, roles }),
    getSpaces: () => [],
    ...answers,
  });
  return { api, user: userEvent.setup(), ...renderApp(address, { user: me }) };
}

describe('managed spaces', () => {
  it('are created, with a link to the audit entry', async () => {
    const space = managedSpace();
    const { api, user } = open('/maintenance/content/spaces', {
      getManagedSpaces: () => [space],
      createSpace: () => ({ act: 42, space: managedSpace({ name: 'Latin' }) }),
    });
    await user.click(await screen.findByRole('button', { name: 'New space' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'New space' }));
    await user.click(dialog.getByRole('button', { name: 'Save' }));
    expect(await dialog.findByText('Please add a name.')).toBeVisible();
    await user.type(dialog.getByRole('textbox', { name: 'Name' }), 'Latin');
    await user.click(dialog.getByRole('button', { name: 'Save' }));
    expect(await screen.findByRole('link', { name: 'View in audit log' })).toHaveAttribute(
      'href',
      '/audit/42',
    );
    expect(api.calls('CreateSpace')[0]?.variables['details']).toMatchObject({
      name: 'Latin',
      color: '2563eb',
      publicPages: false,
      hiddenFromSearchEngines: true,
    });
  });

  it('send changes with the values seen, and show what someone else has changed', async () => {
    const space = managedSpace();
    const { api, user } = open(`/maintenance/content/spaces/${space._id}`, {
      getManagedSpace: () => space,
      getManagedSubjects: () => [],
      changeSpace: () => {
        throw apiError('Somebody else has changed this meanwhile.', 'CONFLICT');
      },
    });
    await user.click(await screen.findByRole('button', { name: 'Edit space' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Edit French' }));
    await user.type(dialog.getByRole('textbox', { name: 'Name' }), ' II');
    await user.click(dialog.getByRole('button', { name: 'Save' }));
    expect(await dialog.findByRole('alert')).toHaveTextContent('Somebody else has changed this meanwhile.');
    expect(api.calls('ChangeSpace')[0]?.variables).toEqual({
      id: space._id,
      change: { name: 'French II' },
      seen: { name: 'French' },
    });
  });

  it('do not show class codes with who joined to maintainers, who cannot read a space', async () => {
    const space = managedSpace({ entry: 'INVITATION' });
    open(`/maintenance/content/spaces/${space._id}`, {
      getManagedSpace: () => space,
      getManagedSubjects: () => [],
      getInvitedStudents: () => [],
      getInvitations: () => [
        {
          _id: 'c',
          kind: 'CODE',
          state: 'ACTIVE',
          secret: 'KDTW7X',
          uses: 30,
          used: 0,
          createdAt: '2026-11-20T08:00:00.000Z',
        },
      ],
    });
    expect(await screen.findByRole('button', { name: 'Copy code' })).toBeVisible();
    expect(screen.queryByRole('link', { name: 'Show to class' })).toBeNull();
  });
});

describe('a managed space', () => {
  it('is archived after confirmation, and opened again', async () => {
    let space = managedSpace({ name: 'Latin' });
    const { api, user } = open(`/maintenance/content/spaces/${space._id}`, {
      getManagedSpace: () => space,
      getManagedSubjects: () => [],
      archiveSpace: () => ({ act: 42, space: (space = { ...space, isArchived: true }) }),
      unarchiveSpace: () => ({ act: 43, space: (space = { ...space, isArchived: false }) }),
    });
    await user.click(await screen.findByRole('button', { name: 'Archive' }));
    const asked = within(await screen.findByRole('dialog', { name: 'Archive Latin?' }));
    expect(api.calls('ArchiveSpace')).toHaveLength(0);
    await user.click(asked.getByRole('button', { name: 'Archive' }));
    expect(await screen.findByText(/^Archived: read-only for its members/)).toBeVisible();
    expect(screen.queryByRole('button', { name: 'Edit space' })).toBeNull();
    await user.click(screen.getByRole('button', { name: 'Unarchive' }));
    const again = within(await screen.findByRole('dialog', { name: 'Unarchive Latin?' }));
    await user.click(again.getByRole('button', { name: 'Unarchive' }));
    expect(await screen.findByRole('button', { name: 'Edit space' })).toBeVisible();
    expect(api.calls('UnarchiveSpace')[0]?.variables).toEqual({ id: space._id });
  });

  it('is deleted once archived and its name is typed in', async () => {
    let space = managedSpace({ name: 'Latin' });
    const { api, user } = open(`/maintenance/content/spaces/${space._id}`, {
      getManagedSpace: () => space,
      getManagedSpaces: () => [],
      getManagedSubjects: () => [],
      archiveSpace: () => ({ act: 42, space: (space = { ...space, isArchived: true }) }),
      deleteSpace: ({ name }) => {
        if (name !== 'Latin')
          throw apiError('This is not the name of the space.', 'VALIDATION_FAILED', 'name');
        return { _id: space._id };
      },
    });
    await user.click(await screen.findByRole('button', { name: 'Archive' }));
    expect(screen.queryByRole('button', { name: 'Delete' })).toBeNull();
    await user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Archive' }));
    await user.click(await screen.findByRole('button', { name: 'Delete' }));
    const asked = within(await screen.findByRole('dialog', { name: 'Delete Latin?' }));
    expect(asked.getByText('This cannot be undone:')).toBeVisible();
    expect(asked.getByText(/^The texts of its posts are erased\./)).toBeVisible();
    const name = asked.getByRole('textbox', { name: /^To confirm, type “Latin”/ });
    await user.type(name, 'Greek');
    await user.click(asked.getByRole('button', { name: 'Delete for good' }));
    expect(await asked.findByText(/^This is not the name of the space\./)).toBeVisible();
    expect(name).toBeInvalid();
    await user.clear(name);
    await user.type(name, 'Latin');
    await user.click(asked.getByRole('button', { name: 'Delete for good' }));
    expect(await screen.findByRole('heading', { name: 'Spaces and subjects' })).toBeVisible();
    expect(await screen.findByText('Latin deleted')).toBeVisible();
    expect(api.calls('DeleteSpace').at(-1)?.variables).toEqual({ id: space._id, name: 'Latin' });
  });
});

describe('roles', () => {
  it("are removed after confirmation, but not the maintainer's own", async () => {
    const holder = (changes: object) => ({
      ...newAuthor(),
      isBlocked: false,
      hasSecondFactor: false,
      erasureDueAt: null,
      spaceCount: 1,
      createdAt: '2026-11-20T08:00:00.000Z',
      ...changes,
    });
    const { api, user } = open('/maintenance/content/roles', {
      getRoleHolders: () => [
        holder({ _id: me._id, userName: 'sam', roles: [{ role: 'MAINTAINER', space: null }] }),
        holder({ _id: 'b', userName: 'rao', roles: [{ role: 'MODERATOR', space: null }] }),
      ],
      revokeRole: () => ({ act: 7 }),
    });
    await user.click(await screen.findByRole('button', { name: 'Revoke rao’s role' }));
    expect(screen.queryByRole('button', { name: 'Revoke sam’s role' })).toBeNull();
    const dialog = within(await screen.findByRole('dialog', { name: 'Revoke rao’s role?' }));
    await user.click(dialog.getByRole('button', { name: 'Revoke' }));
    await waitFor(() =>
      expect(api.calls('RevokeRole')[0]?.variables).toEqual({
        studentId: 'b',
        role: 'MODERATOR',
        space: null,
      }),
    );
    expect(await screen.findByText(/rao no longer has the role: Moderator · All spaces/)).toBeVisible();
  });

  it.each([
    [7, /^rao now has the role: Moderator · French/],
    [null, /^Nothing changed\. rao already has the role: Moderator · French$/],
  ])('that are granted say what changed, with the audit entry %s', async (act, text) => {
    const french = managedSpace();
    const { user } = open('/maintenance/content/roles', {
      getRoleHolders: () => [],
      getManagedSpaces: () => [french],
      getManagedStudents: () => ({
        docs: [
          {
            ...newAuthor({ userName: 'rao' }),
            ...{ isBlocked: false, hasSecondFactor: false, erasureDueAt: null, spaceCount: 1, roles: [] },
            createdAt: '2026-11-20T08:00:00.000Z',
          },
        ],
        page: 1,
        hasNext: false,
      }),
      grantRole: () => ({ act }),
    });
    await user.click((await screen.findAllByRole('button', { name: 'Grant role' }))[0] as HTMLElement);
    const dialog = within(await screen.findByRole('dialog', { name: 'Grant role' }));
    await user.type(dialog.getByRole('searchbox'), 'rao');
    await user.click(await dialog.findByRole('radio', { name: /rao/ }));
    await user.selectOptions(dialog.getByRole('combobox', { name: 'Space' }), 'French');
    await user.click(dialog.getByRole('button', { name: 'Grant' }));
    expect(await screen.findByText(text)).toBeVisible();
  });
});

describe('news', () => {
  const post = (changes: object) => ({
    _id: uuid(),
    title: 'Open day',
    body: '<p>On Friday.</p>',
    ...{ liked: false, saved: false, likeCount: 0, editedAt: null, isEditable: true },
    createdAt: '2026-11-20T08:00:00.000Z',
    isRemoved: false,
    author: newAuthor(),
    space: null,
    ...changes,
  });
  const expectAct = async (ordinal: number) =>
    expect(await screen.findByRole('link', { name: 'View in audit log' })).toHaveAttribute(
      'href',
      `/audit/${ordinal}`,
    );

  it('is removed and restored, each with a link to the audit entry', async () => {
    const news = [post({ title: 'Open day' }), post({ title: 'Old', isRemoved: true })];
    const { user } = open('/maintenance/content/news', {
      getManagedNews: () => ({ docs: news, page: 1, hasNext: false }),
      removeNewspost: () => ({ _id: news[0]?._id, act: 11 }),
      restoreNewspost: () => ({ ...news[1], act: 12 }),
    });
    await user.click(await screen.findByRole('button', { name: /^Remove .*Open day/ }));
    const dialog = within(await screen.findByRole('dialog'));
    await user.click(dialog.getByRole('button', { name: 'Remove' }));
    await expectAct(11);
    await user.click(screen.getByRole('button', { name: /Old/ }));
    await waitFor(() => expectAct(12));
  });
});

describe('students', () => {
  const student = (changes: object) => ({
    ...newAuthor(),
    hasSecondFactor: false,
    erasureDueAt: null as string | null,
    spaceCount: 1,
    createdAt: '2026-11-20T08:00:00.000Z',
    roles: [],
    ...changes,
  });

  it('offer a reset of the second factor only if there is one', async () => {
    const docs = [
      student({ _id: 'a', userName: 'rao', isBlocked: false, hasSecondFactor: true }),
      student({ _id: 'b', userName: 'isha', isBlocked: false }),
    ];
    open('/maintenance/content/students', {
      getManagedStudents: () => ({ docs, page: 1, hasNext: false }),
    });
    expect(await screen.findByRole('button', { name: /rao.*second factor/i })).toBeVisible();
    expect(screen.queryByRole('button', { name: /isha.*second factor/i })).toBeNull();
  });

  it('are unblocked with or without a reason', async () => {
    const ben = student({ _id: 'ben', userName: 'ben', isBlocked: true });
    const { api, user } = open('/maintenance/content/students', {
      getManagedStudents: () => ({ docs: [ben], page: 1, hasNext: false }),
      unblockAccount: () => ({ act: 21, student: { ...ben, isBlocked: false } }),
    });
    await user.click(await screen.findByRole('button', { name: 'Unblock ben' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Unblock ben?' }));
    await user.type(dialog.getByRole('textbox', { name: /^Reason \(optional\)/ }), ' Taken for another ');
    await user.click(dialog.getByRole('button', { name: 'Unblock' }));
    expect(await screen.findByRole('link', { name: 'View in audit log' })).toBeVisible();
    expect(api.calls('UnblockAccount')[0]?.variables).toEqual({
      studentId: 'ben',
      reason: 'Taken for another',
    });
  });

  it('have their account deleted with a reason, which can be cancelled in time', async () => {
    let ben = student({ _id: 'ben', userName: 'ben', isBlocked: false });
    const { api, user } = open('/maintenance/content/students', {
      getManagedStudents: () => ({ docs: [ben], page: 1, hasNext: false }),
      eraseAccount: () => {
        ben = { ...ben, erasureDueAt: '2026-12-01T10:00:00.000Z' };
        return { act: 22, student: ben };
      },
      cancelErasure: () => {
        ben = { ...ben, erasureDueAt: null };
        return { act: 23, student: ben };
      },
    });
    await user.click(await screen.findByRole('button', { name: 'Delete ben’s account' }));
    const asked = within(await screen.findByRole('dialog', { name: 'Delete ben’s account?' }));
    await user.click(asked.getByRole('checkbox', { name: 'Also delete everything the student wrote' }));
    await user.type(asked.getByRole('textbox', { name: /^Reason/ }), 'Asked by letter');
    await user.click(asked.getByRole('button', { name: 'Delete account' }));
    await user.click(await screen.findByRole('button', { name: 'Keep ben’s account' }));
    expect(api.calls('EraseAccount')[0]?.variables).toEqual({
      studentId: 'ben',
      reason: 'Asked by letter',
      withPosts: true,
    });
    const kept = within(await screen.findByRole('dialog', { name: 'Keep ben’s account?' }));
    await user.click(kept.getByRole('button', { name: 'Keep account' }));
    expect(await screen.findByRole('button', { name: 'Delete ben’s account' })).toBeVisible();
  });

  it('show a security log only if they have a role', async () => {
    const roles = [{ role: 'MODERATOR', space: null }];
    const [ben, cem] = [
      student({ _id: 'ben', userName: 'ben', isBlocked: false, roles }),
      student({ _id: 'cem', userName: 'cem', isBlocked: false }),
    ];
    const failed = {
      _id: 'entry',
      kind: 'FACTOR_FAILED',
      at: '2026-11-20T08:00:00.000Z',
      browser: 'Safari',
      system: 'iOS',
      network: '2001:db8:1::/48',
    };
    const { api, user } = open('/maintenance/content/students', {
      getManagedStudents: () => ({ docs: [ben, cem], page: 1, hasNext: false }),
      getStaffSecurityLog: () => ({ docs: [failed], page: 1, hasNext: false }),
    });
    await user.click(await screen.findByRole('button', { name: 'Show ben’s security log' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'ben’s security log' }));
    expect(await dialog.findByRole('listitem')).toHaveTextContent(
      /^Second factor failed.* · Safari on iOS · Network 2001:db8:1::\/48$/,
    );
    expect(api.calls('StaffSecurityLog')[0]?.variables).toEqual({ studentId: 'ben', page: 1 });
    await user.keyboard('{Escape}');
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(screen.queryByRole('button', { name: /cem’s security log/ })).toBeNull();
  });
});
