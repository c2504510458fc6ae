import { describe, expect, it } from '@jest/globals';
import type { ProjectedEvent } from '../projection.js';
import { noticesOf } from './notifications.tables.js';

const place = { questionId: 'question-1', spaceId: 'space-1', authorId: 'author-1' };

const noticesOfDeletion = (type: string, data: object) =>
  noticesOf({
    type,
    data: { ...place, ...data },
    ordinal: 7,
    metadata: { actor: { kind: 'student', id: 'student-1' }, occurredAt: '2026-01-01T00:00:00.000Z' },
  } as unknown as ProjectedEvent);

describe('deletion by a moderator', () => {
  it.each([
    ['QuestionDeleted', {}, 'question-1'],
    ['AnswerDeleted', { answerId: 'answer-1' }, 'answer-1'],
    ['CommentDeleted', { commentId: 'comment-1' }, 'comment-1'],
  ])('notifies the author of %s with the ordinal of the reason', (type, ids, postId) => {
    expect(noticesOfDeletion(type, { ...ids, reason: 'Off topic' })).toEqual([
      expect.objectContaining({
        receiver_id: 'author-1',
        post_id: postId,
        type: 'POST_REMOVED',
        question_id: 'question-1',
        ruling_ordinal: 7,
        actor_id: '',
      }),
    ]);
  });

  it('does not notify authors of their own deletions', () => {
    expect(noticesOfDeletion('QuestionDeleted', { reason: null })).toEqual([]);
  });
});
