import { auditedAction, auditLine, OWN_ACTION, PART_OF_ERASURE, postFields } from '../audit.js';
import { MAX_TITLE_LENGTH } from '../limits.js';
import { slice } from '../vocabulary.js';

// Streams: `question-<questionId>`.

export type QuestionAsked = {
  readonly type: 'QuestionAsked';
  readonly data: {
    readonly questionId: string;
    readonly spaceId: string;
    readonly subjectId: string;
    readonly topicId: string;
    readonly authorId: string;
    readonly title: string;
    /** Sanitised HTML; empty if there is no description. */
    readonly body: string;
    readonly imageUrls: readonly string[];
    readonly tags: readonly string[];
  };
};
export type QuestionEdited = {
  readonly type: 'QuestionEdited';
  readonly data: {
    readonly questionId: string;
    readonly spaceId: string;
    readonly authorId: string;
    readonly title: string;
    readonly body: string;
    readonly imageUrls: readonly string[];
  };
};
export type QuestionDeleted = {
  readonly type: 'QuestionDeleted';
  readonly data: {
    readonly questionId: string;
    readonly spaceId: string;
    readonly authorId: string;
    /** The moderator's reason; null if the author deleted it. */
    readonly reason: string | null;
  };
};
export type AnswerAccepted = {
  readonly type: 'AnswerAccepted';
  readonly data: {
    readonly questionId: string;
    readonly answerId: string;
    readonly spaceId: string;
    readonly questionAuthorId: string;
    readonly answerAuthorId: string;
    /** The moderator who accepted it for an author who has left. Missing if the author did. */
    readonly acceptedBy?: string;
    /** The answer accepted before, which was deleted or removed. Missing in older events. */
    readonly supersedes?: { readonly answerId: string; readonly answerAuthorId: string };
  };
};
/** Precedes the destruction of the author's key, so that existing rows are cleared too. */
export type QuestionWordsErased = {
  readonly type: 'QuestionWordsErased';
  readonly data: { readonly questionId: string; readonly spaceId: string; readonly authorId: string };
};
export type QuestionEvent =
  | QuestionAsked
  | QuestionEdited
  | QuestionDeleted
  | QuestionWordsErased
  | AnswerAccepted;

const question = { questionId: 'question-1', spaceId: 'space-1', authorId: 'student-1' };
const NO_WORDS = { title: '', body: '', imageUrls: [] };

export const questionEvents = slice<QuestionEvent>()({
  streams: ['question-'],
  errors: {
    QUESTION_NOT_FOUND: { category: 'NOT_FOUND', message: 'No Question found with this id!' },
    QUESTION_TITLE_REQUIRED: {
      category: 'VALIDATION',
      field: 'title',
      message: 'Please add question title.',
    },
    QUESTION_TITLE_TOO_LONG: {
      category: 'VALIDATION',
      field: 'title',
      message: `Titles can’t be longer than ${MAX_TITLE_LENGTH} characters.`,
    },
    SUBJECT_REQUIRED: { category: 'VALIDATION', field: 'subject', message: 'Please select a subject' },
    TOPIC_REQUIRED: { category: 'VALIDATION', field: 'topic', message: 'Please select or create a topic' },
  },
  events: {
    QuestionAsked: {
      example: {
        ...question,
        subjectId: 'subject-1',
        topicId: 'topic-1',
        title: 'Where?',
        body: '<p>There.</p>',
        imageUrls: ['/media/a.webp'],
        tags: ['Accents'],
      },
      sealed: [{ of: 'authorId', with: 'words', gone: { ...NO_WORDS, tags: [] } }],
      audit: OWN_ACTION,
    },
    QuestionEdited: {
      example: { ...question, title: 'Where?', body: '', imageUrls: [] },
      sealed: [{ of: 'authorId', with: 'words', gone: NO_WORDS }],
      audit: OWN_ACTION,
    },
    QuestionDeleted: {
      example: { ...question, reason: null },
      sealed: [{ of: 'authorId', with: 'identity', gone: { reason: '' } }],
      audit: auditedAction(({ questionId, spaceId, authorId }) =>
        postFields({ postType: 'QUESTION', postId: questionId, questionId, spaceId, postAuthorId: authorId }),
      ),
    },
    QuestionWordsErased: { example: question, audit: PART_OF_ERASURE },
    AnswerAccepted: {
      example: {
        questionId: 'question-1',
        answerId: 'answer-1',
        spaceId: 'space-1',
        questionAuthorId: 'student-1',
        answerAuthorId: 'student-2',
      },
      audit: {
        class: 'ACT',
        lines: ({ questionId, answerId, spaceId, answerAuthorId, acceptedBy }) =>
          acceptedBy === undefined
            ? []
            : [
                auditLine(
                  postFields({
                    postType: 'ANSWER',
                    postId: answerId,
                    questionId,
                    spaceId,
                    postAuthorId: answerAuthorId,
                  }),
                ),
              ],
      },
    },
  },
});
