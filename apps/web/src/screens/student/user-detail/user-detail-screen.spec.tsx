import { describe, expect, it } from '@jest/globals';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { v4 as uuid } from 'uuid';
import { pageOf } from '../../../testing/ask-fixtures';
import { apiError, fakeApi, type Answers } from '../../../testing/fake-api';
import { newAuthUser, newSpace, newStudent } from '../../../testing/fixtures';
import { renderApp } from '../../../testing/render-app';
import './user-detail-screen';

const me = newAuthUser();
const space = newSpace();
const questionId = uuid();

function newDetail(changes: object = {}) {
  return {
    _id: uuid(),
    userName: 'meera_nair',
    firstName: 'Meera',
    lastName: 'Nair',
    realProfilePicUrl: null,
    profileDesc: 'Labs and lenses.',
    joinedAt: '2026-10-01T08:00:00.000Z',
    isMember: true,
    isRobot: false,
    reputations: 1200,
    commitments: 140,
    score: 1340,
    rank: 1,
    questionsAsked: 7,
    questionsAnswered: 9,
    answersAccepted: 4,
    accountStatus: null,
    blockScope: null,
    isBlockable: false,
    blockRefusal: null,
    isSuspendable: false,
    isWarnable: false,
    arePostsRemovable: false,
    suspendedUntil: null,
    ...changes,
  };
}

const post = {
  _id: uuid(),
  postType: 'ANSWER',
  title: 'Why is the sky blue?',
  excerpt: 'Scattering.',
  createdAt: '2026-11-20T08:00:00.000Z',
  upvoteCount: 2,
  isAccepted: true,
  question: { _id: questionId },
};

function openDetail(detail: ReturnType<typeof newDetail> | null, answers: Answers = {}) {
  const api = fakeApi({
    getStudentDetail: () => detail,
    getStudentPosts: () => pageOf([post]),
    getPaginatedLeaderboardScores: () => pageOf([]),
    getLeaderboardScores: () => ({ rank: null, scores: null }),
    ...answers,
  });
  const address = `/nimorisingstarsingle?id=${detail?._id ?? uuid()}`;
  return { api, user: userEvent.setup(), ...renderApp(address, { user: me, space }) };
}

describe('the student page', () => {
  it('shows the counters and the posts of the space', async () => {
    const detail = newDetail();
    const { api } = openDetail(detail);
    const card = within(await screen.findByRole('region', { name: 'meera_nair' }));
    const counts = card.getAllByRole('definition').map(({ textContent }) => textContent);
    expect(counts).toEqual(['1,200', '140', '1', '7', '9', '4']);
    expect(card.getByText('Labs and lenses.')).toBeVisible();
    const link = await screen.findByRole('link', { name: /Why is the sky blue\?/ });
    expect(link).toHaveAttribute('href', `/singleQuestion/${questionId}/home`);
    expect(link).toHaveTextContent('Accepted');
    expect(api.calls('UserDetail')[0]?.variables).toEqual({ studentId: detail._id, space: space._id });
  });

  it('says that a robot has no score', async () => {
    openDetail(newDetail({ isRobot: true }));
    const card = within(await screen.findByRole('region', { name: 'meera_nair' }));
    expect(card.getByText(/^A program posts with this account\./)).toBeVisible();
    expect(card.queryAllByRole('definition')).toEqual([]);
    expect(await screen.findByRole('link', { name: /Why is the sky blue\?/ })).toBeVisible();
  });

  it('has no block controls for students', async () => {
    openDetail(newDetail());
    await screen.findByRole('region', { name: 'meera_nair' });
    expect(screen.queryByText('Active')).not.toBeInTheDocument();
    expect(screen.queryByRole('button', { name: /Block/ })).not.toBeInTheDocument();
  });

  it('returns by /nimorisingstar to the leaderboard', async () => {
    const { user, address } = openDetail(newDetail());
    const back = await screen.findByRole('link', { name: 'Back to the leaderboard' });
    expect(back).toHaveAttribute('href', '/nimorisingstar');
    await user.click(back);
    await waitFor(() => expect(address()).toBe('/leaderboard'));
  });

  it.each([
    ['without a student', () => null],
    [
      'that is malformed',
      () => {
        throw apiError('studentId is not a valid id.', 'VALIDATION_FAILED', 'studentId');
      },
    ],
  ])('reports an ID %s', async (_, getStudentDetail) => {
    openDetail(null, { getStudentDetail });
    expect(await screen.findByRole('heading', { name: 'Student not found' })).toBeVisible();
    expect(screen.getByRole('link', { name: 'Go to the leaderboard' })).toBeVisible();
  });
});

describe('a moderator', () => {
  it('blocks with a reason, and unblocks', async () => {
    const detail = newDetail({ accountStatus: 'ACTIVE', blockScope: 'ACCOUNT', isBlockable: true });
    const { api, user } = openDetail(detail, {
      blockStudent: () => ({ ...detail, accountStatus: 'BLOCKED' }),
      unblockStudent: () => detail,
    });
    expect(await screen.findByText('Active')).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Block User' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Block meera_nair?' }));
    await user.click(dialog.getByRole('button', { name: 'Block User' }));
    expect(dialog.getByText('Please give a reason.')).toBeInTheDocument();
    await user.type(dialog.getByRole('textbox', { name: 'Reason' }), 'Spam');
    await user.click(dialog.getByRole('button', { name: 'Block User' }));
    expect(await screen.findByText('Blocked')).toBeVisible();
    expect(await screen.findByText('Student blocked.')).toBeVisible();
    expect(api.calls('BlockStudent')[0]?.variables).toEqual({
      studentId: detail._id,
      space: space._id,
      reason: 'Spam',
    });
    await user.click(screen.getByRole('button', { name: 'Unblock User' }));
    const unblocking = within(await screen.findByRole('dialog', { name: 'Unblock meera_nair?' }));
    await user.type(unblocking.getByRole('textbox', { name: 'Reason (optional)' }), 'A mistake');
    await user.click(unblocking.getByRole('button', { name: 'Unblock User' }));
    expect(await screen.findByText('Active')).toBeVisible();
    expect(await screen.findByText('Student unblocked.')).toBeVisible();
    expect(api.calls('UnblockStudent')[0]?.variables).toMatchObject({ reason: 'A mistake' });
  });

  it('may unblock without a reason', async () => {
    const detail = newDetail({ accountStatus: 'BLOCKED', blockScope: 'ACCOUNT', isBlockable: true });
    const { user } = openDetail(detail, { unblockStudent: () => ({ ...detail, accountStatus: 'ACTIVE' }) });
    await user.click(await screen.findByRole('button', { name: 'Unblock User' }));
    const unblocking = within(await screen.findByRole('dialog', { name: 'Unblock meera_nair?' }));
    await user.click(unblocking.getByRole('button', { name: 'Unblock User' }));
    expect(await screen.findByText('Active')).toBeVisible();
  });

  it('of this space only suspends in it, for some days or until lifted', async () => {
    const active = { accountStatus: 'ACTIVE', blockScope: 'SPACE', isBlockable: true, isSuspendable: true };
    const detail = newDetail(active);
    const until = '2026-12-06T08:00:01.000Z';
    const { user, api } = openDetail(detail, {
      suspendMember: () => ({
        ...detail,
        ...{ accountStatus: 'BLOCKED', suspendedUntil: until },
      }),
      unblockStudent: () => detail,
    });
    await user.click(await screen.findByRole('button', { name: 'Suspend' }));
    expect(screen.queryByRole('button', { name: 'Block User' })).not.toBeInTheDocument();
    const dialog = within(await screen.findByRole('dialog', { name: 'Suspend meera_nair in this space?' }));
    expect(dialog.getByText(/Other spaces are not affected/)).toBeVisible();
    await user.click(dialog.getByRole('combobox', { name: 'How long' }));
    await user.click(await screen.findByRole('option', { name: '7 days' }));
    const before = Date.now();
    await user.type(dialog.getByRole('textbox', { name: 'Reason' }), 'Spam');
    await user.click(dialog.getByRole('button', { name: 'Suspend' }));
    expect(await screen.findByText('Suspended here')).toBeVisible();
    expect(screen.getByText(/:00:01/)).toHaveAttribute('datetime', until);
    const { until: asked, ...sent } = api.calls('SuspendMember')[0]?.variables ?? {};
    expect(sent).toEqual({ studentId: detail._id, space: expect.any(String), reason: 'Spam' });
    expect(Date.parse(String(asked))).toBeGreaterThanOrEqual(before + 7 * 86_400_000);
    await user.click(screen.getByRole('button', { name: 'Change suspension' }));
    const changing = await screen.findByRole('dialog', { name: 'Change the suspension of meera_nair?' });
    await user.click(within(changing).getByRole('button', { name: 'Cancel' }));
    await user.click(screen.getByRole('button', { name: 'Unblock User' }));
    const lifting = within(await screen.findByRole('dialog', { name: 'Unblock meera_nair?' }));
    await user.click(lifting.getByRole('button', { name: 'Unblock User' }));
    expect(await screen.findByText('Active')).toBeVisible();
  });

  it('warns a member, who reads the text without the name', async () => {
    const detail = newDetail({ accountStatus: 'ACTIVE', blockScope: 'SPACE', isWarnable: true });
    const { user, api } = openDetail(detail, { warnMember: () => ({ flag: 1 }) });
    await user.click(await screen.findByRole('button', { name: 'Warn' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Warn meera_nair in this space?' }));
    expect(dialog.getByText(/meera_nair reads your text in the notifications/)).toBeVisible();
    expect(dialog.getByText(/without your name/)).toBeVisible();
    await user.type(dialog.getByRole('textbox', { name: 'Warning' }), ' No adverts ');
    await user.click(dialog.getByRole('button', { name: 'Warn' }));
    expect(await screen.findByText('meera_nair was warned.')).toBeVisible();
    const about = { studentId: detail._id, space: space._id, postId: null };
    expect(api.calls('WarnMember')[0]?.variables).toEqual({ ...about, text: 'No adverts' });
  });

  it('keeps the text if a warning is refused', async () => {
    const detail = newDetail({ accountStatus: 'ACTIVE', blockScope: 'SPACE', isWarnable: true });
    const { user } = openDetail(detail, {
      warnMember: () => {
        throw apiError('A student can get at most 50 warnings per space.', 'CONFLICT');
      },
    });
    await user.click(await screen.findByRole('button', { name: 'Warn' }));
    const dialog = within(await screen.findByRole('dialog'));
    const text = dialog.getByRole('textbox', { name: 'Warning' });
    await user.type(text, 'No adverts');
    await user.click(dialog.getByRole('button', { name: 'Warn' }));
    expect(await dialog.findByText(/at most 50 warnings per space/)).toBeVisible();
    expect(text).toHaveValue('No adverts');
  });

  it('removes all posts after a preview, and sees the removal', async () => {
    const detail = newDetail({ accountStatus: 'ACTIVE', arePostsRemovable: true });
    let looks = 0;
    const preview = {
      ...{ questions: 2, answers: 1, comments: 0 },
      ...{ answersOfOthers: 3, leftOut: 2, remaining: 0 },
    };
    const { user, api, address } = openDetail(detail, {
      previewPostsRemoval: () => ({ ...preview, fingerprint: `f-${(looks += 1)}` }),
      removePosts: () => {
        throw apiError('The posts have changed.', 'CONFLICT', undefined, 'REMOVAL_CHANGED');
      },
    });
    await user.click(await screen.findByRole('button', { name: 'Remove all posts' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Remove all posts of meera_nair?' }));
    const list = within(await dialog.findByRole('list', { name: 'Posts to remove' }));
    expect(list.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
      ...['2 questions', '1 answer'],
    ]);
    expect(dialog.getByText(/3 answers of other students are hidden/)).toBeVisible();
    expect(dialog.getByText('2 posts you reported stay for another moderator.')).toBeVisible();
    expect(dialog.queryByText(/older post/)).toBeNull();
    await user.click(dialog.getByRole('button', { name: 'Remove all posts' }));
    expect(dialog.getByText('Please give a reason.')).toBeVisible();
    await user.type(dialog.getByRole('textbox', { name: 'Reason' }), 'Spam');
    await user.click(dialog.getByRole('button', { name: 'Remove all posts' }));
    expect(await dialog.findByRole('alert')).toHaveTextContent('The posts have changed.');
    api.change({ removePosts: () => ({ _id: 'r-1' }) });
    await user.click(dialog.getByRole('button', { name: 'Remove all posts' }));
    await waitFor(() => expect(address()).toBe('/moderation/removals/r-1'));
    expect(api.calls('RemovePosts').at(-1)?.variables).toEqual({
      ...{ space: expect.any(String), author: detail._id, reason: 'Spam', fingerprint: 'f-2' },
    });
  });

  it('cannot remove posts if there are none', async () => {
    const { user } = openDetail(newDetail({ accountStatus: 'ACTIVE', arePostsRemovable: true }), {
      previewPostsRemoval: () => ({
        ...{ fingerprint: 'f-1', questions: 0, answers: 0, comments: 0 },
        ...{ answersOfOthers: 0, leftOut: 1, remaining: 0 },
      }),
    });
    await user.click(await screen.findByRole('button', { name: 'Remove all posts' }));
    const dialog = within(await screen.findByRole('dialog'));
    expect(await dialog.findByText('There are no posts that you can remove.')).toBeVisible();
    expect(dialog.getByRole('button', { name: 'Remove all posts' })).toBeDisabled();
  });

  it('sees the status of someone who cannot be blocked, and why', async () => {
    openDetail(
      newDetail({ accountStatus: 'ACTIVE', blockScope: 'SPACE', blockRefusal: 'NOT_ABOVE_IN_RANK' }),
    );
    expect(await screen.findByText('Active')).toBeVisible();
    expect(
      screen.getByText('Only someone with a higher role can block or unblock this person.'),
    ).toBeVisible();
    expect(screen.queryByRole('button', { name: 'Block User' })).not.toBeInTheDocument();
  });
});

describe('warnings of a student', () => {
  const moderator = (of: string) => ({
    getStudent: () => newStudent({ _id: me._id, roles: [{ role: 'MODERATOR', space: of }] }),
    getSpaces: () => [space],
  });
  const warning = {
    ...{ _id: uuid(), text: 'No adverts', warnedAt: '2026-11-20T08:00:00.000Z', spaceName: 'Physics' },
    ...{ moderator: { _id: me._id, userName: 'ms_rao' }, post: { postId: 'p-1', title: 'Buy this' } },
  };

  it('are listed on request for moderators of the space', async () => {
    const detail = newDetail({ accountStatus: 'ACTIVE' });
    const { api, user } = openDetail(detail, {
      ...moderator(space._id),
      getStudentWarnings: () => [warning, { ...warning, _id: uuid(), moderator: null, post: null }],
    });
    const show = await screen.findByRole('button', { name: 'Show Warnings' });
    expect(api.calls('StudentWarnings')).toEqual([]);
    await user.click(show);
    const list = await screen.findByRole('list', { name: 'Warnings' });
    const [first, second] = within(list).getAllByRole('listitem');
    expect(first).toHaveTextContent(/ms_rao.*Physics.*2026.*No adverts.*About: Buy this/);
    const link = within(list).getByRole('link', { name: 'About: Buy this' });
    expect(link).toHaveAttribute('href', '/moderation/p-1');
    expect(second).toHaveTextContent(/^Deleted student/);
    expect(api.calls('StudentWarnings')[0]?.variables).toEqual({ studentId: detail._id });
  });

  it('can be none', async () => {
    const { user } = openDetail(newDetail({ accountStatus: 'ACTIVE' }), {
      ...moderator(space._id),
      getStudentWarnings: () => [],
    });
    await user.click(await screen.findByRole('button', { name: 'Show Warnings' }));
    expect(await screen.findByText('No warnings yet')).toBeVisible();
  });

  it('are not offered to maintainers and moderators of other spaces', async () => {
    const { api } = openDetail(newDetail({ accountStatus: 'ACTIVE' }), moderator(uuid()));
    await screen.findByRole('button', { name: 'Show Notes' });
    await waitFor(() => expect(api.calls('OwnRoles')).not.toEqual([]));
    expect(screen.queryByRole('heading', { name: 'Warnings' })).not.toBeInTheDocument();
  });
});

describe('notes on a student', () => {
  const written = (changes: object = {}) => ({
    _id: uuid(),
    text: 'Asks homework questions in bulk',
    writtenAt: '2026-11-20T08:00:00.000Z',
    author: { _id: me._id, userName: 'ms_rao' },
    ...changes,
  });

  it('are loaded on request, and written', async () => {
    const detail = newDetail({ accountStatus: 'ACTIVE' });
    let notes = [written()];
    const { api, user } = openDetail(detail, {
      getStudentNotes: () => notes,
      writeStudentNote: () => ({ flag: 1 }),
    });
    const show = await screen.findByRole('button', { name: 'Show Notes' });
    expect(api.calls('StudentNotes')).toEqual([]);
    await user.click(show);
    const list = await screen.findByRole('list', { name: 'Notes' });
    expect(list).toHaveTextContent('Asks homework questions in bulk');
    expect(api.calls('StudentNotes')[0]?.variables).toEqual({ studentId: detail._id, space: space._id });

    await user.click(screen.getByRole('button', { name: 'Save Note' }));
    expect(screen.getByText('Please write a note.')).toBeVisible();
    await user.type(screen.getByRole('textbox', { name: 'New note' }), 'Talked to them on Monday.');
    notes = [written({ text: 'Talked to them on Monday.' }), ...notes];
    await user.click(screen.getByRole('button', { name: 'Save Note' }));
    expect(await screen.findByText('Note saved.')).toBeVisible();
    await waitFor(() => expect(list).toHaveTextContent('Talked to them on Monday.'));
    expect(screen.getByRole('textbox', { name: 'New note' })).toHaveValue('');
    expect(api.calls('WriteStudentNote')[0]?.variables).toEqual({
      studentId: detail._id,
      space: space._id,
      text: 'Talked to them on Monday.',
    });
  });

  it('are removed by their authors, after confirmation', async () => {
    const [own, other] = [
      written(),
      written({ text: 'By another', author: { _id: uuid(), userName: 'mr_chen' } }),
    ];
    let notes = [own, other];
    const { api, user } = openDetail(newDetail({ accountStatus: 'ACTIVE' }), {
      getStudentNotes: () => notes,
      removeStudentNote: () => ({ flag: 1 }),
    });
    await user.click(await screen.findByRole('button', { name: 'Show Notes' }));
    const [remove, ...others] = await screen.findAllByRole('button', { name: 'Remove Note' });
    expect(others).toEqual([]);
    await user.click(remove as HTMLElement);
    const dialog = within(await screen.findByRole('dialog', { name: 'Remove this note?' }));
    notes = [other];
    await user.click(dialog.getByRole('button', { name: 'Remove Note' }));
    expect(await screen.findByText('Note removed.')).toBeVisible();
    await waitFor(() => expect(screen.queryByText(own.text)).not.toBeInTheDocument());
    expect(api.calls('RemoveStudentNote')[0]?.variables).toMatchObject({ note: own._id });
  });

  it('are not offered to students', async () => {
    openDetail(newDetail());
    await screen.findByRole('region', { name: 'meera_nair' });
    expect(screen.queryByRole('heading', { name: 'Notes' })).not.toBeInTheDocument();
  });

  it('are not offered about oneself', async () => {
    openDetail(newDetail({ _id: me._id, accountStatus: 'ACTIVE' }));
    await screen.findByRole('region', { name: 'meera_nair' });
    expect(screen.queryByRole('heading', { name: 'Notes' })).not.toBeInTheDocument();
  });
});
