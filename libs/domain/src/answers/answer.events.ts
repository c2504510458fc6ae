import { auditedAction, OWN_ACTION, PART_OF_ERASURE, postFields } from '../audit.js';
import { slice } from '../vocabulary.js';

// Streams: `answer-<answerId>`.

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
/** If this was the accepted answer, the read side marks the question as unsolved. */
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
/** See `QuestionWordsErased`. */
export type AnswerWordsErased = {
  readonly type: 'AnswerWordsErased';
  readonly data: Omit<AnswerDeleted['data'], 'reason'>;
};
export type AnswerEvent = AnswerPosted | AnswerEdited | AnswerDeleted | AnswerWordsErased;

const answer = { answerId: 'answer-1', questionId: 'question-1', spaceId: 'space-1', authorId: 'student-2' };
const sealed = [{ of: 'authorId', with: 'words', gone: { body: '', imageUrls: [] } }] as const;

export const answerEvents = slice<AnswerEvent>()({
  streams: ['answer-'],
  errors: {
    ANSWER_NOT_FOUND: { category: 'NOT_FOUND', message: 'Answer not found.' },
    ANSWER_BODY_REQUIRED: { category: 'VALIDATION', field: 'body', message: 'Please add your answer' },
    ANSWER_ALREADY_ACCEPTED: {
      category: 'CONFLICT',
      message: 'This question already has an accepted answer.',
    },
    QUESTION_AUTHOR_PRESENT: {
      category: 'FORBIDDEN',
      message: 'Only the author of the question can accept an answer, as long as they are in the space.',
    },
    OWN_ANSWER_ACCEPTED: { category: 'FORBIDDEN', message: 'You can’t accept your own answer.' },
  },
  events: {
    AnswerPosted: {
      example: { ...answer, questionAuthorId: 'student-1', body: '<p>Here.</p>', imageUrls: [] },
      sealed,
      audit: OWN_ACTION,
    },
    AnswerEdited: {
      example: { ...answer, body: '<p>Here.</p>', imageUrls: [] },
      sealed,
      audit: OWN_ACTION,
    },
    AnswerWordsErased: { example: answer, audit: PART_OF_ERASURE },
    AnswerDeleted: {
      example: { ...answer, reason: 'Off topic' },
      sealed: [{ of: 'authorId', with: 'identity', gone: { reason: '' } }],
      audit: auditedAction(({ answerId, questionId, spaceId, authorId }) =>
        postFields({ postType: 'ANSWER', postId: answerId, questionId, spaceId, postAuthorId: authorId }),
      ),
    },
  },
});
