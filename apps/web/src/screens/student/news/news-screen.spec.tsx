import { beforeEach, describe, expect, it } from '@jest/globals';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent, { type UserEvent } from '@testing-library/user-event';
import { v4 as uuid } from 'uuid';
import { pageOf } from '../../../testing/ask-fixtures';
import { apiError, fakeApi, type Answers } from '../../../testing/fake-api';
import { newAuthor, newAuthUser, newSpace, newStudent } from '../../../testing/fixtures';
import { renderApp } from '../../../testing/render-app';
import { newsPlaces } from './news-places';
import './news-screen';

const me = newAuthUser();
const space = newSpace();

function newNews(changes: object = {}) {
  return {
    _id: uuid(),
    title: 'Open day',
    body: '<p>On <strong>Friday</strong>.</p>',
    liked: false,
    saved: false,
    likeCount: 3,
    createdAt: '2026-11-20T08:00:00.000Z',
    editedAt: null,
    isEditable: false,
    author: newAuthor({ userName: 'ms_rao' }),
    space: { _id: space._id, name: space.name },
    ...changes,
  };
}

const rolesOf = (...roles: object[]) => ({ getStudent: () => newStudent({ _id: me._id, roles }) });

function openNews(answers: Answers = {}, address = '/news') {
  const api = fakeApi({ ...rolesOf(), getPaginatedNewsposts: () => pageOf([newNews()]), ...answers });
  return { api, user: userEvent.setup(), ...renderApp(address, { user: me, space }) };
}

describe('news', () => {
  it('shows title and body of each post, five per page', async () => {
    const { api } = openNews();
    const post = within(await screen.findByRole('article', { name: 'Open day' }));
    expect(post.getByText('Friday').tagName).toBe('STRONG');
    expect(post.getByText('ms_rao')).toBeVisible();
    expect(api.calls('News')[0]?.variables).toEqual({ space: space._id, saved: false, page: 1 });
    expect(screen.queryByRole('button', { name: 'Write news' })).not.toBeInTheDocument();
    expect(screen.queryByRole('button', { name: /More actions for/ })).not.toBeInTheDocument();
  });

  it('names an erased author', async () => {
    openNews({ getPaginatedNewsposts: () => pageOf([newNews({ author: newAuthor({ userName: '' }) })]) });
    const post = within(await screen.findByRole('article', { name: 'Open day' }));
    expect(post.getByText('Deleted student')).toBeVisible();
  });

  it('toggles Like and Save only once the API has answered', async () => {
    const post = newNews();
    let answer: (value: object) => void = () => {};
    const { user } = openNews({
      getPaginatedNewsposts: () => pageOf([post]),
      likeNewspost: () => new Promise((resolve) => (answer = resolve)),
      saveNewspost: () => ({ ...post, saved: true }),
    });
    const like = await screen.findByRole('button', { name: 'Like, 3 likes' });
    await user.click(like);
    expect(like).toHaveAttribute('aria-pressed', 'false');
    await waitFor(() => expect(like).toHaveAttribute('aria-busy', 'true'));
    answer({ ...post, liked: true, likeCount: 4 });
    expect(await screen.findByRole('button', { name: 'Like, 4 likes' })).toHaveAttribute(
      'aria-pressed',
      'true',
    );
    await user.click(screen.getByRole('button', { name: 'Save' }));
    expect(await screen.findByRole('button', { name: 'Saved' })).toHaveAttribute('aria-pressed', 'true');
  });

  it('shows why a like failed, and keeps its state', async () => {
    const { user } = openNews({
      likeNewspost: () => {
        throw apiError('This news no longer exists.', 'NOT_FOUND');
      },
    });
    const like = await screen.findByRole('button', { name: 'Like, 3 likes' });
    await user.click(like);
    expect(await screen.findByText('This news no longer exists.')).toBeInTheDocument();
    expect(like).toHaveAttribute('aria-pressed', 'false');
  });

  it('keeps the filter in the URL, and offers all news if it matches nothing', async () => {
    const { api, user, address } = openNews({
      getPaginatedNewsposts: ({ saved }) => pageOf(saved === true ? [] : [newNews()]),
    });
    await screen.findByRole('article');
    await user.click(screen.getByRole('radio', { name: 'Saved' }));
    expect(address()).toBe('/news?saved=1');
    await user.click(await screen.findByRole('button', { name: 'Show all news' }));
    expect(await screen.findByRole('article')).toBeVisible();
    expect(api.calls('News').map(({ variables }) => variables['saved'])).toContain(true);
  });

  it('shows an empty state', async () => {
    openNews({ getPaginatedNewsposts: () => pageOf([]) });
    expect(await screen.findByRole('heading', { name: 'No news yet' })).toBeVisible();
  });

  it('opens from the user menu', async () => {
    const { user, address } = openNews({}, '/space');
    await user.click(await screen.findByRole('button', { name: /Account of/ }));
    await user.click(await screen.findByRole('menuitem', { name: 'News' }));
    expect(address()).toBe('/news');
  });
});

describe('news for writers', () => {
  // Drafts.
  beforeEach(() => localStorage.clear());
  const moderator = rolesOf({ role: 'MODERATOR', space: space._id });
  const editable = newNews({ isEditable: true });

  it('is removed after confirmation, and restored by undo', async () => {
    const { api, user } = openNews({
      ...moderator,
      getPaginatedNewsposts: () => pageOf([editable]),
      removeNewspost: () => ({ _id: editable._id }),
      restoreNewspost: () => editable,
    });
    await user.click(await screen.findByRole('button', { name: 'More actions for “Open day”' }));
    await user.click(await screen.findByRole('menuitem', { name: 'Remove' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Remove this news?' }));
    await user.click(dialog.getByRole('button', { name: 'Remove' }));
    await user.click(await screen.findByRole('button', { name: 'Undo' }));
    await waitFor(() => expect(api.calls('RestoreNews')[0]?.variables).toEqual({ id: editable._id }));
    expect(api.calls('RemoveNews')).toHaveLength(1);
  });

  it('requires a title and a text', async () => {
    const { api, user } = openNews(moderator);
    await user.click(await screen.findByRole('button', { name: 'Write news' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Write news' }));
    await user.click(dialog.getByRole('button', { name: 'Publish' }));
    expect(dialog.getByText('Please add a title.')).toBeInTheDocument();
    expect(dialog.getByText('Please add some text.')).toBeInTheDocument();
    expect(api.calls('PublishNews')).toHaveLength(0);
  });

  it.each([
    [
      'Save',
      (user: UserEvent) =>
        user.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Save' })),
    ],
    ['Ctrl+Enter', (user: UserEvent) => user.keyboard('{Control>}{Enter}{/Control}')],
  ])('can be edited and sent by %s', async (_, send) => {
    const { api, user } = openNews({
      ...moderator,
      getPaginatedNewsposts: () => pageOf([editable]),
      updateNewspost: () => ({ ...editable, title: 'Open days' }),
    });
    await user.click(await screen.findByRole('button', { name: 'More actions for “Open day”' }));
    await user.click(await screen.findByRole('menuitem', { name: 'Edit' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Edit news' }));
    await user.type(dialog.getByRole('textbox', { name: 'Title' }), 's');
    await send(user);
    await waitFor(() =>
      expect(api.calls('UpdateNews')[0]?.variables).toEqual({
        id: editable._id,
        title: 'Open days',
        body: editable.body,
      }),
    );
  });

  it('is sent once, however often the shortcut is pressed', async () => {
    const { api, user } = openNews({
      ...moderator,
      getPaginatedNewsposts: () => pageOf([editable]),
      updateNewspost: () => new Promise(() => undefined),
    });
    await user.click(await screen.findByRole('button', { name: 'More actions for “Open day”' }));
    await user.click(await screen.findByRole('menuitem', { name: 'Edit' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Edit news' }));
    await user.type(dialog.getByRole('textbox', { name: 'Title' }), 's');
    await user.keyboard('{Control>}{Enter}{/Control}');
    await waitFor(() => expect(api.calls('UpdateNews')).toHaveLength(1));
    await user.keyboard('{Control>}{Enter}{/Control}');
    await user.keyboard('{Control>}{Enter}{/Control}');
    expect(api.calls('UpdateNews')).toHaveLength(1);
  });

  it('stays in the dialog with the reason if the API refuses it', async () => {
    const { api, user } = openNews({
      ...moderator,
      getPaginatedNewsposts: () => pageOf([editable]),
      updateNewspost: () => {
        throw apiError('This news no longer exists.', 'NOT_FOUND');
      },
    });
    await user.click(await screen.findByRole('button', { name: 'More actions for “Open day”' }));
    await user.click(await screen.findByRole('menuitem', { name: 'Edit' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Edit news' }));
    await user.type(dialog.getByRole('textbox', { name: 'Title' }), 's');
    await user.click(dialog.getByRole('button', { name: 'Save' }));
    expect(await dialog.findByRole('alert')).toHaveTextContent('This news no longer exists.');
    expect(dialog.getByRole('textbox', { name: 'Title' })).toHaveValue('Open days');
    expect(api.calls('UpdateNews')).toHaveLength(1);
  });

  it.each([
    [[], []],
    [[{ role: 'MODERATOR', space: 'here' }], ['space']],
    [[{ role: 'MODERATOR', space: 'elsewhere' }], []],
    [[{ role: 'MODERATOR', space: null }], ['space', 'everywhere']],
    [[{ role: 'MAINTAINER', space: null }], ['space', 'everywhere']],
  ])('is offered the audiences that the roles %j allow', (roles, places) => {
    expect(newsPlaces(roles, 'here')).toEqual(places);
    expect(newsPlaces(roles, undefined)).toEqual(places.filter((place) => place === 'everywhere'));
  });
});
