import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type DomainEvent, membershipStream, mention } from '@nimo/domain';
import type { ProjectedEvent } from '../projection.js';
import { EventHistory, type HistoryEvent } from '../testing/event-history.fixture.js';
import { openReadSide, type ReadSide } from '../testing/read-side.fixture.js';
import { EVERY_MEMBER, noticesOf } from './notifications.tables.js';
import type { StaffNotificationOptions } from './open-work.sql.js';
import {
  countNewNotifications,
  MAX_COUNTED_AS_NEW,
  type NotificationOptions,
  pageOfNotifications,
} from './notifications.queries.js';

let side: ReadSide;
beforeAll(async () => {
  side = await openReadSide();
});
afterAll(() => side.close());

const past = new EventHistory();
/** Later than any event of the history. */
const LATER = '2026-02-01T00:00:00.000Z';

/** A separate space for each test: they share one log. */
function open() {
  const spaceId = past.newSpace();
  const place = past.newTopic(spaceId, past.newSubject(spaceId));
  const [ada, ben, eva] = [past.newStudent(), past.newStudent(), past.newStudent()];
  for (const student of [ada, ben, eva]) past.join(student, spaceId);
  const of = (
    receiverId: string,
    more: Partial<NotificationOptions & { page: number; limit: number }> = {},
  ) =>
    pageOfNotifications(side.pool, {
      receiverId,
      spaceId,
      seenAt: null,
      now: LATER,
      staff: null,
      ...more,
    });
  const staff = (more: Partial<StaffNotificationOptions> = {}): StaffNotificationOptions => ({
    spaces: [spaceId],
    seen: {},
    patterns: [],
    ...more,
  });
  const news = async (receiverId: string) => {
    await side.record(past);
    return (await of(receiverId)).docs.map(({ type }) => type);
  };
  const countOf = (receiverId: string, seenAt: string | null = null, isModerator = false) => {
    const seen = seenAt === null ? {} : { [spaceId]: seenAt };
    const options = { receiverId, spaceId, seenAt, now: LATER, staff: isModerator ? staff({ seen }) : null };
    return countNewNotifications(side.pool, options);
  };
  return { spaceId, place, ada, ben, eva, of, news, countOf, staff };
}

const rowsAbout = async (postId: string) =>
  (await side.pool.query('select receiver_id, type from read.notices where post_id = $1', [postId])).rows;

describe('a new question', () => {
  it('notifies every other member with a single row, but not those who join later', async () => {
    const { spaceId, place, ada, ben, eva, news } = open();
    const questionId = past.ask(ada, place);
    const late = past.newStudent();
    past.join(late, spaceId);
    const stranger = past.newStudent();
    expect(await news(ben)).toEqual(['NEW_QUESTION']);
    expect(await news(eva)).toEqual(['NEW_QUESTION']);
    for (const student of [ada, late, stranger]) expect(await news(student)).toEqual([]);
    expect(await rowsAbout(questionId)).toEqual([{ receiver_id: EVERY_MEMBER, type: 'NEW_QUESTION' }]);
  });
});

describe('an action that affects a student', () => {
  it('notifies with author, post and excerpts', async () => {
    const { place, ada, ben, of } = open();
    const questionId = past.ask(ada, place, { title: 'How far?' });
    const answerId = past.answer(ben, questionId, '<p>As <b>far</b> as &lt;this&gt;.</p>');
    const commentId = past.comment(ada, answerId, `Thanks ${mention(ben)}`);
    past.accept(answerId);
    await side.record(past);
    expect((await of(ada)).docs).toEqual([
      {
        _id: `NEW_ANSWER:${answerId}`,
        type: 'NEW_ANSWER',
        isNew: true,
        createdAt: expect.stringMatching(/^2026-01-\d\dT.*Z$/),
        questionId,
        questionTitle: 'How far?',
        answerId,
        answerBody: 'As far as <this>.',
        commentId: null,
        commentBody: null,
        author: expect.objectContaining({ _id: ben }),
        upvotes: null,
        reason: null,
        suspension: null,
        warning: null,
        removal: null,
        openWork: null,
      },
    ]);
    const { docs } = await of(ben);
    expect(docs.map(({ type }) => type)).toEqual(['ANSWER_ACCEPTED', 'NEW_COMMENT', 'NEW_QUESTION']);
    expect(docs[0]).toMatchObject({ answerId, questionId, author: { _id: ada } });
    expect(docs[1]).toMatchObject({
      commentId,
      commentBody: `Thanks @user_${ben.slice(0, 8)}`,
      answerBody: 'As far as <this>.',
    });
  });

  it('does not notify its author', async () => {
    const { place, ada, news } = open();
    const questionId = past.ask(ada, place);
    past.comment(ada, past.answer(ada, questionId), mention(ada));
    past.comment(ada, questionId);
    expect(await news(ada)).toEqual([]);
  });

  it('notifies each mentioned student, but the author of the parent post only once', async () => {
    const { place, ada, ben, eva, of, news } = open();
    const questionId = past.ask(ada, place);
    const body = `${mention(ada)} ${mention(eva)} ${mention(eva)} ${mention(ben)}`;
    const onQuestion = past.comment(ben, questionId, body);
    expect(await news(ada)).toEqual(['NEW_QUESTION_COMMENT']);
    expect(await news(eva)).toEqual(['MENTION', 'NEW_QUESTION']);
    expect(await news(ben)).toEqual(['NEW_QUESTION']);
    expect((await of(eva)).docs[0]).toMatchObject({ commentId: onQuestion, answerId: null, questionId });
    const answerId = past.answer(ben, questionId);
    past.comment(ben, answerId, mention(eva));
    await side.record(past);
    expect((await of(eva)).docs[0]).toMatchObject({ type: 'MENTION', answerId });
  });

  it('inserts names before cutting a long comment', async () => {
    const { place, ada, ben, of } = open();
    past.comment(ben, past.ask(ada, place), `${'x'.repeat(150)} ${mention(ada)} and more`);
    await side.record(past);
    const [comment] = (await of(ada)).docs;
    expect(comment?.commentBody).toBe(`${'x'.repeat(150)} @user_${ada.slice(0, 3)}…`);
  });

  it('is no longer listed once the comment, answer or question is deleted or removed', async () => {
    const { place, ada, ben, eva, news, countOf } = open();
    const questionId = past.ask(ada, place);
    const [deleted, removed] = [past.answer(ben, questionId), past.answer(eva, questionId)];
    const [first, second] = [past.comment(ben, questionId), past.comment(eva, questionId)];
    past.comment(ada, deleted);
    past.accept(deleted);
    expect(await news(ada)).toHaveLength(4);
    expect(await news(ben)).toEqual(['ANSWER_ACCEPTED', 'NEW_COMMENT', 'NEW_QUESTION']);
    const moderator = past.newModerator();
    past.deleteComment(first);
    past.deleteAnswer(deleted);
    for (const postId of [second, removed]) {
      past.report(ada, postId);
      past.uphold(moderator, postId);
    }
    expect(await news(ada)).toEqual([]);
    expect(await news(ben)).toEqual(['NEW_QUESTION']);
    past.deleteQuestion(questionId);
    expect(await news(ben)).toEqual([]);
    expect(await countOf(ben)).toBe(0);
  });

  it('shows an erased author without a name', async () => {
    const { place, ada, ben, of } = open();
    past.answer(ben, past.ask(ada, place));
    past.append(`student-${ben}`, { type: 'StudentErased', data: { studentId: ben, withWords: false } });
    await side.record(past);
    expect((await of(ada)).docs[0]).toMatchObject({ author: { _id: ben, userName: '' } });
  });

  it('is listed only in its own space', async () => {
    const [here, there] = [open(), open()];
    past.join(here.ada, there.spaceId);
    past.answer(there.ben, past.ask(here.ada, there.place));
    expect(await here.news(here.ada)).toEqual([]);
    expect(await there.news(here.ada)).toEqual(['NEW_ANSWER']);
  });
});

describe('an imported history', () => {
  it('notifies no one', () => {
    const { place, ada, ben } = open();
    past.comment(ben, past.answer(ben, past.ask(ada, place)), mention(ada));
    const asImported = (event: HistoryEvent, index: number): ProjectedEvent => ({
      ...event,
      ordinal: index,
      metadata: { ...event.metadata, actor: { kind: 'import', id: randomUUID(), operator: 'ada' } },
    });
    expect(past.events.map(asImported).flatMap(noticesOf)).toEqual([]);
  });
});

describe('upvotes', () => {
  const DAY = '2026-01-';
  it('are summed per post and listed the next day, without voter and time', async () => {
    const { place, ada, ben, eva, of } = open();
    const questionId = past.ask(ada, place);
    const answerId = past.answer(ada, questionId);
    past.vote(ben, questionId, 'UP');
    past.vote(eva, questionId, 'UP');
    past.vote(eva, answerId, 'UP');
    past.vote(ben, answerId, 'DOWN');
    const at = past.events.at(-1)?.metadata.occurredAt ?? '';
    await side.record(past);
    expect((await of(ada, { now: at })).docs).toEqual([]);
    const { docs } = await of(ada);
    expect(docs.map(({ type, upvotes }) => [type, upvotes]).sort()).toEqual([
      ['ANSWER_UPVOTED', 1],
      ['QUESTION_UPVOTED', 2],
    ]);
    for (const { author, createdAt } of docs) {
      expect(author).toBeNull();
      expect(createdAt).toMatch(new RegExp(`^${DAY}\\d\\dT00:00:00.000Z$`));
    }
  });

  it('are updated by withdrawals, invalidations, reversals and deletions', async () => {
    const { place, ada, ben, eva, of } = open();
    const questionId = past.ask(ada, place);
    const answerId = past.answer(ada, questionId);
    for (const voter of [ben, eva]) past.vote(voter, questionId, 'UP');
    past.vote(ben, answerId, 'UP');
    past.vote(ben, questionId, 'UP');
    past.vote(eva, questionId, 'DOWN');
    const upvotes = async () => {
      await side.record(past);
      return (await of(ada)).docs.map(({ type, upvotes: count }) => `${type} ${count}`).sort();
    };
    expect(await upvotes()).toEqual(['ANSWER_UPVOTED 1']);
    past.vote(eva, questionId, 'UP');
    expect(await upvotes()).toEqual(['ANSWER_UPVOTED 1', 'QUESTION_UPVOTED 1']);
    const vote = past.voteData(eva, questionId, 'UP');
    const caseId = past.invalidate(past.newModerator(), [vote, past.voteData(ben, answerId, 'DOWN')]);
    expect(await upvotes()).toEqual(['ANSWER_UPVOTED 1']);
    past.reverse(caseId);
    expect(await upvotes()).toEqual(['ANSWER_UPVOTED 1', 'QUESTION_UPVOTED 1']);
    past.deleteAnswer(answerId);
    expect(await upvotes()).toEqual(['QUESTION_UPVOTED 1']);
  });
});

describe('an open request to join', () => {
  /** A student who asks to join, and whom moderators are notified of. */
  function openRequest() {
    const space = open();
    const { spaceId, of, ada, staff } = space;
    const asker = past.newStudent();
    const stream = `membership-${spaceId}-${asker}`;
    const membership = { spaceId, studentId: asker };
    past.append(stream, { type: 'EntryRequested', data: { ...membership, text: 'I am in 7b' } });
    const requests = async (receiverId = ada, more: Partial<NotificationOptions> = {}) => {
      await side.record(past);
      const { docs } = await of(receiverId, { staff: staff(), ...more });
      return docs.filter(({ type }) => type === 'ENTRY_REQUESTED');
    };
    return { ...space, asker, stream, membership, requests };
  }

  it('notifies moderators of the space, but neither members nor the student', async () => {
    const { spaceId, ada, ben, asker, countOf, requests } = openRequest();
    const elsewhere = open();
    expect(await requests()).toEqual([
      {
        _id: `ENTRY_REQUESTED:${asker}:${spaceId}`,
        type: 'ENTRY_REQUESTED',
        isNew: true,
        createdAt: expect.stringMatching(/^2026-01-\d\dT.*Z$/),
        questionId: null,
        questionTitle: '',
        answerId: null,
        answerBody: null,
        commentId: null,
        commentBody: null,
        author: expect.objectContaining({ _id: asker, userName: `user_${asker.slice(0, 8)}` }),
        upvotes: null,
        reason: null,
        suspension: null,
        warning: null,
        removal: null,
        openWork: { text: 'I am in 7b', spaceId, spaceName: 'Space', post: null, caseId: null, count: 0 },
      },
    ]);
    expect(await requests(ben)).toHaveLength(1);
    expect(await requests(ben, { staff: null })).toEqual([]);
    expect(await requests(asker)).toEqual([]);
    expect((await elsewhere.of(ada, { staff: elsewhere.staff() })).docs).toEqual([]);
    expect([await countOf(ada, null, true), await countOf(ada)]).toEqual([1, 0]);
  });

  it('is new until seen, and listed by time among the others', async () => {
    const { spaceId, place, of, ada, ben, requests, countOf, staff } = openRequest();
    const [request] = await requests();
    const seenAt = request?.createdAt ?? null;
    past.ask(ben, place);
    await side.record(past);
    const seen = { [spaceId]: seenAt ?? '' };
    const { docs } = await of(ada, { staff: staff({ seen }), seenAt });
    expect(docs.map(({ type, isNew }) => [type, isNew])).toEqual([
      ['NEW_QUESTION', true],
      ['ENTRY_REQUESTED', false],
    ]);
    expect(await countOf(ada, seenAt, true)).toBe(1);
  });

  it('is listed until it is answered or withdrawn, or the student joins by invitation', async () => {
    type Membership = ReturnType<typeof openRequest>['membership'];
    const endings: readonly ((data: Membership) => readonly DomainEvent[])[] = [
      (data) => [
        { type: 'EntryRequestAccepted', data },
        { type: 'SpaceJoined', data },
      ],
      (data) => [{ type: 'EntryRequestRefused', data: { ...data, reason: null } }],
      (data) => [{ type: 'EntryRequestWithdrawn', data }],
      // By an invitation.
      (data) => [{ type: 'SpaceJoined', data }],
    ];
    for (const eventsOf of endings) {
      const { stream, membership, requests, ada, countOf } = openRequest();
      expect(await requests()).toHaveLength(1);
      past.append(stream, ...eventsOf(membership));
      expect(await requests()).toEqual([]);
      expect(await countOf(ada, null, true)).toBe(0);
    }
  });

  it('is not listed once the student is blocked or erased', async () => {
    for (const end of ['block', 'erase'] as const) {
      const { asker, requests, ada, countOf } = openRequest();
      expect(await requests()).toHaveLength(1);
      if (end === 'erase') past.erase(asker);
      else
        past.append(`student-${asker}`, {
          type: 'StudentBlocked',
          data: { studentId: asker, reason: 'Spam', rank: 'MAINTAINER' },
        });
      expect(await requests()).toEqual([]);
      expect(await countOf(ada, null, true)).toBe(0);
    }
  });
});

describe('a reported post', () => {
  /** A question with the moderators who are notified of reports on it. */
  function openCase() {
    const space = open();
    const { place, eva: author, of, staff } = space;
    const [moderator, colleague] = [past.newModerator(), past.newModerator()];
    const postId = past.ask(author, place, { title: 'Buy this' });
    const cases = async (receiverId = moderator, more: Partial<StaffNotificationOptions> = {}) => {
      await side.record(past);
      const { docs } = await of(receiverId, { spaceId: null, staff: staff(more) });
      return docs.map(({ type, isNew, openWork }) => [type, openWork?.count, isNew]);
    };
    const report = (times: number) => {
      for (let time = 0; time < times; time += 1) past.report(past.newStudent(), postId);
    };
    const seenNow = async (receiverId = moderator) => {
      const { docs } = await of(receiverId, { spaceId: null, staff: staff() });
      return docs[0]?.createdAt ?? '';
    };
    return { ...space, author, moderator, colleague, postId, cases, report, seenNow };
  }

  it('notifies moderators of the space until it is decided, in the space and among those of all spaces', async () => {
    const { spaceId, of, staff, ben, moderator, colleague, postId, cases, report } = openCase();
    expect(await cases()).toEqual([]);
    report(1);
    await side.record(past);
    for (const place of [spaceId, null])
      for (const spaces of [[spaceId], 'all'] as const) {
        const { docs } = await of(moderator, { spaceId: place, staff: staff({ spaces }) });
        expect(docs.find(({ openWork }) => openWork?.post?.postId === postId)).toMatchObject({
          _id: `POST_REPORTED:${postId}`,
          type: 'POST_REPORTED',
          questionTitle: 'Buy this',
          author: null,
          openWork: { spaceId, spaceName: 'Space', post: { postId, postType: 'QUESTION' }, count: 1 },
        });
      }
    expect((await of(ben)).docs.map(({ type }) => type)).toEqual(['NEW_QUESTION']);
    expect(await cases(moderator, { spaces: [open().spaceId] })).toEqual([]);
    past.dismiss(colleague, postId);
    expect(await cases()).toEqual([]);
    report(1);
    expect(await cases()).toEqual([['POST_REPORTED', 1, true]]);
    past.uphold(colleague, postId);
    expect(await cases()).toEqual([]);
  });

  it('notifies neither its author nor a moderator who reported it', async () => {
    const { author, moderator, colleague, postId, cases, report } = openCase();
    past.report(colleague, postId);
    report(1);
    expect(await cases(author)).toEqual([]);
    expect(await cases(colleague)).toEqual([]);
    expect(await cases(moderator)).toEqual([['POST_REPORTED', 2, true]]);
  });

  it('is new again with each report until it escalates, and once more then', async () => {
    const { spaceId, cases, report, seenNow } = openCase();
    for (const [reports, type] of [
      [1, 'POST_REPORTED'],
      [2, 'POST_REPORTED'],
      [3, 'CASE_ESCALATED'],
    ] as const) {
      report(1);
      expect(await cases()).toEqual([[type, reports, true]]);
      const seenAt = await seenNow();
      // Seen in the space, or in the staff areas.
      expect(await cases(undefined, { seen: { [spaceId]: seenAt } })).toEqual([[type, reports, false]]);
      expect(await cases(undefined, { seen: { '': seenAt } })).toEqual([[type, reports, false]]);
    }
    const seen = { '': await seenNow() };
    report(1);
    expect(await cases(undefined, { seen })).toEqual([['CASE_ESCALATED', 4, false]]);
  });

  it('escalates at the threshold of the rules in force', async () => {
    const { moderator, postId, cases, report } = openCase();
    report(2);
    expect(await cases()).toEqual([['POST_REPORTED', 2, true]]);
    past.publishRules({ reportThreshold: 2 });
    expect(await cases()).toEqual([['CASE_ESCALATED', 2, true]]);
    past.dismiss(moderator, postId);
    report(1);
    // Only reports since the dismissal count.
    expect(await cases()).toEqual([['POST_REPORTED', 1, true]]);
    past.publishRules({ reportThreshold: 3 });
  });

  it('escalates for the moderator it is handed over to, and for nobody else', async () => {
    const { moderator, colleague, postId, cases, report, seenNow } = openCase();
    report(1);
    await side.record(past);
    const seen = { '': await seenNow(colleague) };
    past.handOver(moderator, postId, colleague);
    expect(await cases(colleague, { seen })).toEqual([['CASE_ESCALATED', 1, true]]);
    expect(await cases(moderator, { seen })).toEqual([['POST_REPORTED', 1, false]]);
    past.handOver(moderator, postId, moderator);
    expect(await cases(moderator, { seen })).toEqual([['POST_REPORTED', 1, false]]);
  });
});

describe('a suspension', () => {
  it('notifies the student until it ends or is lifted, with the reason that was meant for them', async () => {
    const { spaceId, of, ada, ben } = open();
    const suspend = (studentId: string, more: { until?: string; isReasonShown?: true }) =>
      past.append(membershipStream(spaceId, studentId), {
        type: 'MemberSuspended',
        data: { spaceId, studentId, reason: 'Spam', rank: 'MODERATOR', ...more },
      });
    const listed = async (studentId = ada) => {
      await side.record(past);
      const { docs } = await of(studentId);
      return docs.flatMap(({ type, reason, suspension }) =>
        type === 'SUSPENDED' ? [{ reason, suspension }] : [],
      );
    };
    const place = { spaceId, spaceName: 'Space' };
    suspend(ada, {});
    expect(await listed()).toEqual([{ reason: null, suspension: { ...place, until: null } }]);
    const until = '2999-01-01T00:00:00.000Z';
    suspend(ada, { until, isReasonShown: true });
    expect(await listed()).toEqual([{ reason: 'Spam', suspension: { ...place, until } }]);
    expect(await listed(ben)).toEqual([]);
    suspend(ada, { until: '2026-01-02T00:00:00.000Z', isReasonShown: true });
    expect(await listed()).toEqual([]);
    suspend(ada, { until, isReasonShown: true });
    past.append(membershipStream(spaceId, ada), {
      type: 'SuspensionLifted',
      data: { spaceId, studentId: ada, reason: null },
    });
    expect(await listed()).toEqual([]);
  });
});

describe('a removal of all posts', () => {
  it('notifies the author once, and once of its reversal', async () => {
    const { spaceId, place, of, ada, ben } = open();
    const moderator = past.newModerator();
    past.answer(ada, past.ask(ada, place));
    const listed = async (studentId = ada) => {
      await side.record(past);
      const { docs } = await of(studentId);
      return docs.map(({ type, reason, removal, openWork }) => ({ type, reason, removal, openWork }));
    };
    const removal = { spaceId, spaceName: 'Space', posts: 2 };
    const removalId = past.removeAll(moderator, ada, spaceId);
    const removed = { type: 'POSTS_REMOVED', reason: 'Spam', removal, openWork: null };
    expect(await listed()).toEqual([removed]);
    expect(await listed(ben)).toEqual([]);
    past.restoreAll(moderator, removalId);
    const restored = { ...removed, type: 'POSTS_RESTORED', reason: 'A mistake' };
    expect(await listed()).toEqual([restored, removed]);
  });

  it('still notifies the author of a post that is restored alone', async () => {
    const { spaceId, place, ada, news } = open();
    const moderator = past.newModerator();
    const questionId = past.ask(ada, place);
    past.removeAll(moderator, ada, spaceId);
    past.reverseUpholding(moderator, questionId);
    expect(await news(ada)).toEqual(['POST_RESTORED', 'POSTS_REMOVED']);
  });
});

describe('vote patterns', () => {
  it('notify once per space, new until seen', async () => {
    const { spaceId, of, staff, ada } = open();
    await side.record(past);
    const at = '2026-01-20T10:10:00.000Z';
    const patterns = [{ spaceId, count: 2, at }];
    const listed = async (seen: Record<string, string> = {}) =>
      (await of(ada, { spaceId: null, staff: staff({ patterns, seen }) })).docs;
    expect(await listed()).toMatchObject([
      {
        _id: `PATTERNS_FOUND:${spaceId}`,
        type: 'PATTERNS_FOUND',
        createdAt: at,
        isNew: true,
        openWork: { spaceId, spaceName: 'Space', post: null, count: 2 },
      },
    ]);
    expect(await listed({ '': at })).toMatchObject([{ isNew: false }]);
    expect(await listed({ '': '2026-01-20T10:09:59.999Z' })).toMatchObject([{ isNew: true }]);
  });
});

describe('new notifications', () => {
  it('are those since the last visit, or since joining before the first one', async () => {
    const { place, ada, ben, of, news, countOf } = open();
    const questionId = past.ask(ada, place);
    past.answer(ben, questionId);
    expect(await news(ada)).toEqual(['NEW_ANSWER']);
    expect(await countOf(ada)).toBe(1);
    const seenAt = (await of(ada)).docs[0]?.createdAt ?? null;
    expect(await countOf(ada, seenAt)).toBe(0);
    past.comment(ben, questionId);
    await side.record(past);
    expect((await of(ada, { seenAt })).docs.map(({ isNew }) => isNew)).toEqual([true, false]);
    expect(await countOf(ada, seenAt)).toBe(1);
  });

  it('are counted up to a limit', async () => {
    const { place, ada, ben, countOf } = open();
    const questionId = past.ask(ada, place);
    for (let count = 0; count <= MAX_COUNTED_AS_NEW; count += 1) past.comment(ben, questionId);
    await side.record(past);
    expect(await countOf(ada)).toBe(MAX_COUNTED_AS_NEW);
  });
});

describe('a page of notifications', () => {
  it('starts at the latest and includes the number of pages', async () => {
    const { place, ada, ben, of } = open();
    const questionId = past.ask(ada, place);
    const comments = [1, 2, 3].map(() => past.comment(ben, questionId));
    await side.record(past);
    const first = await of(ada, { limit: 2 });
    expect(first).toMatchObject({ page: 1, totalPages: 2 });
    const second = await of(ada, { limit: 2, page: 2 });
    const listed = [...first.docs, ...second.docs].map(({ commentId }) => commentId);
    expect(listed).toEqual(comments.reverse());
    expect((await of(ada, { limit: 2, page: 9 })).docs).toEqual([]);
  });
});
