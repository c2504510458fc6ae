import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { mention } from '@nimo/domain';
import { EventHistory } from '../testing/event-history.fixture.js';
import { openReadSide, type ReadSide } from '../testing/read-side.fixture.js';
import { pageOfActivities } from './activities.queries.js';

let side: ReadSide;
beforeAll(async () => {
  side = await openReadSide();
});
afterAll(() => side.close());

const past = new EventHistory();
/** A separate space for each test: they share one log. */
function open() {
  const spaceId = past.newSpace();
  const place = past.newTopic(spaceId, past.newSubject(spaceId));
  const [ada, ben] = [past.newStudent(), past.newStudent()];
  past.join(ada, spaceId);
  const page = async (
    studentId: string,
    more: { withVotes?: boolean; page?: number; limit?: number } = {},
  ) => {
    await side.record(past);
    return pageOfActivities(side.pool, { studentId, spaceId, withVotes: true, ...more });
  };
  const types = async (studentId: string, withVotes = true) =>
    (await page(studentId, { withVotes })).docs.map(({ activityType }) => activityType);
  return { spaceId, place, ada, ben, page, types };
}

describe('activities', () => {
  it('lists everything a student did, newest first, with place and text', async () => {
    const { place, ada, ben, page } = open();
    const questionId = past.ask(ada, place, { title: 'How far?', body: '<p>From here</p>' });
    const answerId = past.answer(ada, questionId, '<p>Very far.</p>');
    const onQuestion = past.comment(ada, questionId, `Well, ${mention(ben)}`);
    const onAnswer = past.comment(ada, answerId, 'Or not');
    const other = past.ask(ben, place, { title: 'How near?', body: '' });
    const otherAnswer = past.answer(ben, other, '<p>Near.</p>');
    past.vote(ada, other, 'UP');
    past.vote(ada, otherAnswer, 'DOWN');
    const { docs, totalPages } = await page(ada);
    expect(totalPages).toBe(1);
    const listed = docs.map(({ activityType, dataResolve, postId, title, body }) => [
      activityType,
      dataResolve,
      postId,
      title,
      body,
    ]);
    expect(listed).toEqual([
      ['DOWNVOTE_ANSWER', 'Answer', otherAnswer, 'How near?', '<p>Near.</p>'],
      ['UPVOTE_QUESTION', 'Question', other, 'How near?', ''],
      ['CREATE_COMMENT', 'Comment', onAnswer, 'How far?', 'Or not'],
      [
        'CREATE_QUESTION_COMMENT',
        'QuestionComment',
        onQuestion,
        'How far?',
        `Well, @[user_${ben.slice(0, 8)}]`,
      ],
      ['CREATE_ANSWER', 'Answer', answerId, 'How far?', '<p>Very far.</p>'],
      ['CREATE_QUESTION', 'Question', questionId, 'How far?', '<p>From here</p>'],
    ]);
    expect(docs[0]).toMatchObject({
      questionId: other,
      answerId: otherAnswer,
      subject: { _id: place.subjectId, subjectName: 'Mathematics', color: 'abcdef' },
      topic: { _id: place.topicId, topicName: 'Algebra' },
      student: { _id: ada },
    });
  });

  it('drops a withdrawn or replaced vote and adds a vote cast again', async () => {
    const { place, ada, ben, types } = open();
    const questionId = past.ask(ben, place);
    past.vote(ada, questionId, 'UP');
    past.vote(ada, questionId, 'UP');
    expect(await types(ada)).toEqual([]);
    past.vote(ada, questionId, 'UP');
    past.vote(ada, questionId, 'DOWN');
    expect(await types(ada)).toEqual(['DOWNVOTE_QUESTION']);
    past.vote(ada, questionId, 'UP');
    expect(await types(ada)).toEqual(['UPVOTE_QUESTION']);
  });

  it('leaves out votes unless requested', async () => {
    const { place, ada, ben, types } = open();
    past.vote(ada, past.ask(ben, place), 'UP');
    past.ask(ada, place);
    expect(await types(ada, false)).toEqual(['CREATE_QUESTION']);
  });

  it('hides activities on removed posts and below them', async () => {
    const { place, ada, ben, types } = open();
    const questionId = past.ask(ben, place);
    const answerId = past.answer(ben, questionId);
    past.vote(ada, answerId, 'UP');
    past.comment(ada, answerId);
    const deleted = past.comment(ada, questionId);
    const kept = past.answer(ada, questionId);
    expect(await types(ada)).toHaveLength(4);
    past.deleteComment(deleted);
    past.deleteAnswer(answerId);
    expect(await types(ada)).toEqual(['CREATE_ANSWER']);
    past.report(ben, kept);
    past.uphold(past.newModerator(), kept);
    expect(await types(ada)).toEqual([]);
    past.ask(ada, place);
    past.deleteQuestion(questionId);
    expect(await types(ada)).toEqual(['CREATE_QUESTION']);
  });

  it('leaves out the votes of stand-ins', async () => {
    const { place, ada, types } = open();
    const standIn = past.newStandIn();
    past.vote(standIn, past.ask(ada, place), 'UP');
    expect(await types(standIn)).toEqual([]);
  });

  it('pages the list and cuts long bodies', async () => {
    const { place, ada, page } = open();
    const asked = [1, 2, 3].map(() => past.ask(ada, place, { body: `<p>${'x'.repeat(5_000)}</p>` }));
    const first = await page(ada, { limit: 2 });
    expect(first).toMatchObject({ page: 1, totalPages: 2 });
    expect(first.docs[0]?.body).toHaveLength(2_000);
    const second = await page(ada, { limit: 2, page: 2 });
    expect([...first.docs, ...second.docs].map(({ postId }) => postId)).toEqual(asked.reverse());
  });
});
