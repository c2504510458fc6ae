import { describe, expect, it, jest } from '@jest/globals';
import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import '../../../app/area-routes';
import '../../../features/areas/require-area';
import { apiError, fakeApi, type Answers } from '../../../testing/fake-api';
import { newAuthor, newAuthUser, newSpace, newStudent } from '../../../testing/fixtures';
import { renderApp } from '../../../testing/render-app';
import './moderation-screen';

const me = newAuthUser();
const space = newSpace();
const [author, reporter, colleague] = ['arno', 'rita', 'cora'].map((userName) => newAuthor({ userName }));
const at = '2026-11-20T08:00:00.000Z';
const about = (postId: string, title: string) => ({
  ...{ postType: 'QUESTION', spaceId: space._id, spaceName: space.name, title, author },
  ...{ openReports: 1, weight: 2, assignee: null },
  queued: { postId, excerpt: '', reasons: [{ reason: 'Its spam', count: 1 }], lastReportedAt: at },
});
const queued = (postId: string, title: string, changes: object = {}) => {
  const { queued: own, ...shared } = about(postId, title);
  return {
    ...shared,
    ...own,
    firstReportedAt: at,
    lastDecision: null,
    decidedBy: null,
    decidedAt: null,
    ...changes,
  };
};
const shownCase = (postId: string, title: string, changes: object = {}) => {
  const { queued: _, ...shared } = about(postId, title);
  return {
    ...shared,
    ...{ _id: postId, questionId: postId, body: '<p>Buy this</p>', imageUrls: [], createdAt: at },
    ...{
      isSpaceArchived: false,
      isDeleted: false,
      isUpheld: false,
      removalId: null,
      revision: 1,
      reportsTotal: 1,
    },
    ...{ decisions: [], voteDays: [] },
    penaltyEffects: [
      { penalty: 'RULES', points: 0 },
      { penalty: 'NONE', points: 0 },
      { penalty: 'FULL', points: -200 },
    ],
    reports: [
      {
        ...{ reporterId: reporter?._id, reporter, reason: 'Its spam', at, outcome: 'OPEN' },
        ...{ upheldBefore: 3, dismissedBefore: 0 },
      },
    ],
    record: {
      ...{
        score: 10,
        questionsAsked: 4,
        questionsAnswered: 1,
        joinedAt: at,
        reportedPosts: 1,
        removedPosts: 0,
      },
      ...{ upheldReports: 0, dismissedReports: 0, blocks: [], decisions: [] },
      ...{ accountStatus: 'ACTIVE', isBlockable: true, blockScope: 'ACCOUNT' },
      ...{ isSuspendable: true, isWarnable: true, arePostsRemovable: true },
      ...{ suspendedUntil: null, warnings: 2 },
    },
    ...changes,
  };
};
const decision = {
  ...{ ordinal: 7, postId: 'p-1', decision: 'DISMISSED', reason: 'A real question', penalty: null, at },
  ...{ moderator: colleague, toModerator: null },
};
const dismissed = shownCase('p-1', 'First?', {
  revision: 2,
  openReports: 0,
  weight: null,
  decisions: [decision],
});

function open(address: string, answers: Answers = {}) {
  const api = fakeApi({
    getStudent: () => newStudent({ _id: me._id, roles: [{ role: 'MODERATOR', space: null }] }),
    getSpaces: () => [space],
    getModerationQueue: () => ({
      docs: [queued('p-1', 'First?'), queued('p-2', 'Second?')],
      next: null,
      totalOpen: 2,
    }),
    getModerationCase: ({ postId }) => shownCase(String(postId), postId === 'p-1' ? 'First?' : 'Second?'),
    ...answers,
  });
  renderApp(address, { user: me });
  return { api, user: userEvent.setup() };
}
const caseOf = (name: string) => screen.findByRole('heading', { name, level: 2 });

describe('reported posts', () => {
  it('are navigated by keyboard, with the section highlighted', async () => {
    const { user } = open('/moderation');
    const queue = await screen.findByRole('complementary', { name: 'Queue' });
    await within(queue).findByRole('link', { name: /First\?/ });
    await user.keyboard('j');
    await caseOf('First?');
    await user.keyboard('j');
    await caseOf('Second?');
    expect(screen.getByRole('link', { name: 'Reported posts' })).toHaveAttribute('aria-current', 'page');
    expect(screen.getByRole('link', { name: 'Vote patterns' })).not.toHaveAttribute('aria-current');
    await user.keyboard('k');
    await caseOf('First?');
  });

  it('appear in the queue once, even if one moves down between two pages', async () => {
    const { user } = open('/moderation', {
      getModerationQueue: ({ after }) =>
        after === 'p-2'
          ? { docs: [queued('p-2', 'Second?'), queued('p-3', 'Third?')], next: null, totalOpen: 3 }
          : { docs: [queued('p-1', 'First?'), queued('p-2', 'Second?')], next: 'p-2', totalOpen: 3 },
    });
    const queue = within(await screen.findByRole('complementary', { name: 'Queue' }));
    await user.click(await queue.findByRole('button', { name: 'Show more' }));
    expect(await queue.findByRole('link', { name: /Third\?/ })).toBeVisible();
    expect(queue.getAllByRole('link', { name: /Second\?/ })).toHaveLength(1);
  });

  it('name erased people, without a link', async () => {
    const erased = newAuthor({ userName: '' });
    const [report] = dismissed.reports;
    const shown = {
      ...dismissed,
      ...{ author: erased, assignee: erased, reports: [{ ...report, reporter: erased }] },
      decisions: [{ ...decision, moderator: erased }],
    };
    open('/moderation/p-1', {
      getModerationQueue: () => ({
        docs: [queued('p-1', 'First?', { assignee: erased })],
        next: null,
        totalOpen: 1,
      }),
      getModerationCase: () => shown,
    });
    expect(await screen.findAllByText('Assigned to Deleted student')).toHaveLength(2);
    expect(screen.getAllByText('Deleted student')).toHaveLength(2);
    expect(screen.getByText('Deleted student dismissed the reports.', { exact: false })).toBeVisible();
    expect(screen.queryByRole('link', { name: 'Deleted student' })).toBeNull();
  });

  it('are shown in the direction of their own first letter', async () => {
    open('/moderation', {
      getModerationQueue: () => ({
        docs: [queued('p-1', 'ما هو HTML؟', { excerpt: 'اشتر هذا' })],
        next: null,
        totalOpen: 1,
      }),
    });
    const queue = within(await screen.findByRole('complementary', { name: 'Queue' }));
    for (const text of ['ما هو HTML؟', 'اشتر هذا'])
      expect(await queue.findByText(text)).toHaveAttribute('dir', 'auto');
  });

  it('show the formulas of a post, and keep its other dollar signs', async () => {
    open('/moderation', {
      getModerationQueue: () => ({
        docs: [queued('p-1', 'First?', { excerpt: 'So \u2063$x^2$\u2063 or $\u2060y_1$\u2060' })],
        next: null,
        totalOpen: 1,
      }),
    });
    const queue = await screen.findByRole('complementary', { name: 'Queue' });
    const item = await within(queue).findByRole('link', { name: /First\?/ });
    expect(item.textContent).toContain('or $y_1$');
    expect([...item.querySelectorAll('[data-source]')].map((it) => it.getAttribute('data-source'))).toEqual([
      'x^2',
    ]);
  });

  it('keep up with fast keys, and scroll the selection into view', async () => {
    const scroll = jest.spyOn(Element.prototype, 'scrollIntoView');
    const { user } = open('/moderation');
    const queue = await screen.findByRole('complementary', { name: 'Queue' });
    const second = await within(queue).findByRole('link', { name: /Second\?/ });
    await user.keyboard('jj');
    await caseOf('Second?');
    expect(scroll.mock.contexts.at(-1)).toBe(second);
    scroll.mockRestore();
  });

  it('keep the list while several cases are opened', async () => {
    const { user } = open('/moderation');
    await user.click(await screen.findByRole('radio', { name: 'Decided' }));
    await user.click(await screen.findByRole('link', { name: /Second\?/ }));
    await caseOf('Second?');
    expect(screen.getByRole('radio', { name: 'Decided' })).toBeChecked();
  });

  const pages = ({ state, after }: Record<string, unknown>) => {
    if (state === 'DECIDED') return { docs: [queued('p-9', 'Decided?')], next: null, totalOpen: 3 };
    return after == null
      ? { docs: [queued('p-1', 'First?'), queued('p-2', 'Second?')], next: 'more', totalOpen: 3 }
      : { docs: [queued('p-3', 'Third?')], next: null, totalOpen: 3 };
  };
  const links = async () => within(await screen.findByRole('complementary', { name: 'Queue' }));

  it('keep their number when the queue is refetched', async () => {
    const { api, user } = open('/moderation', { getModerationQueue: pages });
    await user.click(await screen.findByRole('button', { name: 'Show more' }));
    await (await links()).findByRole('link', { name: /Third\?/ });
    act(() => api.live.announce('ModerationChanged', { moderationChanged: { postId: 'p-1' } }));
    await waitFor(() => expect(api.calls('ModerationQueue')).toHaveLength(4));
    expect((await links()).getAllByRole('link')).toHaveLength(3);
  });

  it('of one list do not appear in another selected meanwhile', async () => {
    let answer = () => {};
    const isAnswered = new Promise<void>((resolve) => (answer = resolve));
    const { user } = open('/moderation', {
      getModerationQueue: async (args) => {
        if (args['after'] === 'more') await isAnswered;
        return pages(args);
      },
    });
    await user.click(await screen.findByRole('button', { name: 'Show more' }));
    await user.click(screen.getByRole('radio', { name: 'Decided' }));
    await (await links()).findByRole('link', { name: /Decided\?/ });
    await act(async () => answer());
    expect((await links()).getAllByRole('link')).toHaveLength(1);
    await user.click(screen.getByRole('radio', { name: /^Open/ }));
    await (await links()).findByRole('link', { name: /Third\?/ });
    expect((await links()).queryByRole('link', { name: /Decided\?/ })).toBeNull();
  });

  it('are upheld by keyboard, with a reason and the case as shown, and the next one opens', async () => {
    const { api, user } = open('/moderation/p-1', {
      upholdReports: () => shownCase('p-1', 'First?', { revision: 2, openReports: 0, isUpheld: true }),
    });
    await caseOf('First?');
    await user.keyboard('u');
    const dialog = await screen.findByRole('dialog', { name: 'Remove this post?' });
    await user.click(within(dialog).getByRole('button', { name: 'Uphold and remove' }));
    expect(within(dialog).getByText('Please give a reason.')).toBeVisible();
    expect(api.calls('UpholdReports')).toEqual([]);
    await user.type(within(dialog).getByRole('textbox', { name: /Reason/ }), 'Selling');
    const rules = await within(dialog).findByRole('radio', { name: 'As the scoring rules say (0)' });
    expect(rules).toBeChecked();
    await user.click(within(dialog).getByRole('radio', { name: 'Penalty for reports (−200)' }));
    await user.click(within(dialog).getByRole('button', { name: 'Uphold and remove' }));
    await caseOf('Second?');
    expect(api.calls('UpholdReports')[0]?.variables).toEqual({
      postId: 'p-1',
      reason: 'Selling',
      penalty: 'FULL',
      seen: { revision: 1, openReports: 1 },
    });
  });

  it('lead to a warning of the author by keyboard, which says what the author reads', async () => {
    const { api, user } = open('/moderation/p-1', { warnMember: () => ({ flag: 1 }) });
    await caseOf('First?');
    const record = within(screen.getByRole('region', { name: 'Author’s record' }));
    const warnings = () => record.getByText('Warnings').nextElementSibling?.textContent;
    expect(warnings()).toBe('2');
    await user.keyboard('w');
    const dialog = within(await screen.findByRole('dialog', { name: 'Warn arno in this space?' }));
    expect(
      dialog.getByText(/arno reads your text in the notifications, .* a link to the post/),
    ).toBeVisible();
    await user.click(dialog.getByRole('button', { name: 'Warn' }));
    expect(dialog.getByText('Please write a warning.')).toBeVisible();
    await user.type(dialog.getByRole('textbox', { name: 'Warning' }), 'No adverts');
    const shown = shownCase('p-1', 'First?');
    api.change({ getModerationCase: () => ({ ...shown, record: { ...shown.record, warnings: 3 } }) });
    await user.click(dialog.getByRole('button', { name: 'Warn' }));
    expect(await screen.findByText('arno was warned.')).toBeVisible();
    await waitFor(() => expect(warnings()).toBe('3'));
    const about = { studentId: author?._id, space: space._id, postId: 'p-1' };
    expect(api.calls('WarnMember')[0]?.variables).toEqual({ ...about, text: 'No adverts' });
  });

  it('show immediately what a colleague has decided', async () => {
    const { api } = open('/moderation/p-1');
    await caseOf('First?');
    api.change({ getModerationCase: () => dismissed });
    act(() => api.live.announce('ModerationChanged', { moderationChanged: { postId: 'p-1' } }));
    const notice = await screen.findByText(/cora dismissed the reports\./, { selector: '[role=status] *' });
    expect(notice).toHaveTextContent('A real question');
    expect(screen.queryByRole('button', { name: 'Uphold and remove' })).toBeNull();
  });

  it('are decided once: a second moderator gets a notice, and the dialog closes', async () => {
    const { api, user } = open('/moderation/p-1', {
      dismissReports: () => {
        throw apiError('cora already decided this case.', 'CONFLICT', undefined, 'CASE_ALREADY_DECIDED');
      },
    });
    await caseOf('First?');
    await user.keyboard('d');
    const dialog = await screen.findByRole('dialog', { name: 'Dismiss these reports?' });
    await user.type(within(dialog).getByRole('textbox', { name: /Reason/ }), 'Fine');
    api.change({ getModerationCase: () => dismissed });
    await user.click(within(dialog).getByRole('button', { name: 'Dismiss' }));
    expect(
      await screen.findByText(
        'This case has changed, so your decision was not saved. Review it and try again.',
      ),
    ).toBeVisible();
    expect(
      await screen.findByText(/cora dismissed the reports\./, { selector: '[role=status] *' }),
    ).toBeVisible();
    expect(screen.queryByRole('dialog')).toBeNull();
  });

  it('keep the typed reason if a report arrives meanwhile', async () => {
    let sent = 0;
    const { api, user } = open('/moderation/p-1', {
      dismissReports: () => {
        sent += 1;
        if (sent === 1) throw apiError('The reports have changed.', 'CONFLICT', undefined, 'CASE_CHANGED');
        return dismissed;
      },
    });
    await caseOf('First?');
    await user.keyboard('d');
    const dialog = within(await screen.findByRole('dialog', { name: 'Dismiss these reports?' }));
    await user.type(dialog.getByRole('textbox', { name: /Reason/ }), 'Fine');
    const reportedAgain = shownCase('p-1', 'First?', { openReports: 2, reportsTotal: 2 });
    api.change({ getModerationCase: () => reportedAgain });
    await user.click(dialog.getByRole('button', { name: 'Dismiss' }));
    expect(await screen.findByText(/^This case has changed, so your decision was not saved\./)).toBeVisible();
    expect(await screen.findByText('1 new report has come in.')).toBeVisible();
    expect(screen.queryByRole('dialog')).toBeNull();
    await user.keyboard('d');
    const again = within(await screen.findByRole('dialog', { name: 'Dismiss these reports?' }));
    expect(again.getByRole('textbox', { name: /Reason/ })).toHaveValue('Fine');
    await user.click(again.getByRole('button', { name: 'Dismiss' }));
    expect(await screen.findByText('Reports dismissed')).toBeVisible();
    expect(api.calls('DismissReports').map(({ variables }) => variables['seen'])).toEqual([
      { revision: 1, openReports: 1 },
      { revision: 1, openReports: 2 },
    ]);
  });

  it('keep the dialog and say why, if another rule refuses a decision', async () => {
    const { user } = open('/moderation/p-1', {
      blockStudent: () => {
        throw apiError('This space is archived.', 'CONFLICT', undefined, 'SPACE_ARCHIVED');
      },
    });
    await caseOf('First?');
    await user.keyboard('b');
    const dialog = within(await screen.findByRole('dialog'));
    await user.type(dialog.getByRole('textbox', { name: /Reason/ }), 'Spam');
    await user.click(dialog.getByRole('button', { name: 'Block author' }));
    expect(await screen.findByText(/^This space is archived\./)).toBeVisible();
    expect(screen.queryByText(/^This case has changed/)).toBeNull();
    expect(dialog.getByRole('textbox', { name: /Reason/ })).toHaveValue('Spam');
  });

  it('say that the space is archived', async () => {
    open('/moderation/p-1', {
      getModerationCase: () => shownCase('p-1', 'First?', { isSpaceArchived: true }),
    });
    expect(await screen.findByText(/^This space is archived\./)).toBeVisible();
  });

  it('offer to change the suspension of the author', async () => {
    const { record, ...shown } = shownCase('p-1', 'First?');
    const suspended = { ...record, accountStatus: 'BLOCKED', blockScope: 'SPACE' };
    const { api, user } = open('/moderation/p-1', {
      getModerationCase: () => ({ ...shown, record: suspended }),
      suspendMember: () => null,
    });
    await user.click(await screen.findByRole('button', { name: 'Change suspension' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Change the suspension of arno?' }));
    await user.type(dialog.getByRole('textbox', { name: /Reason/ }), 'Insults');
    await user.click(dialog.getByRole('button', { name: 'Change suspension' }));
    await waitFor(() => expect(api.calls('SuspendMember')).toHaveLength(1));
  });

  it('say that a removal of all posts decided them, without reports too', async () => {
    open('/moderation/p-1', {
      getModerationCase: () =>
        shownCase('p-1', 'First?', {
          ...{ isUpheld: true, removalId: 'r-1', openReports: 0, reports: [], reportsTotal: 0 },
          decisions: [{ ...decision, decision: 'UPHELD' }],
        }),
    });
    expect(await screen.findByText(/Removed together with all posts/)).toBeVisible();
    expect(screen.getByRole('link', { name: 'Show the removal' })).toHaveAttribute(
      'href',
      '/moderation/removals/r-1',
    );
    expect(screen.getByText(/removed the post\./)).toBeVisible();
    expect(screen.queryByRole('heading', { name: 'Reports' })).toBeNull();
    expect(screen.getByRole('button', { name: 'Reverse' })).toBeVisible();
    expect(screen.getByRole('button', { name: 'Remove all posts' })).toBeVisible();
  });

  it('take one line for many posts of the author removed for one reason', async () => {
    const shown = shownCase('p-1', 'First?');
    const removed = (ordinal: number) => ({
      ...{ ...decision, ordinal, postId: `p-${ordinal}`, decision: 'UPHELD', reason: 'All spam' },
    });
    const decisions = [removed(30), removed(29), removed(28), { ...decision, postId: 'p-9' }];
    open('/moderation/p-1', {
      getModerationCase: () => ({ ...shown, record: { ...shown.record, decisions } }),
    });
    const lines = (await screen.findAllByText('All spam')).map((reason) => reason.closest('li'));
    expect(lines.map((line) => line?.textContent)).toEqual([
      expect.stringMatching(/^cora removed the post\. .+ and 2 more posts for the same reason/),
    ]);
    expect(screen.getByText(/cora dismissed the reports\./)).toBeVisible();
  });

  it('link to the history of their votes and to the patterns of the space', async () => {
    open('/moderation/p-1');
    await caseOf('First?');
    const votes = within(screen.getByRole('region', { name: 'Votes over time' }));
    expect(votes.getByRole('link', { name: 'Post history' })).toHaveAttribute(
      'href',
      '/audit?view=post&of=p-1',
    );
    expect(votes.getByRole('link', { name: 'Vote patterns in this space' })).toHaveAttribute(
      'href',
      `/moderation/patterns?space=${space._id}`,
    );
  });
});
