import { describe, expect, it } from '@jest/globals';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { v4 as uuid } from 'uuid';
import { apiError, fakeApi, type Answers } from '../../../testing/fake-api';
import { newAuthor, newAuthUser, newSpace, newStudent } from '../../../testing/fixtures';
import { renderApp } from '../../../testing/render-app';
import '../../../app/area-routes';
import './entry-screen';

const me = newAuthUser();
const space = newSpace({ name: 'Robotics', entry: 'INVITATION' });

const newInvitation = (changes: object = {}) => ({
  _id: uuid(),
  kind: 'LINK',
  state: 'ACTIVE',
  secret: 'x'.repeat(43),
  rule: null,
  uses: 30,
  used: 2,
  createdAt: '2026-11-20T10:00:00.000Z',
  expiresAt: '2026-12-01T10:00:00.000Z',
  createdBy: newAuthor({ userName: 'ms_rao' }),
  ...changes,
});

const providers = (...isEnabled: readonly boolean[]) =>
  isEnabled.map((is, at) => ({ _id: ['first', 'second'][at], label: ['School', 'Club'][at], isEnabled: is }));

async function openJoining(answers: Answers = {}) {
  const api = fakeApi({
    getStudent: () => newStudent({ _id: me._id, roles: [{ role: 'MODERATOR', space: null }] }),
    getSpaces: () => [space],
    getEntryRequests: () => ({ docs: [], page: 1, hasNext: false }),
    getInvitedStudents: () => [],
    getInvitations: () => [],
    getSignInProviders: () => providers(false, false),
    createInvitation: () => uuid(),
    revokeInvitation: () => ({ flag: 1 }),
    ...answers,
  });
  const user = userEvent.setup({ delay: null });
  renderApp('/moderation/entry', { user: me, space });
  const ways = within(await screen.findByRole('region', { name: 'Links, codes and lists' }));
  return { api, user, ways };
}

async function openDialog(answers: Answers = {}) {
  const opened = await openJoining(answers);
  await opened.user.click(opened.ways.getByRole('button', { name: 'New invitation' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'New invitation' }));
  const choose = async (kind: string) => {
    await opened.user.click(dialog.getByRole('combobox', { name: 'Type' }));
    await opened.user.click(await screen.findByRole('option', { name: kind }));
  };
  const create = () => opened.user.click(dialog.getByRole('button', { name: 'Create' }));
  const made = async () => {
    await waitFor(() => expect(opened.api.calls('CreateInvitation')).toHaveLength(1));
    return opened.api.calls('CreateInvitation')[0]?.variables;
  };
  return { ...opened, dialog, choose, create, made };
}

describe('the list of invitations', () => {
  it('shows kind, state and creator of each', async () => {
    const { ways } = await openJoining({
      getInvitations: () => [
        newInvitation(),
        newInvitation({ kind: 'CODE', secret: 'KDTW7X' }),
        newInvitation({ kind: 'DOMAIN', rule: 'school.example', secret: null, uses: null, expiresAt: null }),
        newInvitation({ kind: 'GROUP', rule: 'first:class:7b', secret: null, uses: null, expiresAt: null }),
        newInvitation({ kind: 'LIST', state: 'USED_UP', secret: null, createdBy: null }),
        newInvitation({ state: 'EXPIRED', secret: null }),
        newInvitation({ state: 'REVOKED', secret: null }),
      ],
    });
    const rows = await ways.findAllByRole('listitem');
    const texts = rows.map(({ textContent }) => textContent);
    expect(texts[0]).toContain('LinkActive2 of 30 joined · expires Dec 1, 2026 · created by ms_rao');
    expect(texts[1]).toContain('KDT-W7X');
    expect(texts[2]).toContain('Email domain @school.exampleActive2 joined · created by ms_rao');
    expect(texts[3]).toContain('School account group class:7bActive2 joined');
    expect(texts[4]).toContain('ListUsed up');
    expect(texts[4]).not.toContain('created by');
    expect(texts[5]).toContain('Expired');
    // Expired and revoked invitations have no actions.
    expect(
      rows.map((row) =>
        within(row)
          .queryAllByRole('button')
          .map((button) => button.textContent),
      ),
    ).toEqual([['Copy link', 'Revoke'], ['Copy code', 'Revoke'], ['Revoke'], ['Revoke'], ['Revoke'], [], []]);
  });

  it('copies the link, or explains what to do if that fails', async () => {
    const { user, ways } = await openJoining({ getInvitations: () => [newInvitation()] });
    await user.click(await ways.findByRole('button', { name: 'Copy link' }));
    expect(await screen.findByText('Copied')).toBeVisible();
    expect(await navigator.clipboard.readText()).toBe(`http://localhost/join#${'x'.repeat(43)}`);
    Object.defineProperty(navigator, 'clipboard', { value: undefined, configurable: true });
    await user.click(ways.getByRole('button', { name: 'Copy link' }));
    expect(await screen.findByText(/^Could not copy\. Copy it yourself: http/)).toBeVisible();
  });

  it('revokes an invitation, and shows its new state', async () => {
    const invitation = newInvitation();
    const { api, user, ways } = await openJoining({ getInvitations: () => [invitation] });
    const button = await ways.findByRole('button', { name: 'Revoke invitation: Link' });
    api.change({ getInvitations: () => [{ ...invitation, state: 'REVOKED', secret: null }] });
    await user.click(button);
    expect(await ways.findByText('Revoked')).toBeVisible();
    expect(api.calls('RevokeInvitation')[0]?.variables).toEqual({ space: space._id, id: invitation._id });
  });

  it('shows an empty state', async () => {
    const { ways } = await openJoining();
    expect(await ways.findByText('No links, codes or lists yet')).toBeVisible();
  });
});

describe('a new invitation', () => {
  it('is a link with uses and days, and appears in the list', async () => {
    const { api, dialog, user, create, made, ways } = await openDialog();
    api.change({ getInvitations: () => [newInvitation()] });
    await user.clear(dialog.getByRole('textbox', { name: 'Maximum number of students' }));
    await user.type(dialog.getByRole('textbox', { name: 'Maximum number of students' }), '12');
    await create();
    expect(await made()).toEqual({ space: space._id, details: { kind: 'LINK', uses: 12, days: 7 } });
    expect(await ways.findByRole('button', { name: 'Copy link' })).toBeVisible();
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
  });

  it('is a list of emails and phone numbers', async () => {
    const { dialog, user, choose, create, made } = await openDialog();
    await choose('List');
    expect(dialog.queryByRole('textbox', { name: 'Maximum number of students' })).not.toBeInTheDocument();
    await user.type(
      dialog.getByRole('textbox', { name: 'Email addresses or mobile numbers' }),
      'a@school.example',
    );
    await create();
    expect(await made()).toMatchObject({ details: { kind: 'LIST', days: 7, contacts: 'a@school.example' } });
  });

  it('can be a domain, which does not expire', async () => {
    const { dialog, user, choose, create, made } = await openDialog();
    await choose('Email domain');
    expect(dialog.queryByRole('textbox', { name: 'Days until expiry' })).not.toBeInTheDocument();
    await user.type(dialog.getByRole('textbox', { name: 'Email domain' }), 'school.example');
    await create();
    expect((await made())?.['details']).toEqual({ kind: 'DOMAIN', domain: 'school.example' });
  });

  it('offers no groups without a login provider', async () => {
    const { dialog, user } = await openDialog();
    await user.click(dialog.getByRole('combobox', { name: 'Type' }));
    const kinds = within(screen.getByRole('listbox', { name: 'Type' }));
    expect(kinds.getAllByRole('option').map(({ textContent }) => textContent)).toEqual([
      'Link',
      'Class code',
      'List',
      'Email domain',
    ]);
  });

  it('is a group of the only provider', async () => {
    const { dialog, user, choose, create, made } = await openDialog({
      getSignInProviders: () => providers(false, true),
    });
    await choose('School account group');
    expect(dialog.queryByRole('combobox', { name: 'Login provider' })).not.toBeInTheDocument();
    await user.type(dialog.getByRole('textbox', { name: 'Group' }), '7b');
    await create();
    expect((await made())?.['details']).toEqual({ kind: 'GROUP', provider: 'second', group: '7b' });
  });

  it('is a group of the selected provider', async () => {
    const { dialog, user, choose, create, made } = await openDialog({
      getSignInProviders: () => providers(true, true),
    });
    await choose('School account group');
    await user.click(dialog.getByRole('combobox', { name: 'Login provider' }));
    await user.click(await screen.findByRole('option', { name: 'Club' }));
    await user.type(dialog.getByRole('textbox', { name: 'Group' }), '7b');
    await create();
    expect((await made())?.['details']).toEqual({ kind: 'GROUP', provider: 'second', group: '7b' });
  });

  it("shows the API's refusal until another kind is selected", async () => {
    const { dialog, choose, create } = await openDialog({
      createInvitation: () => {
        throw apiError('An invitation can be used 1 to 1000 times.', 'VALIDATION_FAILED', 'uses');
      },
    });
    await create();
    expect(await dialog.findByRole('alert')).toHaveTextContent('1 to 1000 times');
    await choose('Class code');
    expect(dialog.queryByRole('alert')).not.toBeInTheDocument();
  });
});
