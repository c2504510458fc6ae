import { describe, expect, it } from '@jest/globals';
import { act, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import '../../../app/area-routes';
import '../../../features/areas/require-area';
import { fakeApi, apiError, type Answers } from '../../../testing/fake-api';
import { newAuthor, newAuthUser, newSpace, newStudent } from '../../../testing/fixtures';
import { renderApp } from '../../../testing/render-app';
import './removal-screen';
import './removals-screen';

const space = newSpace();
const me = newAuthUser();
const [spammer, colleague] = [newAuthor({ userName: 'spammer' }), newAuthor({ userName: 'colleague' })];
const removal = {
  ...{ _id: 'r-1', posts: 2, reason: 'All spam', removedAt: '2026-11-21T08:00:00.000Z', space },
  ...{ author: spammer, moderator: colleague, restoredBy: null, restoreReason: null, restoredAt: null },
};
const post = (postId: string, state: string) => ({
  ...{ postId, postType: 'ANSWER', questionId: 'q-1', title: `Why ${postId}?`, excerpt: 'Buy this', state },
});
const detail = { ...removal, removedPosts: [post('p-1', 'REMOVED'), post('p-2', 'PENDING')] };
const restored = {
  ...{ ...detail, restoredAt: '2026-11-22T08:00:00.000Z', restoredBy: newAuthor({ userName: 'bea' }) },
  ...{ restoreReason: 'A mistake', removedPosts: [post('p-1', 'RESTORED'), post('p-2', 'DELETED')] },
};

function open(address: string, answers: Answers) {
  const api = fakeApi({
    getStudent: () => newStudent({ _id: me._id, roles: [{ role: 'MODERATOR', space: null }] }),
    getSpaces: () => [space],
    ...answers,
  });
  return { api, user: userEvent.setup({ delay: null }), ...renderApp(address, { user: me }) };
}

const statesOf = (name: string) =>
  within(screen.getByRole('table', { name }))
    .getAllByRole('row')
    .slice(1)
    .map((row) => within(row).getAllByRole('cell').at(-1)?.textContent);

describe('removals', () => {
  it('are listed with student, number of posts and state', async () => {
    const docs = [removal, { ...removal, _id: 'r-2', reason: '', restoredAt: removal.removedAt }];
    open('/moderation/removals', { getPostsRemovals: () => ({ docs, page: 1, totalPages: 1 }) });
    const link = await screen.findByRole('link', { name: 'All spam' });
    expect(link).toHaveAttribute('href', '/moderation/removals/r-1');
    expect(screen.getByRole('link', { name: 'Reason erased' })).toBeVisible();
    expect(statesOf('Removed posts')).toEqual(['Removed', 'Restored']);
    expect(screen.getByRole('link', { name: 'Removed posts' })).toHaveAttribute(
      'href',
      '/moderation/removals',
    );
  });
});

describe('a removal', () => {
  it('shows who, why and each post, and follows signals', async () => {
    const { api } = open('/moderation/removals/r-1', { getPostsRemoval: () => detail });
    const decision = await screen.findByRole('region', { name: 'Decision' });
    expect(decision).toHaveTextContent(/spammer.*colleague.*All spam/);
    expect(screen.getByRole('link', { name: 'Why p-1?' })).toHaveAttribute('href', '/moderation/p-1');
    // Its case does not exist yet.
    expect(screen.queryByRole('link', { name: 'Why p-2?' })).toBeNull();
    expect(statesOf('Posts')).toEqual(['Removed', 'Being removed']);
    api.change({
      getPostsRemoval: () => ({ ...detail, removedPosts: [post('p-1', 'REMOVED'), post('p-2', 'REMOVED')] }),
    });
    act(() => api.live.announce('ModerationChanged', { moderationChanged: { postId: null } }));
    expect(await screen.findByRole('link', { name: 'Why p-2?' })).toBeVisible();
  });

  it('is restored with a reason', async () => {
    const { api, user } = open('/moderation/removals/r-1', {
      getPostsRemoval: () => detail,
      restorePosts: () => ({ _id: 'r-1' }),
    });
    await user.click(await screen.findByRole('button', { name: 'Restore all posts' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Restore all posts' }));
    await user.type(dialog.getByRole('textbox', { name: 'Reason, shown to the author' }), 'A mistake');
    api.change({ getPostsRemoval: () => restored });
    await user.click(dialog.getByRole('button', { name: 'Restore all posts' }));
    expect(await screen.findByRole('alert')).toHaveTextContent(/Restored.*bea.*A mistake/);
    expect(api.calls('RestorePosts')[0]?.variables).toEqual({ removalId: 'r-1', reason: 'A mistake' });
    expect(statesOf('Posts')).toEqual(['Visible', 'Deleted']);
    expect(screen.queryByRole('button', { name: 'Restore all posts' })).toBeNull();
  });

  it('may not exist', async () => {
    open('/moderation/removals/r-9', {
      getPostsRemoval: () => {
        throw apiError('Removal not found.', 'NOT_FOUND');
      },
    });
    expect(await screen.findByText('Case not found')).toBeVisible();
  });
});
