import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { membershipStream } from '@nimo/domain';
import { pageOfNotifications } from '../notifications/notifications.queries.js';
import { EventHistory } from '../testing/event-history.fixture.js';
import { openReadSide, type ReadSide } from '../testing/read-side.fixture.js';
import { findAuthorRecord } from './moderation-case.queries.js';
import { listWarnings } from './warnings.queries.js';

let side: ReadSide;
beforeAll(async () => {
  side = await openReadSide();
});
afterAll(() => side.close());

const past = new EventHistory();

function open() {
  const spaceId = past.newSpace();
  const place = past.newTopic(spaceId, past.newSubject(spaceId));
  const [ada, ben] = [past.newStudent(), past.newStudent()];
  for (const student of [ada, ben]) past.join(student, spaceId);
  const moderator = past.newModerator();
  const warn = (studentId: string, text: string, postId?: string) => {
    const warningId = randomUUID();
    const post = postId === undefined ? {} : { postId };
    past.as({ kind: 'student', id: moderator }, () =>
      past.append(membershipStream(spaceId, studentId), {
        type: 'MemberWarned',
        data: { spaceId, studentId, warningId, text, rank: 'MODERATOR', ...post },
      }),
    );
    return warningId;
  };
  const listed = async (studentId: string, spaces: 'all' | readonly string[] = [spaceId]) => {
    await side.record(past);
    return listWarnings(side.pool, { studentId, spaces });
  };
  const notified = async (receiverId: string) => {
    await side.record(past);
    const now = '2026-02-01T00:00:00.000Z';
    const { docs } = await pageOfNotifications(side.pool, {
      ...{ receiverId, spaceId, seenAt: null, now, staff: null },
    });
    return docs.filter(({ type }) => type === 'WARNED');
  };
  return { spaceId, place, ada, ben, moderator, warn, listed, notified };
}

describe('warnings of a student', () => {
  it('are listed for the moderators of their spaces, newest first, and counted by space', async () => {
    const { spaceId, ada, ben, moderator, warn, listed } = open();
    const [first, second] = [warn(ada, 'No adverts'), warn(ada, 'Again: no adverts')];
    const elsewhere = open();
    past.join(ada, elsewhere.spaceId);
    const other = elsewhere.warn(ada, 'Be kind');
    expect(await listed(ada)).toEqual([
      expect.objectContaining({ _id: second, text: 'Again: no adverts' }),
      {
        ...{ _id: first, text: 'No adverts', spaceId, spaceName: 'Space', post: null },
        warnedAt: expect.stringMatching(/^2026-.*Z$/),
        moderator: expect.objectContaining({ _id: moderator }),
      },
    ]);
    expect((await listed(ada, 'all')).map(({ _id }) => _id)).toEqual([other, second, first]);
    expect(await listed(ada, [])).toEqual([]);
    expect(await listed(ben)).toEqual([]);
    expect(await findAuthorRecord(side.pool, { authorId: ada, spaceId })).toMatchObject({ warnings: 2 });
    expect(await findAuthorRecord(side.pool, { authorId: ben, spaceId })).toMatchObject({ warnings: 0 });
  });

  it('name the reported post', async () => {
    const { place, ada, ben, warn, listed } = open();
    const questionId = past.ask(ada, place, { title: 'Buy this' });
    past.report(ben, questionId);
    warn(ada, 'No adverts', questionId);
    expect(await listed(ada)).toMatchObject([
      { post: { postId: questionId, postType: 'QUESTION', title: 'Buy this' } },
    ]);
  });

  it('lose their text once the student is erased', async () => {
    const { ada, warn, listed } = open();
    warn(ada, 'No adverts');
    expect(await listed(ada)).toMatchObject([{ text: 'No adverts' }]);
    past.erase(ada);
    warn(ada, 'Too late');
    expect(await listed(ada)).toMatchObject([{ text: '' }, { text: '' }]);
  });
});

describe('the notification of a warning', () => {
  it('reaches only the student, with the text and without the moderator', async () => {
    const { spaceId, ada, ben, warn, notified } = open();
    const warningId = warn(ada, 'No adverts');
    expect(await notified(ada)).toMatchObject([
      {
        ...{ _id: `WARNED:${warningId}`, isNew: true, reason: 'No adverts', author: null, openWork: null },
        ...{ suspension: null, questionId: null, warning: { spaceId, spaceName: 'Space' } },
      },
    ]);
    expect(await notified(ben)).toEqual([]);
  });

  it('leads to the post while it is visible', async () => {
    const { place, ada, ben, moderator, warn, notified } = open();
    const questionId = past.ask(ben, place, { title: 'Is zero even?' });
    const answerId = past.answer(ada, questionId);
    const commentId = past.comment(ada, answerId);
    const own = past.ask(ada, place, { title: 'Buy this' });
    for (const postId of [own, answerId, commentId, randomUUID()]) warn(ada, 'No adverts', postId);
    const places = async () =>
      (await notified(ada)).map(({ questionId, questionTitle, answerId, commentId }) => ({
        ...{ questionId, questionTitle, answerId, commentId },
      }));
    const gone = { questionId: null, questionTitle: '', answerId: null };
    const ofQuestion = { questionId, questionTitle: 'Is zero even?', answerId };
    expect(await places()).toEqual([
      { ...gone, commentId: null },
      { ...ofQuestion, commentId },
      { ...ofQuestion, commentId: null },
      { questionId: own, questionTitle: 'Buy this', answerId: null, commentId: null },
    ]);
    for (const postId of [own, answerId]) {
      past.report(ben, postId);
      past.uphold(moderator, postId);
    }
    // The comment goes with its answer.
    expect((await places()).map(({ questionId }) => questionId)).toEqual([null, null, null, null]);
    expect((await notified(ada)).map(({ reason }) => reason)).toEqual(Array(4).fill('No adverts'));
  });
});
