import { describe, expect, it } from '@jest/globals';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import './area-routes';
import '../features/areas/require-area';
import '../screens/moderation/as-of/as-of-start-screen';
import '../screens/moderation/reported-posts/moderation-screen';
import { fakeApi, type Answers } from '../testing/fake-api';
import { newAuthUser, newSpace, newStudent } from '../testing/fixtures';
import { renderApp } from '../testing/render-app';

const me = newAuthUser();
const space = newSpace({ name: 'Robotics' });
const place = { space: space._id, spaceName: space.name };
const createdAt = '2026-11-20T10:00:00.000Z';
const ofCase = (type: string, openReports: number) => ({
  ...{ _id: `${type}:p-1`, type, isNew: true, createdAt },
  payload: {
    __typename: 'CaseNotification',
    ...{ postId: 'p-1', postType: 'ANSWER', questionTitle: 'What is a robot?', openReports, ...place },
  },
});
const ofPatterns = (patterns: number) => ({
  ...{ _id: `PATTERNS_FOUND:${space._id}`, type: 'PATTERNS_FOUND', isNew: false, createdAt },
  payload: { __typename: 'PatternNotification', patterns, ...place },
});
const ofProposal = (votes: number) => ({
  ...{ _id: 'INVALIDATION_PROPOSED:c-1', type: 'INVALIDATION_PROPOSED', isNew: true, createdAt },
  payload: { __typename: 'ProposalNotification', caseId: 'c-1', reason: 'They agreed', votes, ...place },
});
const ofRuling = (type: string) => ({
  ...{ _id: `${type}:q-1`, type, isNew: false, createdAt },
  payload: {
    __typename: 'RulingNotification',
    ...{ questionId: 'q-1', questionTitle: 'What is a robot?', reason: 'Advertising' },
  },
});
const ofRemoval = (type: string) => ({
  ...{ _id: `${type}:r-1`, type, isNew: false, createdAt },
  payload: {
    ...{ __typename: 'RemovalNotification', reason: 'All spam', posts: 3, ...place },
    objectTo: 'objections@school.example',
  },
});
const pageOf = (...docs: readonly object[]) => ({ docs, page: 1, totalPages: 1 });

function openStaffArea(answers: Answers = {}, path = '/moderation') {
  const api = fakeApi({
    getStudent: () => newStudent({ _id: me._id, roles: [{ role: 'MODERATOR', space: null }] }),
    getModerationQueue: () => ({ docs: [], next: null, totalOpen: 0 }),
    getPaginatedNotifications: () => pageOf(ofCase('POST_REPORTED', 2), ofProposal(120), ofPatterns(3)),
    markNotificationsSeen: () => 0,
    ...answers,
  });
  return { api, user: userEvent.setup({ delay: null }), ...renderApp(path, { user: me }) };
}

describe('the bell of a staff area', () => {
  it('lists what waits in all moderated spaces, and leads to the case and the patterns', async () => {
    const { api, user, address } = openStaffArea({ getNewNotificationCount: () => 2 });
    const bell = await screen.findByRole('button', { name: 'Notifications, 2 new' });
    await user.click(bell);
    const panel = within(await screen.findByRole('dialog', { name: 'Notifications' }));
    expect(
      await panel.findByRole('link', {
        name: /Reported post in Robotics with 2 open reports.*What is a robot\?/,
      }),
    ).toHaveAttribute('href', '/moderation/p-1');
    const patterns = panel.getByRole('link', { name: /3 new vote patterns in Robotics/ });
    expect(patterns).toHaveAttribute('href', `/moderation/patterns?space=${space._id}`);
    expect(
      panel.getByRole('link', { name: /Proposal to invalidate 120 votes in Robotics.*They agreed/ }),
    ).toHaveAttribute('href', '/moderation/cases/c-1');
    expect(panel.queryByRole('button', { name: 'Show all' })).toBeNull();
    expect(api.calls('Notifications').map(({ variables }) => variables)).toEqual([{ space: null, page: 1 }]);
    await waitFor(() =>
      expect(api.calls('MarkNotificationsSeen').at(-1)?.variables).toEqual({ space: null, upTo: createdAt }),
    );
    await user.click(panel.getByRole('link', { name: /Reported post/ }));
    await waitFor(() => expect(address()).toBe('/moderation/p-1'));
  });

  it('shows the icon of each type, and upvotes alone as an arrow', async () => {
    const { user } = openStaffArea({
      getPaginatedNotifications: () =>
        pageOf(
          ofCase('CASE_ESCALATED', 3),
          ofPatterns(1),
          ofRuling('POST_REMOVED'),
          ofRuling('POST_RESTORED'),
        ),
    });
    await user.click(await screen.findByRole('button', { name: 'Notifications' }));
    const rows = await within(await screen.findByRole('dialog', { name: 'Notifications' })).findAllByRole(
      'listitem',
    );
    const iconOf = (row: HTMLElement) => /tabler-icon-([\w-]+)/.exec(row.innerHTML)?.[1];
    expect(rows.map(iconOf)).toEqual(['flag', 'arrows-exchange', 'shield-x', 'shield-check']);
    expect(rows[0]).toHaveTextContent('Escalated case in Robotics');
  });

  it('names the number of removed posts, the reason and where to object', async () => {
    const { user } = openStaffArea({
      getPaginatedNotifications: () => pageOf(ofRemoval('POSTS_RESTORED'), ofRemoval('POSTS_REMOVED')),
    });
    await user.click(await screen.findByRole('button', { name: 'Notifications' }));
    const [restored, removed] = await within(
      await screen.findByRole('dialog', { name: 'Notifications' }),
    ).findAllByRole('listitem');
    expect(removed).toHaveTextContent(/removed 3 of your posts in Robotics.*All spam.*objections@/);
    expect(within(removed as HTMLElement).getByRole('link')).toHaveAttribute(
      'href',
      'mailto:objections@school.example',
    );
    expect(restored).toHaveTextContent(/restored 3 of your posts in Robotics.*All spam/);
    expect(within(restored as HTMLElement).queryByRole('link')).toBeNull();
  });

  it('is hidden from staff who moderate nothing, who send no request for it', async () => {
    const roles = [{ role: 'MAINTAINER', space: null }];
    const answers = { getStudent: () => newStudent({ _id: me._id, roles }), getSpaces: () => [space] };
    const { api } = openStaffArea(answers, '/audit/as-of');
    expect(await screen.findByRole('navigation', { name: 'Areas' })).toBeVisible();
    expect(screen.queryByRole('button', { name: /^Notifications/ })).toBeNull();
    expect(api.calls('NewNotificationCount')).toEqual([]);
    expect(api.calls('ModerationCounts')).toEqual([]);
  });
});

describe('the menu of moderation', () => {
  it('counts what is open, and follows signals', async () => {
    const { api } = openStaffArea({
      getModerationCounts: () => ({ reportedPosts: 3, entryRequests: 0, votePatterns: 12, proposedCases: 1 }),
    });
    const queue = await screen.findByRole('link', { name: 'Reported posts, 3 open' });
    expect(queue).toHaveTextContent('3Reported posts');
    expect(screen.getByRole('link', { name: 'Vote patterns, 12 open' })).toBeVisible();
    expect(screen.getByRole('link', { name: 'Invalidated votes, 1 open' })).toBeVisible();
    expect(screen.getByRole('link', { name: 'Membership' })).toBeVisible();
    api.change({
      getModerationCounts: () => ({ reportedPosts: 2, entryRequests: 1, votePatterns: 12, proposedCases: 0 }),
    });
    await waitFor(() => expect(api.live.listeners('NotificationArrived').length).toBeGreaterThan(0));
    api.live.announce('NotificationArrived', { notificationArrived: { space: '' } });
    expect(await screen.findByRole('link', { name: 'Reported posts, 2 open' })).toBeVisible();
    expect(screen.getByRole('link', { name: 'Membership, 1 open' })).toBeVisible();
  });
});
