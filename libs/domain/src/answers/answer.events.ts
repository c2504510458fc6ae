import { act, OWN_ACT, placeOf } from '../audit.js';
import { slice } from '../vocabulary.js';

// In the streams `answer-<answerId>`.

export type AnswerPosted = {
  readonly type: 'AnswerPosted';
  readonly data: {
    readonly answerId: string;
    readonly questionId: string;
    readonly spaceId: string;
    readonly questionAuthorId: string;
    readonly authorId: string;
    readonly body: string;
    readonly imageUrls: readonly string[];
  };
};
export type AnswerEdited = {
  readonly type: 'AnswerEdited';
  readonly data: {
    readonly answerId: string;
    readonly questionId: string;
    readonly spaceId: string;
    readonly authorId: string;
    readonly body: string;
    readonly imageUrls: readonly string[];
  };
};
/** A question whose accepted answer this was becomes unsolved: the read side sees it by `questionId` and `answerId`. */
export type AnswerDeleted = {
  readonly type: 'AnswerDeleted';
  readonly data: {
    readonly answerId: string;
    readonly questionId: string;
    readonly spaceId: string;
    readonly authorId: string;
    readonly reason: string | null;
  };
};
export type AnswerEvent = AnswerPosted | AnswerEdited | AnswerDeleted;

const answer = { answerId: 'answer-1', questionId: 'question-1', spaceId: 'space-1', authorId: 'student-2' };

export const answerEvents = slice<AnswerEvent>()({
  streams: ['answer-'],
  errors: {
    ANSWER_NOT_FOUND: { category: 'NOT_FOUND', message: 'Answer does not exist.' },
    ANSWER_BODY_REQUIRED: { category: 'VALIDATION', field: 'body', message: 'Please add your answer' },
    ANSWER_ALREADY_ACCEPTED: { category: 'CONFLICT', message: 'An answer is accepted already.' },
    OWN_ANSWER_ACCEPTED: { category: 'FORBIDDEN', message: 'You cannot accept your own answer.' },
  },
  events: {
    AnswerPosted: {
      example: { ...answer, questionAuthorId: 'student-1', body: '<p>Here.</p>', imageUrls: [] },
      audit: OWN_ACT,
    },
    AnswerEdited: {
      example: { ...answer, body: '<p>Here.</p>', imageUrls: [] },
      audit: OWN_ACT,
    },
    AnswerDeleted: {
      example: { ...answer, reason: 'Off topic' },
      audit: act(({ answerId, questionId, spaceId, authorId, reason }) => ({
        ...placeOf({ postType: 'ANSWER', postId: answerId, questionId, spaceId, postAuthorId: authorId }),
        reason,
      })),
    },
  },
});
