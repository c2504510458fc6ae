import type { PostType } from '../event-parts.js';
import { auditedAction, OWN_ACTION, PART_OF_ERASURE, postFields } from '../audit.js';
import { MAX_COMMENT_LENGTH } from '../limits.js';
import { slice } from '../vocabulary.js';

// Streams: `comment-<commentId>`.

export type CommentPosted = {
  readonly type: 'CommentPosted';
  readonly data: {
    readonly commentId: string;
    readonly parentType: PostType;
    readonly parentId: string;
    readonly questionId: string;
    readonly spaceId: string;
    readonly parentAuthorId: string;
    readonly authorId: string;
    /** Sanitised text. Mentions are `@[<studentId>]` here and `@[name]` in the API. */
    readonly body: string;
    readonly mentionedStudentIds: readonly string[];
  };
};
export type CommentDeleted = {
  readonly type: 'CommentDeleted';
  readonly data: {
    readonly commentId: string;
    readonly parentType: PostType;
    readonly parentId: string;
    readonly questionId: string;
    readonly spaceId: string;
    readonly authorId: string;
    readonly reason: string | null;
  };
};
/** See `QuestionWordsErased`. */
export type CommentWordsErased = {
  readonly type: 'CommentWordsErased';
  readonly data: Omit<CommentDeleted['data'], 'reason'>;
};
export type CommentEvent = CommentPosted | CommentDeleted | CommentWordsErased;

const comment = {
  commentId: 'comment-1',
  parentType: 'ANSWER',
  parentId: 'answer-1',
  questionId: 'question-1',
  spaceId: 'space-1',
  authorId: 'student-3',
} as const;

export const commentEvents = slice<CommentEvent>()({
  streams: ['comment-'],
  errors: {
    COMMENT_NOT_FOUND: { category: 'NOT_FOUND', message: 'Comment not found.' },
    COMMENT_EMPTY: { category: 'VALIDATION', field: 'body', message: 'Comment should not be empty!' },
    COMMENT_TOO_LONG: {
      category: 'VALIDATION',
      field: 'body',
      message: `Comments can’t be longer than ${MAX_COMMENT_LENGTH} characters.`,
    },
  },
  events: {
    CommentPosted: {
      example: { ...comment, parentAuthorId: 'student-2', body: 'Thanks', mentionedStudentIds: [] },
      sealed: [{ of: 'authorId', with: 'words', gone: { body: '' } }],
      audit: OWN_ACTION,
    },
    CommentWordsErased: { example: comment, audit: PART_OF_ERASURE },
    CommentDeleted: {
      example: { ...comment, reason: null },
      sealed: [{ of: 'authorId', with: 'identity', gone: { reason: '' } }],
      audit: auditedAction(({ commentId, parentType, questionId, spaceId, authorId }) =>
        postFields({
          postType: parentType === 'QUESTION' ? 'QUESTION_COMMENT' : 'COMMENT',
          postId: commentId,
          questionId,
          spaceId,
          postAuthorId: authorId,
        }),
      ),
    },
  },
});
