import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { EventHistory } from '../testing/event-history.fixture.js';
import { openReadSide, type ReadSide } from '../testing/read-side.fixture.js';
import { findPersonOfSpace, pageOfStudentPosts } from './student-detail.queries.js';

let side: ReadSide;
beforeAll(async () => {
  side = await openReadSide();
});
afterAll(() => side.close());

const past = new EventHistory();
const person = (studentId: string, spaceId: string) => findPersonOfSpace(side.pool, { studentId, spaceId });

describe('a person in a space', () => {
  it('is known from the first join, even after leaving, and only there', async () => {
    const [here, elsewhere] = [past.newSpace(), past.newSpace()];
    const studentId = past.newStudent({ userName: 'kate_j' });
    past.join(studentId, here);
    await side.record(past);
    expect(await person(studentId, here)).toMatchObject({
      _id: studentId,
      userName: 'kate_j',
      joinedAt: expect.stringMatching(/Z$/),
      isMember: true,
      isBlocked: false,
      roles: [],
      blockedBy: null,
      suspendedBy: null,
      isSpaceArchived: false,
    });
    expect(await person(studentId, elsewhere)).toBeNull();
    past.leave(studentId, here);
    past.append(
      `student-${studentId}`,
      { type: 'StudentBlocked', data: { studentId, reason: 'Spam', rank: 'MAINTAINER' } },
      { type: 'RoleGranted', data: { studentId, role: 'MAINTAINER', spaceId: null } },
    );
    await side.record(past);
    expect(await person(studentId, here)).toMatchObject({
      isMember: false,
      isBlocked: true,
      blockedBy: 'MAINTAINER',
      roles: [{ role: 'MAINTAINER', spaceId: null }],
    });
  });

  it('is never a stand-in or an erased student', async () => {
    const spaceId = past.newSpace();
    const [standIn, erased] = [past.newStandIn(), past.newStudent()];
    for (const studentId of [standIn, erased]) past.join(studentId, spaceId);
    past.append(`student-${erased}`, {
      type: 'StudentErased',
      data: { studentId: erased, withWords: false },
    });
    await side.record(past);
    expect(await person(standIn, spaceId)).toBeNull();
    expect(await person(erased, spaceId)).toBeNull();
    expect(await person('unknown', spaceId)).toBeNull();
  });
});

describe('posts of a student', () => {
  it('are the visible questions and answers in the space, newest first', async () => {
    const spaceId = past.newSpace();
    const place = past.newTopic(spaceId, past.newSubject(spaceId));
    const other = past.newSpace();
    const [ada, ben] = [past.newStudent(), past.newStudent()];
    const asked = past.ask(ada, place, { title: 'How?', body: '<p>Why &amp; how</p>' });
    const helped = past.ask(ben, place, { title: 'When?' });
    const answer = past.answer(ada, helped, '<p>At <b>noon</b>.</p>');
    past.vote(ben, answer, 'UP');
    past.accept(answer);
    const deleted = past.ask(ben, place);
    past.answer(ada, deleted);
    past.deleteQuestion(deleted);
    past.deleteAnswer(past.answer(ada, helped));
    past.deleteQuestion(past.ask(ada, place));
    past.ask(ada, past.newTopic(other, past.newSubject(other)));
    await side.record(past);
    const options = { studentId: ada, spaceId };
    expect(await pageOfStudentPosts(side.pool, options)).toEqual({
      page: 1,
      totalPages: 1,
      total: 2,
      docs: [
        {
          _id: answer,
          postType: 'ANSWER',
          title: 'When?',
          excerpt: 'At noon.',
          createdAt: expect.stringMatching(/Z$/),
          upvoteCount: 1,
          isAccepted: true,
          question: { _id: helped },
        },
        expect.objectContaining({
          _id: asked,
          postType: 'QUESTION',
          title: 'How?',
          excerpt: 'Why & how',
          isAccepted: false,
          question: { _id: asked },
        }),
      ],
    });
    const second = await pageOfStudentPosts(side.pool, { ...options, page: 2, limit: 1 });
    expect(second).toMatchObject({ page: 2, totalPages: 2, docs: [{ _id: asked }] });
    expect(await pageOfStudentPosts(side.pool, { ...options, page: 3, limit: 1 })).toMatchObject({
      docs: [],
      totalPages: 2,
    });
  });
});
