import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { v4 as uuid } from 'uuid';
import '../../../app/area-routes';
import '../../../features/areas/require-area';
import { apiError, fakeApi, type Answers } from '../../../testing/fake-api';
import { newAuthUser, newSpace, newStudent } from '../../../testing/fixtures';
import { renderApp } from '../../../testing/render-app';
import './event-screen';
import './audit-screen';

const me = newAuthUser();
const space = newSpace({ name: 'Greenfield High' });
const person = (userName: string, changes: object = {}) => ({
  ...{ _id: uuid(), userName, firstName: '', lastName: '', realProfilePicUrl: null },
  ...{ isErased: false, isStandIn: false, ...changes },
});
const [ben, ada] = [person('ben_okafor'), person('ada_l')];
const post = { _id: uuid(), postType: 'QUESTION', questionId: uuid(), title: 'Why is the sky blue?' };
const moved = (side: string, merit: number, impact = 0) => ({
  ...{ side, kind: side === 'VOTER' ? 'UPVOTE_CAST' : 'QUESTION_UPVOTED', merit, impact, rulesVersion: 2 },
});
const line = (changes: object = {}) => ({
  ...{
    ordinal: 4711,
    line: 0,
    lines: 1,
    kind: 'VoteCast',
    class: 'VOTE',
    eventId: uuid(),
    commandId: uuid(),
  },
  ...{ occurredAt: '2026-11-20T08:00:00.000Z', recordedAt: '2026-11-20T08:00:00.000Z' },
  ...{
    actorKind: 'student',
    actor: ben,
    operator: null,
    voter: ben,
    receiver: ada,
    space,
    post,
    direction: 'UP',
    isSwitch: false,
  },
  ...{
    reason: null,
    round: null,
    caseId: null,
    about: null,
    points: [moved('RECEIVER', 50), moved('VOTER', 0, 1)],
  },
  ...changes,
});
const page = (nodes: object[], endCursor: string | null = null) => ({
  nodes,
  pageInfo: { endCursor, hasNextPage: endCursor !== null },
});

function open(
  address: string,
  answers: Answers = {},
  roles: object[] = [{ role: 'MODERATOR', space: null }],
) {
  const api = fakeApi({
    getStudent: () => newStudent({ _id: me._id, roles }),
    getSpaces: () => [space],
    getAuditEntries: () => page([line()]),
    ...answers,
  });
  return { api, user: userEvent.setup(), ...renderApp(address, { user: me }) };
}
const rows = async () =>
  within(await screen.findByRole('table'))
    .getAllByRole('row')
    .slice(1);

afterEach(() => void jest.restoreAllMocks());

describe('the audit', () => {
  it('shows actor, action, post, time, points, rules and event number', async () => {
    open('/audit');
    expect(await screen.findByRole('heading', { name: 'Audit log' })).toBeVisible();
    const [row] = await rows();
    expect(row).toHaveTextContent(
      /Nov 20, 2026.*ben_okafor.*Upvote.*Why is the sky blue\?.*ada_l.*v2.*4,711/,
    );
    const cells = within(row as HTMLElement);
    expect(cells.getByRole('img', { name: 'Merit +50' })).toBeVisible();
    expect(cells.getByRole('img', { name: 'Impact +1' })).toBeVisible();
    expect(cells.getByRole('link', { name: 'Event 4711' })).toHaveAttribute('href', '/audit/4711');
    expect(cells.getByRole('link', { name: 'ada_l' })).toHaveAttribute(
      'href',
      `/audit?view=receiver&of=${ada._id}`,
    );
  });

  it('shows an investigation with its number of votes and the points of all of them', async () => {
    const points = [
      { ...moved('RECEIVER', -250), kind: 'QUESTION_UPVOTED' },
      { ...moved('RECEIVER', 30), kind: 'ANSWER_DOWNVOTED', rulesVersion: 3 },
      moved('VOTER', 0, -23),
    ];
    const act = { kind: 'VotesInvalidated', class: 'ACT', lines: 23, caseId: uuid(), points };
    open('/audit?view=actions', { getAuditEntries: () => page([line(act)]) });
    const [row] = await rows();
    expect(row).toHaveTextContent(/23 votes.*v2, v3/);
    const cells = within(row as HTMLElement);
    expect(cells.getByRole('img', { name: 'Merit −220' })).toBeVisible();
    expect(cells.getByRole('img', { name: 'Impact −23' })).toBeVisible();
    expect(cells.getAllByRole('img')).toHaveLength(2);
  });

  it('adds up the filtered list on request, and again for another filter', async () => {
    const sums = { receiverMerit: -220, receiverImpact: 0, voterMerit: 0, voterImpact: -23 };
    const { api, user } = open('/audit?view=acts', {
      getAuditTotals: () => ({ lines: 1, entries: 23, ...sums, isComplete: false }),
    });
    await user.click(await screen.findByRole('button', { name: 'Add up' }));
    const shown = await screen.findByText('1 entry');
    const status = within(shown.closest<HTMLElement>('[role=status]') as HTMLElement);
    expect(status.getByText('23 with each vote counted')).toBeVisible();
    expect(status.getByRole('img', { name: 'Merit −220' })).toBeVisible();
    expect(status.getByRole('img', { name: 'Impact −23' })).toBeVisible();
    expect(status.getByText(/^Newest entries only\./)).toBeVisible();
    expect(api.calls('AuditTotals')[0]?.variables).toEqual(
      expect.objectContaining({ filter: expect.objectContaining({ actionsOnly: true }) }),
    );
    await user.click(screen.getByRole('radio', { name: 'Space' }));
    expect(await screen.findByRole('button', { name: 'Add up' })).toBeVisible();
  });

  it('shows a switched vote as one entry, an import with its own time, and deleted accounts without a name', async () => {
    open('/audit', {
      getAuditEntries: () =>
        page([
          line({ direction: 'DOWN', isSwitch: true, points: [moved('RECEIVER', 0)] }),
          line({ line: 1, kind: 'VoteWithdrawn', isSwitch: true }),
          line({
            line: 2,
            actorKind: 'import',
            actor: person('', { isStandIn: true }),
            recordedAt: '2026-11-21T08:00:00.000Z',
          }),
          line({ line: 3, actor: person('', { isErased: true }) }),
          line({
            line: 4,
            kind: 'VotesInvalidated',
            class: 'ACT',
            caseId: uuid(),
            lines: 12,
            reason: 'A ring',
          }),
          line({
            line: 5,
            kind: 'ScoringRulesPublished',
            class: 'ACT',
            direction: null,
            actor: null,
            actorKind: 'operator',
            operator: 'ada_ops',
            post: null,
            receiver: null,
            voter: null,
            about: '2: Kinder',
            points: [],
          }),
        ]),
    });
    const texts = (await rows()).map(({ textContent }) => textContent);
    expect(texts).toEqual([
      expect.stringContaining('Changed to downvote'),
      expect.stringContaining('Upvote removed (changed to downvote)'),
      expect.stringMatching(/recorded Nov 21.*Unknown voter \(import\)Import of Greenfield High/),
      expect.stringContaining('Deleted student'),
      expect.stringMatching(/Votes invalidated: UpvoteA ring.*vote by ben_okafor12 votes/),
      expect.stringMatching(/Command lineada_opsScoring rules published2: Kinder/),
    ]);
  });

  it('words invitations, roles and verifications instead of showing codes of the API', async () => {
    const action = { class: 'ACT', direction: null, post: null, voter: null, receiver: null, points: [] };
    open('/audit', {
      getAuditEntries: () =>
        page([
          line({ ...action, kind: 'InvitationMade', about: 'CODE' }),
          line({ ...action, line: 1, kind: 'InvitationMade', about: 'greenfield.example' }),
          line({ ...action, line: 2, kind: 'RoleGranted', about: 'MODERATOR' }),
          line({
            ...action,
            line: 3,
            kind: 'ProjectionVerificationFinished',
            about: 'leaderboard: DIFFERENT',
          }),
        ]),
    });
    const texts = (await rows()).map(({ textContent }) => textContent);
    expect(texts).toEqual([
      expect.stringContaining('Class code'),
      expect.stringContaining('greenfield.example'),
      expect.stringContaining('Moderator'),
      expect.stringContaining('leaderboard: Differs from the event log'),
    ]);
    expect(texts.join()).not.toMatch(/CODE|MODERATOR|DIFFERENT/);
  });

  it('names an import after its community', async () => {
    const itself = {
      actorKind: 'import',
      actor: person(''),
      operator: 'ada_ops',
      class: 'ACT',
      kind: 'SpaceCreated',
    };
    const entry = line({ ...itself, direction: null, points: [], post: null, voter: null, receiver: null });
    const past = { ...entry, line: 1, space: null };
    const { unmount } = open('/audit', { getAuditEntries: () => page([entry, past]) });
    const texts = (await rows()).map(({ textContent }) => textContent);
    expect(texts).toEqual([
      expect.stringContaining('Import of Greenfield Highada_opsSpace created'),
      expect.stringContaining('Importada_opsSpace created'),
    ]);
    expect(screen.queryByText('No name')).toBeNull();
    unmount();
    open('/audit/4711', {
      getAuditEntry: () => ({
        ...{
          entry,
          streamId: 'space-1',
          revision: 0,
          schemaVersion: 1,
          correlationId: 'x',
          causationId: 'y',
        },
        data: [],
      }),
    });
    expect(await screen.findByText('Import of Greenfield High · ada_ops')).toBeVisible();
  });

  it('loads older entries at the end of the list', async () => {
    const { api, user } = open('/audit', {
      getAuditEntries: ({ after }) =>
        after === null
          ? page([line()], 'next')
          : page([line({ ordinal: 12, kind: 'PostReported', direction: null })]),
    });
    await user.click(await screen.findByRole('button', { name: 'Load older' }));
    expect(await screen.findByText('End of list: 2 entries')).toBeVisible();
    expect(await rows()).toHaveLength(2);
    expect(api.calls('AuditEntries').map(({ variables }) => variables['after'])).toEqual([null, 'next']);
  });

  it('keeps the filters in the URL, and loads by it', async () => {
    const { api, user, address } = open(
      `/audit?kinds=PostReported,Nonsense&fromOrdinal=5&space=${space._id}`,
    );
    await rows();
    expect(api.calls('AuditEntries').at(-1)?.variables['filter']).toEqual({
      space: space._id,
      kinds: ['PostReported'],
      fromOrdinal: 5,
    });
    fireEvent.change(screen.getByLabelText('From'), { target: { value: '2026-11-20T08:05' } });
    const from = new Date('2026-11-20T08:05').toISOString();
    await waitFor(() =>
      expect(new URLSearchParams(address().split('?')[1]).get('from')).toBe(`${from.slice(0, 16)}Z`),
    );
    expect(api.calls('AuditEntries').at(-1)?.variables['filter']).toMatchObject({ from });
    await user.click(await screen.findByRole('button', { name: 'Clear filters' }));
    await waitFor(() => expect(address()).toBe(`/audit?space=${space._id}`));
  });

  it('filters any history by voter, author, post and minutes, and exports the result', async () => {
    const minutes = 'from=2026-11-20T08:05Z&until=2026-11-20T08:06Z';
    const { api, user, address } = open(
      `/audit?view=post&of=${post._id}&voter=${ben._id}&author=${ada._id}&${minutes}`,
      { searchUsers: () => ({ hits: [ada] }) },
    );
    const filter = () => api.calls('AuditEntries').at(-1)?.variables['filter'];
    await rows();
    expect(filter()).toEqual({
      post: post._id,
      voter: ben._id,
      receiver: ada._id,
      from: '2026-11-20T08:05:00.000Z',
      // The last minute is included.
      until: '2026-11-20T08:07:00.000Z',
    });
    const voter = screen.getByRole('textbox', { name: 'Voter' });
    expect(voter).toHaveValue('ben_okafor');
    await user.clear(voter);
    await user.type(voter, 'Ada_L{Enter}');
    await waitFor(() => expect(address()).toContain(`voter=${ada._id}`));
    await user.click(screen.getByRole('button', { name: 'Clear filter: Author' }));
    await waitFor(() => expect(filter()).not.toHaveProperty('receiver'));
    expect(filter()).toMatchObject({ voter: ada._id, post: post._id });
    expect(await screen.findByRole('link', { name: 'Review these votes' })).toHaveAttribute(
      'href',
      `/moderation/votes?space=${space._id}&post=${post._id}`,
    );
  });

  it('links each entry to its votes if the reader may review them', async () => {
    const others = newSpace();
    const caseId = uuid();
    const nobody = { voter: null, receiver: null, post: null };
    const lines = [
      line(),
      line({ line: 1, kind: 'PostReported', class: 'REPORT' }),
      line({ line: 2, voter: person('', { isStandIn: true }) }),
      line({ line: 3, voter: null, post: { ...post, _id: uuid(), postType: 'COMMENT' } }),
      line({ line: 4, ordinal: 5, space: others }),
      line({ line: 5, ordinal: 6, space: null }),
      line({ line: 6, ordinal: 7, voter: null, receiver: null, post: null }),
      line({ ordinal: 8, kind: 'InvalidationProposed', class: 'ACT', ...nobody, caseId }),
    ];
    open('/audit', { getAuditEntries: () => page(lines) }, [{ role: 'MODERATOR', space: space._id }]);
    const reviewLink = (link: HTMLElement) =>
      new URL(link.getAttribute('href') ?? '', 'http://x').searchParams;
    await rows();
    const links = await screen.findAllByRole('link', { name: 'Review the votes of event 4711' });
    expect(links.map((link) => Object.fromEntries(reviewLink(link)))).toEqual([
      { space: space._id, voter: ben._id, author: ada._id, post: post._id },
      { space: space._id, author: ada._id, post: post._id },
      { space: space._id, author: ada._id, post: post._id },
      { space: space._id, author: ada._id },
    ]);
    expect(screen.getByRole('link', { name: 'Review the votes of event 8' })).toHaveAttribute(
      'href',
      `/moderation/cases/${caseId}`,
    );
    expect(screen.getAllByRole('link', { name: /^Review the votes/ })).toHaveLength(links.length + 1);
  });

  it('shows one person by username, and one post by URL', async () => {
    const { api, user, address } = open('/audit', {
      // The search also returns similar names.
      searchUsers: ({ search }) => ({
        hits: search === 'ben_okafor' ? [{ ...ada }, { ...ben }] : [{ ...ada }],
      }),
    });
    await user.click(await screen.findByRole('radio', { name: 'Voter' }));
    expect(await screen.findByRole('heading', { name: 'What do you want to see?' })).toBeVisible();
    const field = screen.getByRole('textbox', { name: 'Person' });
    await user.type(field, 'nobody{Enter}');
    expect(await screen.findByText('No user with that name.')).toBeVisible();
    await user.clear(field);
    await user.type(field, 'ben_okafor{Enter}');
    await waitFor(() => expect(address()).toBe(`/audit?view=voter&of=${ben._id}`));
    const reviewLink = await screen.findByRole('link', { name: 'Review these votes' });
    expect(reviewLink.getAttribute('href')).toMatch(
      new RegExp(`/moderation/votes\\?space=.+&voter=${ben._id}$`),
    );
    await waitFor(() =>
      expect(api.calls('AuditEntries').at(-1)?.variables['filter']).toEqual({ voter: ben._id }),
    );
    expect(await screen.findByRole('link', { name: 'How this score adds up' })).toHaveAttribute(
      'href',
      `/leaderboard/score?student=${ben._id}&space=${space._id}`,
    );
    await user.click(screen.getByRole('radio', { name: 'Post' }));
    await user.type(
      await screen.findByRole('textbox', { name: 'Post' }),
      `http://x/question/${post._id}{Enter}`,
    );
    await waitFor(() => expect(address()).toBe(`/audit?view=post&of=${post._id}`));
  });

  it('offers kinds for staff actions only, and shows an empty result', async () => {
    const { api, user } = open('/audit?view=acts&kinds=RoleGranted', { getAuditEntries: () => page([]) });
    expect(await screen.findByRole('heading', { name: 'No matching entries' })).toBeVisible();
    expect(api.calls('AuditEntries').at(-1)?.variables['filter']).toEqual({
      actionsOnly: true,
      kinds: ['RoleGranted'],
    });
    await user.click(screen.getByRole('button', { name: 'Show all entries' }));
    expect(await screen.findByRole('heading', { name: 'No entries yet' })).toBeVisible();
  });

  it('shows in a separate view what staff viewed', async () => {
    const { api } = open('/audit?view=reads&kinds=VoteCast,ConfidentialDataRead', {
      getAuditEntries: () =>
        page([
          line({
            kind: 'ConfidentialDataRead',
            class: 'READ',
            direction: null,
            voter: null,
            about: 'REPORTERS',
            points: [],
          }),
          line({
            line: 1,
            kind: 'ConfidentialDataRead',
            class: 'READ',
            direction: null,
            ...{ voter: null, post: null, receiver: null, about: 'BACKUP', points: [] },
            ...{ actor: null, actorKind: 'operator', operator: 'ada_ops' },
          }),
        ]),
    });
    expect((await rows()).map(({ textContent }) => textContent)).toEqual([
      expect.stringMatching(/ben_okaforViewed reports and reportersWhy is the sky blue\?.*ada_l/),
      expect.stringMatching(/Command lineada_opsBacked up all data4,711/),
    ]);
    expect(api.calls('AuditEntries').at(-1)?.variables['filter']).toMatchObject({ readsOnly: true });
  });

  it('shows an error, and retries', async () => {
    const { api, user } = open('/audit', {
      getAuditEntries: () => {
        throw apiError('The database is away.', 'INTERNAL');
      },
    });
    expect(await screen.findByText('The database is away.')).toBeVisible();
    api.change({ getAuditEntries: () => page([line()]) });
    await user.click(screen.getByRole('button', { name: 'Try again' }));
    expect(await rows()).toHaveLength(1);
  });

  it('is hidden from students', async () => {
    open('/audit', {}, []);
    expect(await screen.findByRole('heading', { name: 'This page doesn’t exist' })).toBeVisible();
  });
});

describe('an export', () => {
  it('is requested with the token and the filters, and saved as a file', async () => {
    const { user } = open(`/audit?view=acts&space=${space._id}`);
    await rows();
    const answered = globalThis.fetch;
    const asked: [string, unknown][] = [];
    globalThis.fetch = (input, init) => {
      if (typeof input !== 'string' || !input.startsWith('/audit/')) return answered(input, init);
      asked.push([input, init?.headers]);
      const headers = { 'content-disposition': 'attachment; filename="nimo-audit-2026-11-21.csv"' };
      return Promise.resolve(new Response('ordinal\r\n', { headers }));
    };
    const saved: string[] = [];
    Object.assign(URL, { createObjectURL: () => 'blob:here', revokeObjectURL: () => undefined });
    jest.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
      saved.push(`${this.href} ${this.download}`);
    });
    await user.click(screen.getByRole('button', { name: 'Export CSV' }));
    await waitFor(() => expect(saved).toEqual(['blob:here nimo-audit-2026-11-21.csv']));
    expect(asked).toEqual([
      [
        `/audit/export.csv?space=${space._id}&actionsOnly=true`,
        { authorization: 'Bearer token-of-the-session' },
      ],
    ]);
    globalThis.fetch = () =>
      Promise.resolve(
        Response.json(
          { errors: [{ message: 'Not for you.', extensions: { code: 'FORBIDDEN' } }] },
          { status: 403 },
        ),
      );
    await user.click(screen.getByRole('button', { name: 'Export NDJSON' }));
    expect(await screen.findByText('Not for you.')).toBeVisible();
  });
});

describe('one event', () => {
  const act = (changes: object = {}) => ({
    ...{ entry: line(), streamId: `vote-${post._id}-${ben._id}`, revision: 3, schemaVersion: 1 },
    ...{ correlationId: 'the-correlation', causationId: 'the-cause' },
    data: [
      { name: 'voterId', value: ben._id, isErased: false, person: ben },
      { name: 'phone', value: null, isErased: true, person: null },
      { name: 'spaceId', value: null, isErased: false, person: null },
    ],
    ...changes,
  });

  it('is shown in full, with links to related entries', async () => {
    const { api } = open('/audit/4711', { getAuditEntry: () => act() });
    expect(await screen.findByRole('heading', { name: 'Event 4,711' })).toBeVisible();
    expect(await screen.findByText(`vote-${post._id}-${ben._id}`)).toBeVisible();
    expect(screen.getByText('the-correlation')).toBeVisible();
    expect(screen.getByRole('row', { name: /^phone erased$/ })).toBeVisible();
    expect(screen.getByRole('row', { name: /^spaceId none$/ })).toBeVisible();
    expect(screen.getByRole('link', { name: 'Open question' })).toHaveAttribute(
      'href',
      `/singleQuestion/${post.questionId}/home`,
    );
    await waitFor(() =>
      expect(api.calls('AuditEntries').at(-1)?.variables['filter']).toEqual({
        fromOrdinal: 4711,
        toOrdinal: 4711,
      }),
    );
  });

  it.each(['/audit/4711', '/audit/nonsense'])(
    'that the caller may not see is reported as not found: %s',
    async (address) => {
      open(address, { getAuditEntry: () => null });
      expect(await screen.findByRole('heading', { name: 'Event not found' })).toBeVisible();
    },
  );
});
