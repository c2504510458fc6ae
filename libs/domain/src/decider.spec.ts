import { describe, expect, it } from '@jest/globals';
import { aggregate, fold } from './decider.js';
import * as domain from './index.js';
import { answerPosted, newId } from './testing/builders.js';

const { answerDecider, voteDecider } = domain;

describe('an aggregate', () => {
  it('stands in the stream of its id', () => {
    expect(aggregate(voteDecider, 'p', 's').streamId).toBe('vote-p-s');
    expect(aggregate(domain.avatarsDecider).streamId).toBe('avatars');
  });

  it('is what its events make of the state before them', () => {
    const posted = answerPosted();
    const { answerId, spaceId, questionId, authorId } = posted.data;
    const data = { answerId, spaceId, questionId, authorId, reason: null };
    expect(fold(answerDecider, [])).toBeUndefined();
    expect(fold(answerDecider, [posted])).toMatchObject({ deleted: false });
    expect(fold(answerDecider, [{ type: 'AnswerDeleted', data }])).toBeUndefined();
    expect(fold(answerDecider, [{ type: 'AnswerDeleted', data }], fold(answerDecider, [posted]))).toEqual({
      ...posted.data,
      deleted: true,
    });
  });
});

describe('the names of streams', () => {
  const id = newId();

  // The log holds them: another name would lose every event of before.
  it('are these', () => {
    const names = Object.entries(domain).flatMap(([name, value]) =>
      name.endsWith('Decider') && typeof value === 'object' && 'stream' in value
        ? [[name.replace(/Decider$/, ''), (value.stream as (...ids: string[]) => string)('one', id)]]
        : [],
    );
    expect(Object.fromEntries(names)).toEqual({
      answer: 'answer-one',
      avatars: 'avatars',
      bookmark: `bookmark-one-${id}`,
      case: 'case-one',
      claim: `one-${id}`,
      comment: 'comment-one',
      confidentialRead: 'read-one',
      judgedVote: `vote-one-${id}`,
      membership: `membership-one-${id}`,
      moderation: 'moderation-one',
      newspost: 'newspost-one',
      projection: 'projection-one',
      question: 'question-one',
      reaction: `reaction-one-${id}`,
      report: `report-one-${id}`,
      scoringDay: 'day-one',
      scoringRules: 'scoring-rules',
      space: 'space-one',
      student: 'student-one',
      topic: `topic-one-${id}`,
      vote: `vote-one-${id}`,
    });
  });
});
